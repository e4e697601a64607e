import { centsToDecimal } from '#contract/base/money.ts';
import type { Coupon, UpdateCouponInput } from '#contract/coupons/coupons.ts';
import { feesOf } from '#contract/money/fees.ts';
import type { Actor } from '#server/context/context.ts';
import { AppError } from '#server/core/errors.ts';
import { lockCoupons } from '#server/coupons/core/reservations.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import {
  bidById,
  completeSale,
  counterBid,
  findPayableBid,
  lockPayableBid,
  type PayableBid,
  type PlainBid,
  placeBid,
  setBidStatus,
} from '#server/deals/bids/service.ts';
import { updateCoupon } from '#server/deals/coupon-changes/service.ts';
import { actingAs, createCoupon, createUser, type TestContext, type TestCoupon } from './builders.ts';

/** Bids on a coupon through the service. @param amount a decimal text in the base currency */
export function bidOn(
  ctx: TestContext,
  bidder: Actor,
  coupon: Pick<TestCoupon, 'id'>,
  amount = '12.50',
): Promise<PlainBid> {
  return placeBid(actingAs(ctx, bidder), { couponId: coupon.id, amount, message: null });
}

/** Changes a bid's status through the service. */
export function moveBid(
  ctx: TestContext,
  actor: Actor,
  id: number,
  status: 'accepted' | 'rejected' | 'cancelled',
): Promise<PlainBid> {
  return setBidStatus(actingAs(ctx, actor), { id, status });
}

/** Creates a bid between two new people. @param columns of the coupon */
export async function createBid(
  ctx: TestContext,
  status: 'pending' | 'accepted' = 'pending',
  columns: Parameters<typeof createCoupon>[2] = {},
) {
  const [bidder, owner] = [await createUser(ctx), await createUser(ctx)];
  const coupon = await createCoupon(ctx, owner, columns);
  const { id } = await bidOn(ctx, bidder, coupon);
  if (status === 'accepted') await moveBid(ctx, owner, id, 'accepted');
  return { bidder, owner, coupon, id };
}

/** Answers a bid with another amount, having seen the one of now. */
export async function counter(ctx: TestContext, actor: Actor, id: number, amount: string): Promise<PlainBid> {
  const me = actingAs(ctx, actor);
  const now = await bidById(me, id);
  return counterBid(me, { id, amount, expectedAmount: now.counterAmount ?? now.amount });
}

/** Edits the prices of a coupon, as its owner. */
export function setPrices(
  ctx: TestContext,
  owner: Actor,
  { id }: Pick<TestCoupon, 'id'>,
  prices: Pick<UpdateCouponInput, 'askingPrice' | 'priceFloor'>,
): Promise<Coupon> {
  return updateCoupon(actingAs(ctx, owner), { id, codeValue: null, code: null, ...prices });
}

/** A person whom Stripe can pay, without the set-up at Stripe. */
export async function createReadySeller(ctx: TestContext): Promise<Actor> {
  const seller = await createUser(ctx);
  await makeReady(ctx, seller);
  return seller;
}

/** Gives a person an account at Stripe without the set-up there. */
export async function makeReady(ctx: TestContext, { id }: Pick<Actor, 'id'>): Promise<void> {
  const at = ctx.clock();
  const account = { userId: id, provider: 'stripe', accountRef: `acct_${id}`, isReady: true };
  await ctx.db
    .insertInto('sellerAccounts')
    .values({ ...account, createdAt: at, updatedAt: at })
    .execute();
}

/** Runs `work` like a payment: with the bid's coupon and the bid locked. */
export async function withBidLocked<Result>(
  ctx: TestContext,
  id: number,
  work: (trx: Trx, bid: PayableBid) => Promise<Result>,
): Promise<Result> {
  return inTransaction(ctx.db, async (trx) => {
    const seen = await findPayableBid(trx, id);
    if (!seen) throw new Error(`There is no bid ${id}`);
    await lockCoupons(trx, [seen.couponId]);
    return work(trx, await lockPayableBid(trx, id));
  });
}

/**
 * Creates a held payment directly in the database and completes the sale through the bids service. Refuses bids that
 * are not accepted.
 * @param guaranteeDays for how long a claim is heard after the hold
 * @returns the id of the payment
 */
export async function paySale(ctx: TestContext, id: number, guaranteeDays = 0): Promise<number> {
  return withBidLocked(ctx, id, async (trx, bid) => {
    if (bid.status !== 'accepted') throw new AppError('deal_changed', `The bid is ${bid.status}`);
    const [at, fees] = [ctx.clock(), feesOf(bid.amount, bid.feeRates)];
    const payment = await trx
      .insertInto('paymentTransactions')
      .values({
        bidId: id,
        senderId: bid.bidderId,
        receiverId: bid.ownerId,
        provider: 'stripe',
        receiverAccount: 'acct_test',
        amount: centsToDecimal(fees.amount),
        buyerFee: centsToDecimal(fees.buyerFee),
        sellerFee: centsToDecimal(fees.sellerFee),
        platformFee: centsToDecimal(fees.platformFee),
        netAmount: centsToDecimal(fees.netAmount),
        status: 'held',
        stripePaymentIntentId: `pi_${id}`,
        stripeChargeId: `ch_${id}`,
        holdUntil: at,
        guaranteeDays,
        createdAt: at,
        updatedAt: at,
        paidAt: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await completeSale(trx, ctx, bid, at);
    return payment.id;
  });
}
