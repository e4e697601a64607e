import { beforeAll, describe, expect, it } from 'vitest';
import { formatDay } from '#contract/base/locale.ts';
import { REASON_MAX } from '#contract/base/primitives.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { createReportInputSchema, type ReportAction } from '#contract/oversight/moderation.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { currentUser } from '#server/people/accounts/accounts.ts';
import { listAudit } from '#server/people/audit/service.ts';
import { actingAs, createCoupon, createUser, setUpContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { createDeal, noticesOf } from '#tests/support/exchanges.ts';
import { insertReport } from '#tests/support/reports.ts';
import { listReports, reportPerson, reviewReport } from './reports.ts';
import { endSuspensions, setUserStatus } from './status.ts';

const database = setUpDatabase();
const ctx = setUpContext(database);
let moderator: Actor;
let admin: Actor;
beforeAll(async () => {
  moderator = await createUser(ctx, { role: 'moderator' });
  admin = await createUser(ctx, { role: 'admin' });
});

const DESCRIPTION = 'They never sent what was agreed.';
const PAGE = { page: 1, limit: 50 };

function report(reporter: Actor, reported: { id: number }, given: object = {}) {
  const input = { reportedUserId: reported.id, description: DESCRIPTION, ...given };
  return reportPerson(actingAs(ctx, reporter), createReportInputSchema.parse(input));
}

function review(judge: Actor, id: number, action: ReportAction, notes: string | null = null) {
  return reviewReport(actingAs(ctx, judge), { id, action, notes });
}

async function statusOf({ id }: { id: number }): Promise<string> {
  const row = await ctx.db
    .selectFrom('users')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.status;
}

describe('reporting a person', () => {
  it('is confirmed, counted, and listed for moderators, newest first, with its evidence [spec/1 3.15 3.24] [spec/3 4.3]', async () => {
    const [reporter, reported] = [await createUser(ctx), await createUser(ctx)];
    const answer = await report(reporter, reported, {
      reason: 'scam',
      evidence: 'https://example.org/proof',
    });
    expect(answer).toEqual({ id: expect.any(Number), message: TEXTS.reports.sent() });
    const { items } = await listReports(actingAs(ctx, moderator), { status: 'pending', ...PAGE });
    expect(items[0]).toEqual({
      id: answer.id,
      reason: 'scam',
      reporterId: reporter.id,
      reporterUsername: reporter.username,
      reporterProfileImageUrl: null,
      reportedUserId: reported.id,
      reportedUsername: reported.username,
      reportedProfileImageUrl: null,
      reportedUserStatus: 'active',
      isOfStranger: true,
      reportCount: 0,
      description: DESCRIPTION,
      evidence: 'https://example.org/proof',
      relatedEntityType: null,
      relatedEntityId: null,
      pictureUrl: null,
      isPictureGone: false,
      status: 'pending',
      actionTaken: null,
      moderatorUsername: null,
      moderatorNotes: null,
      createdAt: ctx.clock().toISOString(),
      updatedAt: ctx.clock().toISOString(),
    });
  });

  it('is refused for oneself and for unknown people; who has left is reported, too [spec/1 7.17]', async () => {
    const reporter = await createUser(ctx);
    const gone = await createUser(ctx, { deletedAt: ctx.clock() });
    await expect(report(reporter, reporter)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(report(reporter, { id: 999_999 })).rejects.toMatchObject({ code: 'not_found' });
    expect(await report(reporter, gone)).toMatchObject({ message: TEXTS.reports.sent() });
  });

  it('is refused while an earlier report is pending, also at once; it is allowed again after the decision', async () => {
    const [reporter, reported] = [await createUser(ctx), await createUser(ctx)];
    const results = await Promise.allSettled([report(reporter, reported), report(reporter, reported)]);
    const lost = results.find(({ status }) => status === 'rejected');
    expect(lost).toMatchObject({ reason: { status: 409, message: TEXTS.reports.alreadyReported() } });
    const { items } = await listReports(actingAs(ctx, moderator), { status: 'pending', ...PAGE });
    const first = items.find(({ reporterId }) => reporterId === reporter.id);
    await review(moderator, first?.id ?? 0, 'dismiss');
    await report(reporter, reported);
  });

  it('may refer only to things that the reporter can see [spec/1 3.25]', async () => {
    const { id, requester, owner, requested } = await createDeal(ctx);
    const stranger = await createUser(ctx);
    const hidden = await createCoupon(ctx, owner, { isActive: false });
    const about = (who: Actor, type: string | null, thing: number | null) =>
      report(who, owner, { relatedEntityType: type, relatedEntityId: thing });
    for (const [type, thing] of [
      ['exchange', id],
      ['coupon', hidden.id],
      ['coupon', 999_999],
      ['bid', 1],
      ['message', 1],
      ['rating', 1],
      ['rating', null],
      [null, 1],
    ] as const) {
      await expect(about(stranger, type, thing)).rejects.toMatchObject({ code: 'bad_input' });
    }
    await about(stranger, 'coupon', requested.id);
    await about(requester, 'exchange', id);
  });
});

describe('deciding a report', () => {
  it.each([
    ['dismiss', 'dismissed', 'active'],
    ['warn', 'resolved', 'warned'],
    ['suspend', 'resolved', 'suspended'],
    ['ban', 'resolved', 'banned'],
  ] as const)('%s makes the report %s and the person %s [spec/3 4.7]', async (action, status, after) => {
    const [reporter, reported] = [await createUser(ctx), await createUser(ctx)];
    const id = await insertReport(ctx, reporter, reported);
    const other = await insertReport(ctx, await createUser(ctx), reported);
    const answer = await review(moderator, id, action, 'Three people said so.');
    expect(answer.report).toMatchObject({
      status,
      actionTaken: action,
      reportedUserStatus: after,
      moderatorUsername: moderator.username,
      moderatorNotes: 'Three people said so.',
    });
    expect(answer.message).toMatch(/\S/);
    expect(await statusOf(reported)).toBe(after);
    const { items } = await listReports(actingAs(ctx, moderator), { status: 'pending', ...PAGE });
    expect(items.map((item) => item.id)).toContain(other);
    const { items: lines } = await listAudit(actingAs(ctx, admin), { page: 1, limit: 2 });
    expect(lines[0]).toMatchObject({
      action: `report_${action}`,
      username: moderator.username,
      targetUsername: reported.username,
      details: expect.stringContaining('Three people said so.'),
    });

    const [thanks] = await noticesOf(ctx, reporter);
    expect(thanks?.content).toContain('Thank you for your report.');
    expect(thanks?.content).not.toContain(reported.username);
    const mails = await ctx.db
      .selectFrom('mailOutbox')
      .select(['kind', 'body'])
      .where('userId', '=', reported.id)
      .execute();
    if (action === 'dismiss') expect(mails).toEqual([]);
    else
      expect(mails).toEqual([
        { kind: 'status_changed', body: expect.stringContaining('Three people said so.') },
      ]);
  });

  it('when two moderators decide at once, one succeeds and the other gets the current state [spec/3 4.5]', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await insertReport(ctx, await createUser(ctx), await createUser(ctx));
      const results = await Promise.allSettled([review(moderator, id, 'dismiss'), review(admin, id, 'warn')]);
      const lost = results.filter(({ status }) => status === 'rejected');
      expect(lost).toHaveLength(1);
      expect(lost[0]).toMatchObject({
        reason: {
          code: 'conflict',
          message: expect.stringMatching(/^This report is already (dismissed|resolved)\.$/),
        },
      });
    }
  });

  it('cannot make a status milder, but may ban a banned person again [spec/1 4.9]', async () => {
    const reported = await createUser(ctx, { status: 'banned' });
    const id = await insertReport(ctx, await createUser(ctx), reported);
    for (const action of ['warn', 'suspend'] as const) {
      await expect(review(moderator, id, action)).rejects.toMatchObject({
        code: 'conflict',
        message: `${reported.username} is already banned. Only an admin can make that less strict.`,
      });
    }
    expect((await review(moderator, id, 'ban')).report.status).toBe('resolved');
  });

  const JUDGES = ['moderator', 'admin'] as const;
  /** The reported person, and whether each judge may dismiss the report or ban them. */
  const RIGHTS = [
    ['user', { moderator: [true, true], admin: [true, true] }],
    ['moderator', { moderator: [false, false], admin: [true, true] }],
    ['admin', { moderator: [false, false], admin: [true, false] }],
  ] as const;
  it.each(RIGHTS.flatMap(([role, rights]) => JUDGES.map((judge) => ({ role, judge, may: rights[judge] }))))(
    'a report on a $role, by a $judge: may dismiss, may ban: $may [spec/1 6.5]',
    async ({ role, judge, may }) => {
      for (const [index, action] of (['dismiss', 'ban'] as const).entries()) {
        const id = await insertReport(ctx, await createUser(ctx), await createUser(ctx, { role }));
        const decided = review(judge === 'admin' ? admin : moderator, id, action);
        if (may[index]) await expect(decided).resolves.toBeDefined();
        else await expect(decided).rejects.toMatchObject({ code: 'forbidden' });
      }
    },
  );

  it.each(JUDGES)('a %s cannot decide reports by or about themselves [spec/3 4.10]', async (role) => {
    const judge = await createUser(ctx, { role });
    const written = await insertReport(ctx, judge, await createUser(ctx));
    const about = await insertReport(ctx, await createUser(ctx), judge);
    await expect(review(judge, written, 'dismiss')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(review(judge, about, 'dismiss')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an admin changing a status', () => {
  const set = (id: number, status: 'active' | 'warned' | 'suspended' | 'banned') =>
    setUserStatus(actingAs(ctx, admin), { id, status, reason: 'It is better so.' });

  it("may set any status, with the reason in the audit log and in the person's notification [spec/1 4.9]", async () => {
    const person = await createUser(ctx);
    for (const status of ['banned', 'suspended', 'warned', 'active'] as const) {
      expect((await set(person.id, status)).status).toBe(status);
      const { items } = await listAudit(actingAs(ctx, admin), { page: 1, limit: 1 });
      expect(items[0]).toMatchObject({ action: `status_${status}`, targetUserId: person.id });
      expect(items[0]?.details).toContain('It is better so.');
    }
    expect((await noticesOfAll(person.id)).at(-1)).toBe(
      'Your account is in good standing again. Reason: “It is better so.”',
    );
  });

  it('may suspend for some days: the person is told until when, and the job ends it', async () => {
    const person = await createUser(ctx);
    // The longest reason that there can be.
    const reason = 'x'.repeat(REASON_MAX);
    const suspend = (days: number | null) =>
      setUserStatus(actingAs(ctx, admin), { id: person.id, status: 'suspended', reason, days });
    await suspend(7);
    const until = addDays(ctx.clock(), 7);
    expect(await currentUser(actingAs(ctx, person))).toMatchObject({
      status: 'suspended',
      statusReason: reason,
      statusUntil: until.toISOString(),
    });
    expect((await noticesOfAll(person.id)).at(-1)).toBe(
      `Your account was suspended. You can still sign in, browse, pay for accepted bids, and make and answer claims, but nothing else. It ends on ${formatDay(utcDay(until))}. Reason: “${reason}”`,
    );
    expect(await endSuspensions(ctx)).toBe(0);
    const later = { ...ctx, clock: () => until };
    expect(await endSuspensions(later)).toBe(1);
    expect(await currentUser(actingAs(ctx, person))).toMatchObject({
      status: 'active',
      statusReason: null,
      statusUntil: null,
    });
    expect(await endSuspensions(later)).toBe(0);
    await suspend(null);
    expect(await endSuspensions({ ...ctx, clock: () => addDays(until, 10_000) })).toBe(0);
  });

  it('is refused for themselves, other admins, unknown and deleted people [spec/3 2.85]', async () => {
    const other = await createUser(ctx, { role: 'admin' });
    const gone = await createUser(ctx, { deletedAt: ctx.clock() });
    await expect(set(admin.id, 'warned')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(set(other.id, 'warned')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(set(gone.id, 'warned')).rejects.toMatchObject({ code: 'conflict' });
    await expect(set(999_999, 'warned')).rejects.toMatchObject({ code: 'not_found' });
  });

  async function noticesOfAll(userId: number): Promise<string[]> {
    const rows = await ctx.db
      .selectFrom('notifications')
      .select('content')
      .where('userId', '=', userId)
      .orderBy('id')
      .execute();
    return rows.map(({ content }) => content);
  }
});

it('the audit log is append-only [decisions 5.2.5]', async () => {
  await expect(ctx.db.updateTable('auditLog').set({ details: '' }).execute()).rejects.toThrow('append-only');
  await expect(ctx.db.deleteFrom('auditLog').execute()).rejects.toThrow('append-only');
});
