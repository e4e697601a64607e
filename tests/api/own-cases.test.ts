import { beforeAll, describe, expect, it } from 'vitest';
import { pictureIdOf } from '#contract/people/picture-addresses.ts';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { askPerson } from '#server/money/payments/operations-store.ts';
import { appRouter } from '#server/router.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { insertLegClaim } from '#tests/support/claims.ts';
import { insertPicture } from '#tests/support/pictures.ts';
import { insertReport } from '#tests/support/reports.ts';
import { insertHeldSale } from '#tests/support/sales.ts';
import { ACCESS } from './access-table.ts';

/** Makes every call of moderators and admins as a judge whose own cases there are: see own-cases-sql.ts. */

const test = setUpApp();
/**
 * The cases of a judge. The accuser has reported them and has claims against them. The secret is in every text that no
 * party to a case reads as a judge.
 */
async function createCases(judge: Actor) {
  const secret = `Only others read this about ${judge.id}.`;
  const { ctx } = test;
  const { db } = ctx;
  const accuser = await createUser(ctx);
  const seller = await createUser(ctx);
  const decided = {
    status: 'dismissed',
    actionTaken: 'dismiss',
    moderatorId: accuser.id,
    moderatorNotes: secret,
  };
  await insertReport(ctx, judge, seller, decided);
  const sale = await insertHeldSale(ctx, accuser, judge, { withClaim: true });
  const late = await insertHeldSale(ctx, judge, seller, { withClaim: true });
  const legClaimId = await insertLegClaim(ctx, accuser, judge);
  await db
    .updateTable('claims')
    .set({ note: secret, reason: secret })
    .where((where) => where.or([where('claimantId', '=', judge.id), where('giverId', '=', judge.id)]))
    .execute();
  await db
    .updateTable('claims')
    .set({ status: 'refunded', decidedAt: ctx.clock() })
    .where('id', '=', late.claimId)
    .execute();
  await inTransaction(db, (trx) =>
    askPerson(trx, { id: sale.paymentId, provider: 'stripe' }, secret, ctx.clock()),
  );
  const coupon = await createCoupon(ctx, judge, {
    title: secret,
    isActive: false,
    isWithheld: true,
    waitingSince: ctx.clock(),
  });
  const pictureUrl = await insertPicture(ctx, 'profile');
  await db
    .updateTable('users')
    .set({ pictureId: pictureIdOf(pictureUrl), salesStoppedAt: ctx.clock() })
    .where('id', '=', judge.id)
    .execute();
  const line = { details: secret, createdAt: ctx.clock() };
  await db
    .insertInto('auditLog')
    .values({ ...line, action: 'status_active', targetUserId: judge.id })
    .execute();
  return {
    judge,
    secret,
    accuser,
    seller,
    sale,
    legClaimId,
    coupon,
    pictureUrl,
    reportId: await insertReport(ctx, accuser, judge, { description: secret, evidence: secret }),
    writtenId: await insertReport(ctx, judge, accuser, { description: secret }),
  };
}
type Cases = Awaited<ReturnType<typeof createCases>>;
type Input = (cases: Cases) => unknown;

/** The answer leaves the judge's own cases out. */
const leftOut = (input: Input = () => ({})) => ({ input, refusal: null });
/** The call is refused for the judge's own case, with this text. */
const refused = (refusal: string, input: Input) => ({ input, refusal });
/** Why the call reads and decides no case. */
const none = (why: string) => why;

const OTHER_MODERATOR = 'You are part of this deal: another moderator has to decide.';
const OTHER_ADMIN = 'You are part of this sale: another admin has to look after it.';
const FEEDS = none('What the operator has set up is nobody’s case.');
const BOOKS = none('The books are the operator’s: nothing there is decided about a person.');
const issue: Input = ({ sale }) => ({ kind: 'review', ref: String(sale.paymentId) });
const payment: Input = ({ sale }) => ({ paymentId: sale.paymentId });
const dismissal = { action: 'dismiss', notes: 'It is nothing.' };
const status = { status: 'warned', reason: 'It was too much.' };

/** A row a call; a second one for another case of the same call has a word behind its name. */
const CALLS: Record<string, string | { readonly input: Input; readonly refusal: string | null }> = {
  'moderation.reports': leftOut(() => ({ status: 'all' })),
  'moderation.reports person': leftOut(({ accuser }) => ({ person: accuser.username })),
  'moderation.reportRows': leftOut(() => ({ status: 'all' })),
  'moderation.review': refused('Report not found', ({ reportId }) => ({ id: reportId, ...dismissal })),
  'moderation.review written': refused(
    'You wrote this report: another moderator has to decide.',
    ({ writtenId }) => ({ id: writtenId, ...dismissal }),
  ),
  'moderation.reviewSeveral': refused('Report not found', ({ reportId }) => ({
    ids: [reportId],
    ...dismissal,
  })),
  'moderation.personRecord': refused(
    'This is your own record: only other moderators can read it.',
    ({ judge }) => ({ id: judge.id }),
  ),
  'moderation.personRecord claims': leftOut(({ accuser }) => ({ id: accuser.id })),
  'moderation.personRecord reports': leftOut(({ seller }) => ({ id: seller.id })),
  'moderation.claimCase': refused(OTHER_MODERATOR, ({ legClaimId }) => ({ id: legClaimId })),
  'moderation.removePicture': refused(
    'This picture is yours: change it where you uploaded it.',
    ({ pictureUrl }) => ({ url: pictureUrl, reason: 'It shows a code.' }),
  ),
  'moderation.waitingCoupons': leftOut(),
  'moderation.decideCoupons': refused('Coupon not found', ({ coupon }) => ({
    ids: [coupon.id],
    decision: 'list',
  })),
  'claims.list': leftOut(() => ({ onlyOpen: false })),
  'claims.counts': none('It counts what claims.list shows.'),
  'claims.stoppedSellers': none('Whoever may not judge is left out: claims/sale-stop.test.ts.'),
  'claims.resumeSales': refused('Person not found', ({ judge }) => ({ id: judge.id })),
  'claims.picture': none('Whoever is a party sees what a party sees: claims/evidence.test.ts.'),
  'claims.decide': refused(OTHER_MODERATOR, ({ legClaimId }) => ({
    id: legClaimId,
    decision: 'refused',
    note: 'It works here.',
  })),
  'payments.decideClaim': refused(OTHER_MODERATOR, ({ sale }) => ({
    id: sale.claimId,
    decision: 'release',
    note: 'It works here.',
  })),
  'payments.receipt': none('Its parties read it as its parties.'),
  'paymentIssues.list': leftOut(),
  'paymentIssues.retry': refused(OTHER_ADMIN, issue),
  'paymentIssues.note': refused(OTHER_ADMIN, (cases) => ({ ...Object(issue(cases)), text: 'I looked.' })),
  'paymentIssues.handle': refused(OTHER_ADMIN, issue),
  'paymentIssues.payment': refused(OTHER_ADMIN, payment),
  'paymentIssues.evidence': refused(OTHER_ADMIN, payment),
  'paymentIssues.refund': refused(OTHER_ADMIN, (cases) => ({
    ...Object(payment(cases)),
    amount: '3.00',
    returned: '0.00',
    reason: 'A part is missing.',
  })),
  'admin.auditLog': leftOut(),
  'admin.auditLog person': leftOut(({ judge }) => ({ person: judge.username })),
  'admin.auditRows': leftOut(),
  'admin.users': none('Of themselves admins see what is in their own account.'),
  'admin.userRows': none('As admin.users.'),
  'admin.setUserStatus': refused('You cannot change your own status.', ({ judge }) => ({
    id: judge.id,
    ...status,
  })),
  'admin.setUserStatuses': refused('You cannot change your own status.', ({ judge }) => ({
    ids: [judge.id],
    ...status,
  })),
  'admin.resetSecondFactor': refused('Turn your own second factor off in your settings.', ({ judge }) => ({
    id: judge.id,
    reason: 'Showed a passport.',
    password: TEST_PASSWORD,
  })),
  'admin.settleDebt': refused(OTHER_ADMIN, (cases) => ({
    ...Object(payment(cases)),
    how: 'written_off',
    reason: 'It is too little.',
  })),
  'admin.debts': none('Sellers see their own debts as well.'),
  'admin.deniedRequests': none('Nobody decides about what an account was refused.'),
  'admin.deniedRequestRows': none('As admin.deniedRequests.'),
  'admin.stats': BOOKS,
  'admin.platformFees': BOOKS,
  'admin.platformFeeLogs': BOOKS,
  'admin.feeLogRows': BOOKS,
  'admin.feeRows': BOOKS,
  'admin.weeklyFees': BOOKS,
  'admin.journalRows': BOOKS,
  'admin.health': FEEDS,
  'admin.submitSitemap': FEEDS,
  'operations.checks': FEEDS,
  'settings.list': FEEDS,
  'settings.history': FEEDS,
  'settings.change': FEEDS,
  'settings.undo': FEEDS,
  'sources.feeds': FEEDS,
  'sources.putFeed': FEEDS,
  'sources.removeFeed': FEEDS,
  'sources.tryFeed': FEEDS,
  'sources.validators': FEEDS,
  'sources.putValidator': FEEDS,
  'sources.removeValidator': FEEDS,
  'sources.tryValidator': FEEDS,
};

const nameOf = (row: string) => row.split(' ')[0] ?? '';
/** The calls that answer moderators or admins otherwise than a stranger. */
const callsOf = (role: 'moderator' | 'admin') =>
  Object.entries(ACCESS)
    .filter(([, [answers]]) => answers[role] !== answers.stranger)
    .map(([name]) => nameOf(name));
const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;

it('every call of moderators and admins says what it does with a case of the caller', () => {
  const listed = Object.keys(CALLS).map(nameOf);
  expect([...new Set(listed)].sort()).toEqual(
    [...new Set([...callsOf('moderator'), ...callsOf('admin')])].sort(),
  );
});

describe.each(['moderator', 'admin'] as const)('a %s', (role) => {
  /** For queries, which change nothing. */
  let shared: Cases;
  beforeAll(async () => {
    shared = await createCases(await createUser(test.ctx, { role }));
  });
  const mine = Object.entries(CALLS).filter(([name]) => callsOf(role).includes(nameOf(name)));
  for (const [name, row] of mine) {
    if (typeof row === 'string') continue;
    it(`neither reads nor decides a case of their own: ${name} [decisions 5.3.2]`, async () => {
      const type = procedures[nameOf(name)]?._def.type === 'mutation' ? 'mutation' : 'query';
      const cases = type === 'query' ? shared : await createCases(await createUser(test.ctx, { role }));
      const other = await createUser(test.ctx, { role: 'admin' });
      const call = (who: Actor) => test.trpc(who, type, nameOf(name), row.input(cases));
      const [own, others] = [(await call(cases.judge)).body, (await call(other)).body];
      const told = row.refusal ?? cases.secret;
      expect(own.includes(told)).toBe(row.refusal !== null);
      expect(others.includes(told)).toBe(row.refusal === null);
      expect(own.includes(cases.secret)).toBe(false);
    });
  }
});
