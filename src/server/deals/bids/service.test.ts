import { afterAll, describe, expect, it } from 'vitest';
import type { BidRole } from '#contract/deals/bids.ts';
import { DEFAULT_FEE_RATES } from '#contract/money/fees.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import type { RateLimiter } from '#server/core/rate-limit.ts';
import { bidsWithProtection } from '#server/money/claims/protection.ts';
import { bidOn, createBid, moveBid, paySale } from '#tests/support/bids.ts';
import {
  actingAs,
  createCoupon,
  createTestContext,
  createUser,
  setUpContext,
  type TestCoupon,
} from '#tests/support/builders.ts';
import { historyOf, noticesOf } from '#tests/support/exchanges.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { bidById, listBids, placeBid } from './service.ts';

const ctx = setUpContext();
const open = (given: { limiter?: RateLimiter } = {}) => createTestContext(ctx, given);
afterAll(async () => expect(await checkInvariants(ctx.db)).toEqual([]));

describe('placing a bid', () => {
  it('stores the amount to the cent, notifies the owner and writes both histories [spec/1 3.8 3.9 5.19]', async () => {
    const ctx = open();
    const [bidder, owner] = [await createUser(ctx), await createUser(ctx)];
    const coupon = await createCoupon(ctx, owner);
    const bid = await placeBid(actingAs(ctx, bidder), {
      couponId: coupon.id,
      amount: '12.5',
      message: 'Is it still good?',
    });
    expect(bid).toEqual({
      id: expect.any(Number),
      couponId: coupon.id,
      exchangeId: null,
      bidderId: bidder.id,
      bidderUsername: bidder.username,
      ownerId: owner.id,
      ownerUsername: owner.username,
      bidderStanding: { memberSince: '2035-06-15T12:00:00.000Z', dealPartners: 0, failedCodes: 0 },
      ownerStanding: { memberSince: '2035-06-15T12:00:00.000Z', dealPartners: 0, failedCodes: 0 },
      amount: '12.50',
      round: 1,
      counterAmount: null,
      counters: [],
      status: 'pending',
      reason: null,
      isAutomatic: false,
      message: 'Is it still good?',
      coupon: expect.objectContaining({ id: coupon.id, title: coupon.title, ownerId: owner.id }),
      isHighest: null,
      isBelowFloor: null,
      feeRates: DEFAULT_FEE_RATES,
      isSellerReady: false,
      createdAt: '2035-06-15T12:00:00.000Z',
      updatedAt: '2035-06-15T12:00:00.000Z',
      acceptedAt: null,
      beginBy: null,
      completedAt: null,
      deadlineAt: '2035-06-22T12:00:00.000Z',
    });
    const told = `${bidder.username} bid $12.50 CAD on your “${coupon.title}”.`;
    expect(await noticesOf(ctx, owner)).toEqual([
      {
        type: 'other',
        content: told,
        relatedId: bid.id,
        link: `/my-bids?bid=${bid.id}`,
        mailTo: owner.id,
        subject: 'You have a new bid',
        body: told,
      },
    ]);
    expect(await noticesOf(ctx, bidder)).toEqual([]);
    expect(await historyOf(ctx, owner)).toEqual([{ action: 'created', details: told, actorId: bidder.id }]);
    expect(await historyOf(ctx, bidder)).toEqual([
      {
        action: 'created',
        details: `You bid $12.50 CAD on ${owner.username}’s “${coupon.title}”.`,
        actorId: bidder.id,
      },
    ]);
  });

  it('allows a new bid after the previous one has ended [spec/2 7.8]', async () => {
    const ctx = open();
    const { id, bidder, coupon, owner } = await createBid(ctx);
    await moveBid(ctx, owner, id, 'rejected');
    expect(await bidOn(ctx, bidder, coupon, '15')).toMatchObject({ status: 'pending', amount: '15.00' });
  });
});

const list = (
  actor: Actor,
  given: { role?: BidRole; onlyOpen?: boolean; page?: number; limit?: number } = {},
) => listBids(actingAs(ctx, actor), { role: 'all', onlyOpen: false, page: 1, limit: 50, ...given });

/** Ana has two coupons, on which Ben and Eve bid; Ana bids on one of Ben's. */
async function createTrade() {
  const [one, two, three] = [await createUser(ctx), await createUser(ctx), await createUser(ctx)];

  const older = await createCoupon(ctx, one);
  const newer = await createCoupon(ctx, one);
  const bens = await createCoupon(ctx, two);
  const place = async (bidder: Actor, coupon: TestCoupon, amount: string) => {
    ctx.clock.advanceDays(0.01);
    return (await bidOn(ctx, bidder, coupon, amount)).id;
  };
  return {
    one,
    two,
    three,
    benLow: await place(two, older, '9.99'),
    benHigh: await place(two, newer, '100'),
    evesTop: await place(three, older, '10'),
    anas: await place(one, bens, '50'),
    evesTie: await place(three, newer, '100'),
  };
}

const idsOf = async (...given: Parameters<typeof list>) => (await list(...given)).items.map(({ id }) => id);

describe('the lists', () => {
  it('show placed bids newest first, and received bids by coupon and amount [spec/2 3.2]', async () => {
    const { one, two, three, benLow, benHigh, evesTop, anas, evesTie } = await createTrade();
    expect(await idsOf(one)).toEqual([evesTie, anas, evesTop, benHigh, benLow]);
    expect(await idsOf(one, { role: 'bidder' })).toEqual([anas]);
    expect(await idsOf(one, { role: 'owner' })).toEqual([evesTie, benHigh, evesTop, benLow]);
    expect(await idsOf(two, { role: 'bidder' })).toEqual([benHigh, benLow]);
    expect(await idsOf(two, { role: 'owner' })).toEqual([anas]);
    expect(await idsOf(three)).toEqual([evesTie, evesTop]);
    expect(await idsOf(await createUser(ctx))).toEqual([]);
  });

  it('leave out ended bids if only open ones are requested', async () => {
    const { one, two, benLow, benHigh, evesTop, anas, evesTie } = await createTrade();
    await moveBid(ctx, one, evesTop, 'rejected');
    await moveBid(ctx, two, anas, 'accepted');
    expect(await idsOf(one, { onlyOpen: true })).toEqual([evesTie, anas, benHigh, benLow]);
    expect(await idsOf(one, { role: 'owner', onlyOpen: true })).toEqual([evesTie, benHigh, benLow]);
    await moveBid(ctx, one, benHigh, 'accepted');
    expect(await idsOf(two, { role: 'bidder', onlyOpen: true })).toEqual([benHigh, benLow]);
    expect(await list(one, { role: 'owner', onlyOpen: true })).toMatchObject({
      total: 2,
      totalIsCapped: false,
    });
  });

  it('have pages and a total [spec/2 7.7]', async () => {
    const { one, evesTop, benHigh, anas, evesTie, benLow } = await createTrade();
    expect(await idsOf(one, { page: 1, limit: 2 })).toEqual([evesTie, anas]);
    expect(await idsOf(one, { page: 2, limit: 2 })).toEqual([evesTop, benHigh]);
    expect(await idsOf(one, { page: 3, limit: 2 })).toEqual([benLow]);
    expect(await idsOf(one, { role: 'owner', page: 2, limit: 3 })).toEqual([benLow]);
    expect(await list(one, { page: 2, limit: 2 })).toMatchObject({ total: 5, totalIsCapped: false });
    await expect(list(one, { page: 21, limit: 10 })).rejects.toMatchObject({ code: 'bad_input' });
  });
});

describe('what each party sees', () => {
  it('shows only the owner which bid is the highest: of two equal bids, the earlier [spec/2 4.11]', async () => {
    const { one, three, benLow, benHigh, evesTop, evesTie } = await createTrade();
    const flags = async () =>
      Object.fromEntries(
        (await list(one, { role: 'owner' })).items.map(({ id, isHighest }) => [id, isHighest]),
      );
    expect(await flags()).toEqual({ [benLow]: false, [evesTop]: true, [benHigh]: true, [evesTie]: false });
    await moveBid(ctx, three, evesTop, 'cancelled');
    expect(await flags()).toMatchObject({ [benLow]: true, [evesTop]: false });
    for (const bid of (await list(three)).items) expect(bid.isHighest).toBeNull();
  });

  it('shows both parties whether the seller can be paid', async () => {
    const { id, bidder, owner } = await createBid(ctx);
    const account = { userId: owner.id, provider: 'paypal', createdAt: ctx.clock(), updatedAt: ctx.clock() };
    await ctx.db
      .insertInto('sellerAccounts')
      .values({ ...account, accountRef: 'merchant' })
      .execute();
    expect(await bidById(actingAs(ctx, bidder), id)).toMatchObject({ isSellerReady: false });
    await ctx.db
      .updateTable('sellerAccounts')
      .set({ isReady: true, paymentsReceivable: true, primaryEmailConfirmed: true })
      .where('userId', '=', owner.id)
      .execute();
    for (const party of [bidder, owner]) {
      expect(await bidById(actingAs(ctx, party), id)).toMatchObject({ isSellerReady: true });
    }
  });

  it('shows both parties the latest payment with its claim', async () => {
    const { id, bidder, owner } = await createBid(ctx, 'accepted');
    const paymentId = await paySale(ctx, id);
    const createdAt = ctx.clock();
    const reason = 'The till says that it was used.';
    await ctx.db.insertInto('claims').values({ bidId: id, reason, createdAt }).execute();
    for (const party of [bidder, owner]) {
      const [listed] = (await bidsWithProtection(actingAs(ctx, party), list(party))).items;
      expect(listed?.protection).toEqual({
        paymentId,
        status: 'held',
        provider: 'stripe',
        holdUntil: createdAt.toISOString(),
        claim: {
          id: expect.any(Number),
          status: 'open',
          reason,
          createdAt: createdAt.toISOString(),
          answerBy: addDays(createdAt, 3).toISOString(),
          announcedEnd: null,
          finding: null,
          answer: null,
          note: null,
          isLate: false,
          shopAnswer: null,
          claimantPictures: [],
          giverPictures: [],
        },
        isDisputed: false,
        refunded: '0.00',
        takenByBank: '0.00',
        refundFailed: '0.00',
        sellerShare: null,
        keptBack: '0.00',
        cover: null,
        mayClaimLate: false,
        waiting: '0.00',
        waitsFor: null,
      });
    }
  });
});
