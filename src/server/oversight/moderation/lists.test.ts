import { beforeAll, describe, expect, it } from 'vitest';
import type { UserFilters } from '#contract/oversight/moderation.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { listAudit } from '#server/people/audit/service.ts';
import { actingAs, createUser, setUpContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { insertReport } from '#tests/support/reports.ts';
import { listReports, reviewReports } from './reports.ts';
import { forSeveral } from './several.ts';
import { listUsers, setUserStatus, setUserStatuses } from './status.ts';

const ctx = setUpContext(setUpDatabase());
const PAGE = { page: 1, limit: 50 };
let admin: Actor;
let moderator: Actor;
let [ann, ben, cleo]: Actor[] = [];

beforeAll(async () => {
  admin = await createUser(ctx, { username: 'an_admin', role: 'admin' });
  moderator = await createUser(ctx, { username: 'moderator', role: 'moderator' });
  ann = await createUser(ctx, { username: 'Ann' });
  ben = await createUser(ctx, { username: 'ben' });
  cleo = await createUser(ctx, { username: 'Cleo' });
  const set = (person: Actor | undefined, values: object) =>
    ctx.db
      .updateTable('users')
      .set(values)
      .where('id', '=', person?.id ?? 0)
      .execute();
  await set(ann, { reportCount: 2 });
  await set(cleo, { reportCount: 7, createdAt: addDays(ctx.clock(), -40) });
});

const idOf = (person: Actor | undefined) => person?.id ?? 0;
const asAdmin = () => actingAs(ctx, admin);

describe('the people', () => {
  const namesOf = async (filters: UserFilters) =>
    (await listUsers(asAdmin(), { ...filters, ...PAGE })).items.map(({ username }) => username);

  it('are sorted by when they joined, by name in any case, and by reports', async () => {
    expect((await namesOf({ sort: 'joined-asc' }))[0]).toBe('Cleo');
    expect((await namesOf({})).at(-1)).toBe('Cleo');
    expect(await namesOf({ sort: 'name-asc' })).toEqual(['an_admin', 'Ann', 'ben', 'Cleo', 'moderator']);
    expect((await namesOf({ sort: 'reports-desc' })).slice(0, 2)).toEqual(['Cleo', 'Ann']);
  });

  it('are filtered by role and by the days on which they joined, of which the last counts whole', async () => {
    expect(await namesOf({ role: 'moderator' })).toEqual(['moderator']);
    const day = utcDay(addDays(ctx.clock(), -40));
    expect(await namesOf({ from: day, to: day })).toEqual(['Cleo']);
    expect(await namesOf({ to: utcDay(addDays(ctx.clock(), -41)) })).toEqual([]);
  });

  it('refuse the cursor of another order', async () => {
    const { nextCursor } = await listUsers(asAdmin(), { page: 1, limit: 1, sort: 'name-asc' });
    const other = listUsers(asAdmin(), { page: nextCursor ?? '', limit: 1, sort: 'name-desc' });
    await expect(other).rejects.toMatchObject({ code: 'bad_input' });
  });
});

describe('one decision on several', () => {
  it('people changes whom it may, says who was left and why, and records each', async () => {
    const ids = [idOf(ann), admin.id, idOf(ben), idOf(ann)];
    const { outcomes } = await setUserStatuses(asAdmin(), {
      ids,
      status: 'suspended',
      reason: 'The same trick.',
      days: 7,
    });
    expect(outcomes).toEqual([
      { id: idOf(ann), outcome: 'done', text: null },
      { id: admin.id, outcome: 'refused', text: 'You cannot change your own status.' },
      { id: idOf(ben), outcome: 'done', text: null },
    ]);
    const { items } = await listAudit(asAdmin(), { action: 'status_suspended', ...PAGE });
    expect(items.map(({ targetUsername }) => targetUsername)).toEqual(['ben', 'Ann']);
    expect(items.every(({ details }) => details.endsWith('for 7 days. The same trick.'))).toBe(true);
  });

  it('reports decides those that are pending, and leaves those that somebody has decided', async () => {
    const [one, two] = [
      await insertReport(ctx, ann as Actor, cleo as Actor),
      await insertReport(ctx, ben as Actor, cleo as Actor),
    ];
    const judge = actingAs(ctx, moderator);
    await reviewReports(judge, { ids: [one], action: 'dismiss', notes: 'Nothing happened.' });
    const { outcomes } = await reviewReports(judge, {
      ids: [one, two],
      action: 'warn',
      notes: 'Twice is enough.',
    });
    expect(outcomes).toEqual([
      { id: one, outcome: 'refused', text: 'This report is already dismissed.' },
      { id: two, outcome: 'done', text: null },
    ]);
    const resolved = await listReports(judge, { status: 'resolved', person: 'CLEO', ...PAGE });
    expect(resolved.items.map(({ id, moderatorNotes }) => [id, moderatorNotes])).toEqual([
      [two, 'Twice is enough.'],
    ]);
    const ofOthers = await listReports(judge, { status: 'all', person: 'moderator', ...PAGE });
    expect(ofOthers.total).toBe(0);
  });

  it('stops at a failure that is no refusal, and says what was not tried', async () => {
    const { outcomes } = await forSeveral(ctx, [1, 2, 3], async (id) => {
      if (id === 2) throw new Error('The connection is gone.');
    });
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['done', 'failed', 'not_tried']);
    expect(JSON.stringify(outcomes)).not.toContain('connection');
  });
});

it('the audit log is filtered by who did it or whom it is about, and by days', async () => {
  await setUserStatus(asAdmin(), { id: idOf(cleo), status: 'suspended', reason: 'To see it.' });
  const linesOf = async (person: string, days: object = {}) =>
    (await listAudit(asAdmin(), { person, ...days, ...PAGE })).items.map(({ action }) => action);
  expect(await linesOf('cleo')).toContain('status_suspended');
  expect(await linesOf('cle')).toEqual([]);
  expect(await linesOf('MODERATOR')).toContain('report_warn');
  expect(await linesOf('cleo', { to: utcDay(addDays(ctx.clock(), -1)) })).toEqual([]);
});
