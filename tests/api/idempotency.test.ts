import { beforeEach, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { forgetOldCalls } from '#server/people/idempotency/service.ts';
import { createApiKey } from '#tests/support/api-keys.ts';
import { keptLog, setUpApp, type TestCall } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';

/** Calls with a key of their own are done once, however often they are made. */

const { log, lines } = keptLog('info');
const test = setUpApp({ log, config: { logLevel: 'info' } });
let me: Actor;
beforeEach(async () => {
  me = await createUser(test.ctx);
});

const want = (search: string) =>
  ({ method: 'POST', url: '/api/wants', body: { search, gives: 'any' } }) as const;
const under = (key: string, call: TestCall, who: Actor | null = me) =>
  test.call(who, { ...call, headers: { 'idempotency-key': key, ...call.headers } });
const wantsOf = async (who = me) =>
  (await test.ctx.db.selectFrom('wants').select('id').where('userId', '=', who.id).execute()).length;

it('the same call with the same key is done once, and answered alike', async () => {
  const first = await under('one', want('tea'));
  expect(first.statusCode).toBe(201);
  const again = await under('one', want('tea'));
  expect([again.statusCode, again.json()]).toEqual([201, first.json()]);
  expect(await wantsOf()).toBe(1);
  expect((await under('two', want('tea and cake'))).statusCode).toBe(201);
  expect(await wantsOf()).toBe(2);
  expect(lines.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
});

it('of two calls at once, one is done', async () => {
  const both = await Promise.all([under('one', want('tea')), under('one', want('tea'))]);
  const [first, other] = both.toSorted((one, two) => one.statusCode - two.statusCode);
  expect(first?.statusCode).toBe(201);
  if (other?.statusCode === 201) expect(other.json()).toEqual(first?.json());
  else
    expect([other?.statusCode, other?.json().error, other?.headers['retry-after']]).toEqual([
      ...[409, 'A call with this key is running. Repeat it in a moment.', '1'],
    ]);
  expect(await wantsOf()).toBe(1);
});

it.each([
  ['another call', 'one', 'This key was used for another call. Use a new key for each call.'],
  ['no key', ' ', 'Use 1 to 255 visible characters'],
  ['a key that is too long', 'k'.repeat(256), 'Use 1 to 255 visible characters'],
])('a key for %s is refused by name', async (_what, key, error) => {
  await under('one', want('tea'));
  const answer = await under(key, want('cake'));
  expect([answer.statusCode, answer.json()]).toMatchObject([
    ...[400, { error, issues: [{ path: 'Idempotency-Key', message: error }] }],
  ]);
  expect(await wantsOf()).toBe(1);
});

it('is each caller’s own: another person and another program have the same key for themselves', async () => {
  const [other, token] = [await createUser(test.ctx), (await createApiKey(test.ctx, me)).token];
  await under('one', want('tea'));
  expect((await under('one', want('tea'), other)).statusCode).toBe(201);
  const headers = { authorization: `Bearer ${token}` };
  expect((await under('one', { ...want('tea two'), headers }, null)).statusCode).toBe(201);
  expect([await wantsOf(), await wantsOf(other)]).toEqual([2, 1]);
});

it('asks each time whether the caller may, and gives nobody else the answer', async () => {
  await under('one', want('tea'));
  expect((await under('one', want('tea'), null)).statusCode).toBe(401);
  await test.ctx.db.updateTable('users').set({ status: 'suspended' }).where('id', '=', me.id).execute();
  expect((await under('one', want('tea'))).statusCode).toBe(403);
});

it('a call that was refused frees its key, one of which nobody knows what came of it keeps it', async () => {
  expect((await under('one', want(''))).statusCode).toBe(400);
  expect((await under('one', want('tea'))).statusCode).toBe(201);
  await test.ctx.db.updateTable('idempotencyKeys').set({ answer: null }).execute();
  test.ctx.clock.advanceDays(1 / 24);
  const answer = await under('one', want('tea'));
  expect([answer.statusCode, answer.json().error]).toEqual([
    ...[
      409,
      'We do not know what came of the call with this key. Look whether it was done before you make it again with a new key.',
    ],
  ]);
});

it('an answer is kept for a day, and a secret in it is sealed', async () => {
  const make = { method: 'POST', url: '/api/calendar-address' } as const;
  const first = await under('one', make);
  expect(first.statusCode).toBe(201);
  const rows = await test.ctx.db.selectFrom('idempotencyKeys').select('answer').execute();
  const address = String(Object.values(first.json())[0]);
  expect(rows.some(({ answer }) => answer?.includes(address))).toBe(false);
  expect((await under('one', make)).json()).toEqual(first.json());
  test.ctx.clock.advanceDays(1);
  expect((await under('one', make)).json()).not.toEqual(first.json());
  test.ctx.clock.advanceDays(1);
  await forgetOldCalls(test.ctx);
  expect(await test.ctx.db.selectFrom('idempotencyKeys').selectAll().execute()).toEqual([]);
});
