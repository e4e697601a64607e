import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { daysLeft } from '#contract/coupons/days-left.ts';
import { BID_REASONS, DEAL_REASONS, DEAL_STATUSES } from '#contract/deals/deals.ts';
import { checkRecord } from '#contract/deals/market-day-record.ts';
import { DEMO_PASSWORD } from '#contract/people/accounts.ts';
import { checkLedger } from '#server/money/books/ledger.ts';
import { demoPeople } from '#server/people/accounts/accounts.ts';
import { login } from '#server/people/accounts/signing-in.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { createDemoDatabase, openDemoFiles, openDemoStore } from '../../tests/demo.ts';
import { FACE_DRAWINGS, OFFER_DRAWINGS } from './drawings.ts';
import { publishDrawing } from './pictures.ts';
import { createDemoClient, type DemoClient } from './steps.ts';

let database: TestDatabase;
let app: TestApp;
let now: Date;
beforeAll(async () => {
  database = await createDemoDatabase();
  app = await createTestApp({
    database,
    standIns: ['stripe', 'paypal'],
    sandbox: { store: openDemoStore() },
  });
  // That of the demo.
  now = app.ctx.clock();
});
afterAll(() => app?.close());

/** No demo person is banned or leaves, no merchant refuses a code, no ring is made yet, and no swap has money. */
const isTradeReason = (reason: string) =>
  !['party_banned', 'party_left', 'by_party', 'code_refused', 'exchange_ended'].includes(reason);

describe('the demo data', () => {
  it('breaks no rule of the marketplace', async () => {
    expect(await checkInvariants(database.db)).toEqual([]);
    expect((await checkLedger(database)).broken).toEqual([]);
  });

  it('has exchanges in every state, with every reason for an end', async () => {
    const exchanges = await database.db.selectFrom('exchanges').select(['status', 'reason']).execute();
    const inState = (status: string) => exchanges.filter((exchange) => exchange.status === status).length;
    expect(Object.fromEntries(DEAL_STATUSES.map((status) => [status, inState(status)]))).toEqual({
      pending: 27,
      accepted: 8,
      rejected: 12,
      completed: 32,
      cancelled: 19,
    });
    const reasons = new Set(exchanges.map(({ reason }) => reason).filter((reason) => reason !== null));
    expect([...reasons].sort()).toEqual(DEAL_REASONS.filter(isTradeReason).sort());
  });

  it('has bids in every state, with every reason for an end', async () => {
    const bids = await database.db.selectFrom('bids').select(['status', 'reason']).execute();
    const inState = (status: string) => bids.filter((bid) => bid.status === status).length;
    expect(Object.fromEntries(DEAL_STATUSES.map((status) => [status, inState(status)]))).toEqual({
      pending: 21,
      accepted: 4,
      rejected: 9,
      completed: 19,
      cancelled: 12,
    });
    const reasons = new Set(bids.map(({ reason }) => reason).filter((reason) => reason !== null));
    expect([...reasons].sort()).toEqual(BID_REASONS.filter(isTradeReason).sort());
  });

  it('has pictures of offers and people, encoded from the drawings of today', async () => {
    const pictures = await database.db.selectFrom('pictures').selectAll().execute();
    const count = (kind: string) => pictures.filter((picture) => picture.kind === kind).length;
    expect(count('offer')).toBe(Object.keys(OFFER_DRAWINGS).length);
    expect(count('profile')).toBe(Object.keys(FACE_DRAWINGS).length);
    expect(pictures.filter(({ attachedAt, discardedAt }) => !attachedAt || discardedAt)).toEqual([]);
    const { storage } = openDemoFiles();
    for (const name of pictures.flatMap(({ files }) => files))
      expect((await storage.get(name))?.length).toBeGreaterThan(0);
    await expect(publishDrawing(Buffer.from('<svg/>'))).rejects.toThrow('npm run demo:pictures');
  });

  it('has sales through both providers, paid out, held, claimed and refunded', async () => {
    const sales = await database.db
      .selectFrom('paymentTransactions')
      .select(['status', 'provider', 'holdUntil'])
      .execute();
    const count = (status: string, provider: string) =>
      sales.filter((sale) => sale.status === status && sale.provider === provider).length;
    expect(count('completed', 'stripe')).toBe(10);
    expect(count('completed', 'paypal')).toBe(5);
    expect(count('refunded', 'stripe')).toBe(1);
    const held = sales.filter(({ status }) => status === 'held');
    expect(held).toHaveLength(3);
    expect(held.filter(({ holdUntil }) => (holdUntil?.getTime() ?? 0) < now.getTime())).toEqual([]);
    const ofSales = database.db.selectFrom('claims').where('bidId', 'is not', null);
    const claims = await ofSales.select('status').execute();
    expect(claims.map(({ status }) => status).sort()).toEqual(['open', 'refunded', 'released', 'withdrawn']);
  });

  it('has sellers with either provider and with both, and one who has not finished', async () => {
    const accounts = await database.db
      .selectFrom('sellerAccounts')
      .innerJoin('users', 'users.id', 'sellerAccounts.userId')
      .select(['username', 'provider', 'isReady'])
      .execute();
    const ready = accounts.filter(({ isReady }) => isReady);
    expect(accounts.filter(({ isReady }) => !isReady)).toHaveLength(1);
    expect(ready).toHaveLength(13);
    expect(new Set(ready.map(({ username }) => username)).size).toBe(12);
  });

  it('has ratings after swaps and sales, some still hidden, each with a different comment', async () => {
    const ratings = await database.db
      .selectFrom('userRatings')
      .select(['comment', 'visibleAt', 'isCounted', 'relatedEntityType as type', 'relatedEntityId as id'])
      .execute();
    expect(new Set(ratings.map(({ type }) => type))).toEqual(new Set(['exchange', 'bid']));
    const hidden = ratings.filter(({ visibleAt }) => visibleAt.getTime() > now.getTime());
    expect(ratings.length).toBeGreaterThan(45);
    expect(hidden.length).toBeGreaterThan(3);
    // Visible ratings count, hidden ones do not.
    expect(ratings.filter(({ isCounted }) => !isCounted)).toEqual(hidden);
    const both = ratings.filter(
      ({ type, id }) => ratings.filter((other) => other.type === type && other.id === id).length === 2,
    );
    expect(both.filter((rating) => hidden.includes(rating))).toEqual([]);
    const comments = ratings.flatMap(({ comment }) => comment ?? []);
    expect(new Set(comments).size).toBe(comments.length);
    expect(comments.length).toBeGreaterThan(20);
  });

  it('has reports that wait for the moderator', async () => {
    const reports = await database.db.selectFrom('userReports').select(['status', 'evidence']).execute();
    expect(reports.map(({ status }) => status)).toEqual(['pending', 'pending']);
    expect(reports.some(({ evidence }) => evidence !== null)).toBe(true);
  });

  it('has a leaderboard from the start [decisions 6.0.12]', async () => {
    const first = await database.db
      .selectFrom('leaderboard')
      .select(['category', 'score'])
      .where('rank', '=', 1)
      .orderBy('category')
      .execute();
    expect(first.map(({ category }) => category)).toEqual([
      'bids',
      'coupons',
      'exchanges',
      'overall',
      'ratings',
    ]);
  });

  it('has coupons of every category and badge, with different texts and encrypted codes', async () => {
    const coupons = await database.db
      .selectFrom('coupons')
      .leftJoin('couponSecrets', 'couponSecrets.couponId', 'coupons.id')
      .select(['category', 'description', 'expiryDate', 'codeHash', 'deletedAt', 'couponSecrets.code'])
      .execute();
    expect(new Set(coupons.map(({ description }) => description)).size).toBe(303);
    // The six categories of the form, and that of imported codes.
    expect(new Set(coupons.map(({ category }) => category)).size).toBe(7);
    const kept = coupons.filter(({ deletedAt }) => deletedAt === null);
    expect(kept).toHaveLength(301);
    expect(kept.filter(({ code, codeHash }) => (code === null) !== (codeHash === null))).toEqual([]);
    expect(kept.filter(({ code }) => code === null)).toHaveLength(3);

    const badges = coupons.map(({ expiryDate }) => {
      if (expiryDate === null) return 'never';
      const left = daysLeft(expiryDate, now);
      if (left <= 0) return 'expired';
      if (left <= 7) return 'week';
      return left <= 30 ? 'month' : 'later';
    });
    expect(new Set(badges)).toEqual(new Set(['never', 'expired', 'week', 'month', 'later']));
  });

  it('is from the last two months, and everybody joined before they listed', async () => {
    const people = await database.db.selectFrom('users').select(['id', 'createdAt', 'isDemo']).execute();
    expect(people.filter(({ isDemo }) => !isDemo)).toEqual([]);
    const joined = new Map(people.map(({ id, createdAt }) => [id, createdAt.getTime()]));
    const logs = await database.db.selectFrom('transactionLogs').select(['userId', 'createdAt']).execute();
    const times = logs.map(({ createdAt }) => createdAt.getTime());
    expect(Math.max(...times)).toBeLessThanOrEqual(now.getTime());
    expect(Math.min(...times)).toBeGreaterThan(now.getTime() - 62 * 86_400_000);
    expect(logs.filter(({ userId, createdAt }) => createdAt.getTime() < (joined.get(userId) ?? 0))).toEqual(
      [],
    );
  });
});

describe('the first demo person on the sign-in screen', () => {
  let calls: ReturnType<DemoClient['callsOf']>;
  let id: number;
  beforeAll(async () => {
    const ctx = { ...app.deps, actor: null, ip: '192.0.2.1', userAgent: '' };
    const [first] = await demoPeople(ctx);
    const { user } = await login(ctx, { username: first?.username ?? '', password: DEMO_PASSWORD }, null);
    id = user.id;
    calls = createDemoClient(app.deps, database.db, now).callsOf({
      ...user,
      memberSince: new Date(user.createdAt),
      isConfirmed: user.isEmailVerified,
      isEstablished: false,
    });
  });

  it('has received proposals, several for one coupon', async () => {
    const { items } = await calls.exchanges.list({ tab: 'received', limit: 100 });
    const waiting = items.filter(({ status }) => status === 'pending');
    expect(waiting.length).toBeGreaterThanOrEqual(5);
    expect(new Set(waiting.map(({ requestedCoupon }) => requestedCoupon.id)).size).toBeLessThan(
      waiting.length - 2,
    );
  });

  it('has a claim about a swap to answer, one to make, and one that was upheld [decisions 3.15.34]', async () => {
    const { items } = await calls.exchanges.list({ tab: 'completed', limit: 100 });
    const legs = (
      await Promise.all(items.map(({ id: exchangeId }) => calls.claims.ofExchange({ exchangeId })))
    ).flat();
    const claimed = legs.flatMap(({ claim, giverId }) =>
      claim ? [[giverId === id, claim.status, claim.answer === null]] : [],
    );
    expect(claimed.sort()).toEqual([
      [false, 'upheld', false],
      [true, 'open', true],
    ]);
    expect(legs.filter(({ mayClaim }) => mayClaim)).not.toEqual([]);
  });

  it('takes part in the market day tonight, which would trade nine coupons, and could with another wish', async () => {
    expect(await calls.marketDays.now()).toMatchObject({ coupons: 9, own: 1 });
    const [wants, consents] = [await calls.wants.list(), await calls.marketDays.consents()];
    const agreed = consents.wants.map(({ wantId }) => wants.find((want) => want.id === wantId)?.merchant);
    expect(agreed).toEqual(['Gravity Bowl']);
    expect(consents.coupons.map(({ coupon }) => coupon.title)).toEqual(['Battery and a clean for a laptop']);
    expect(wants.filter(({ gives, merchant }) => gives === 'any' && !agreed.includes(merchant))).not.toEqual(
      [],
    );
  });

  it('was in a ring on the last market day, whose proof is right', async () => {
    const next = await calls.marketDays.now();
    const { previous } = await calls.marketDays.byDay({ day: next?.day ?? '' });
    const last = await calls.marketDays.byDay({ day: previous ?? '' });
    expect(last).toMatchObject({ state: 'done', people: 5, traded: 5, rings: [3, 2], dropped: 0 });
    const exchange = await calls.exchanges.byId({ id: last.own?.exchangeIds[0] ?? 0 });
    expect(exchange).toMatchObject({ status: 'completed', marketDay: previous });
    const { text } = await calls.marketDays.certificate({ day: previous ?? '' });
    expect(checkRecord(JSON.parse(text))).toEqual([]);
  });

  it('has a bundle and a counter-offer to answer', async () => {
    const { items } = await calls.exchanges.list({ tab: 'received', limit: 100 });
    const bundles = items.filter(({ status, legs }) => status === 'pending' && legs.length > 2);
    expect(bundles.map(({ round, legs }) => [round, legs.length]).sort()).toEqual([
      [1, 3],
      [2, 4],
    ]);
    const counter = bundles.find(({ round }) => round === 2);
    const rounds = await calls.exchanges.rounds({ id: counter?.id ?? 0 });
    expect(rounds.map(({ requesterId }) => requesterId === id)).toEqual([true, false]);
    await calls.exchanges.setStatus({ id: counter?.id ?? 0, status: 'accepted' });
    const swapped = await calls.exchanges.setStatus({ id: counter?.id ?? 0, status: 'completed' });
    expect(swapped.status).toBe('completed');
  });

  it('can complete an exchange, has a history, unread notifications, and coupons to offer', async () => {
    const { items } = await calls.exchanges.list({ limit: 100 });
    const statuses = new Set(items.map(({ status }) => status));
    expect(statuses).toEqual(new Set(DEAL_STATUSES));
    const ready = items.filter(({ status, deadlineAt }) => status === 'accepted' && deadlineAt !== null);
    expect(new Set(ready.map(({ requestedCouponOwnerId }) => requestedCouponOwnerId === id))).toEqual(
      new Set([true, false]),
    );

    const news = await calls.notifications.list({ limit: 100 });
    expect(new Set(news.items.map(({ isRead }) => isRead))).toEqual(new Set([true, false]));
    expect((await calls.coupons.mine({})).total).toBeGreaterThanOrEqual(15);
  });

  it('has unread messages about swaps and sales, and read conversations', async () => {
    const own = database.db.selectFrom('messages').where('receiverId', '=', id);
    const rows = await own.select(['isRead', 'exchangeId', 'bidId']).execute();
    expect(rows.filter(({ isRead }) => !isRead).length).toBeGreaterThanOrEqual(3);
    expect(rows.some(({ isRead }) => isRead)).toBe(true);
    expect(rows.some(({ bidId }) => bidId !== null)).toBe(true);
    expect(rows.some(({ exchangeId }) => exchangeId !== null)).toBe(true);
  });

  it('has received bids, several on one coupon, one of them the highest', async () => {
    const { items } = await calls.bids.list({ role: 'owner', onlyOpen: true, limit: 100 });
    const waiting = items.filter(({ status }) => status === 'pending');
    const coupons = new Set(waiting.map(({ couponId }) => couponId));
    expect(waiting.length).toBeGreaterThanOrEqual(coupons.size + 4);
    for (const couponId of coupons) {
      const highest = waiting.filter((bid) => bid.couponId === couponId && bid.isHighest);
      expect(highest).toHaveLength(1);
    }
  });

  it('can pay for a bid now, waits for one seller, and has a purchase under protection', async () => {
    const { items } = await calls.bids.list({ role: 'bidder', limit: 100 });
    const won = items.filter(({ status }) => status === 'accepted');
    expect(won.map(({ isSellerReady }) => isSellerReady).sort()).toEqual([false, true]);
    const payable = won.find(({ isSellerReady }) => isSellerReady);
    expect((await calls.payments.checkout({ bidId: payable?.id ?? 0 })).providers).toEqual(['stripe']);
    expect(await calls.payments.paymentMethods()).toMatchObject([{ lastFour: '4242', isDefault: true }]);
    expect(items.filter(({ protection }) => protection?.status === 'held')).toHaveLength(1);
    expect((await calls.sellers.readiness()).isReady).toBe(true);
  });
});
