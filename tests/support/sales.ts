import type { Actor } from '#server/context/context.ts';
import { createCoupon, type TestContext } from './builders.ts';

/** A sale that a test has inserted directly, without a provider. */
export interface TestSale {
  readonly bidId: number;
  readonly paymentId: number;
  /** Null without a claim. */
  readonly claimId: number | null;
}

let counter = 0;

/** Inserts an accepted bid of 20 CAD on a new coupon of the seller. @returns its id */
export async function insertAcceptedBid(ctx: TestContext, buyer: Actor, seller: Actor): Promise<number> {
  const coupon = await createCoupon(ctx, seller);
  const at = ctx.clock();
  const { id } = await ctx.db
    .insertInto('bids')
    .values({
      couponId: coupon.id,
      bidderId: buyer.id,
      ownerId: seller.id,
      amount: '20.00',
      status: 'accepted',
      createdAt: at,
      updatedAt: at,
      acceptedAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.db
    .insertInto('couponReservations')
    .values({ couponId: coupon.id, bidId: id, createdAt: at })
    .execute();
  return id;
}

/** Inserts a sale with held money; the coupon is the buyer's. Adds an open claim if asked for, with the seller's answer. */
export async function insertHeldSale(
  ctx: TestContext,
  buyer: Actor,
  seller: Actor,
  { withClaim = false, answer }: { withClaim?: boolean; answer?: string | undefined } = {},
): Promise<TestSale> {
  counter += 1;
  const at = ctx.clock();
  const bidId = await insertAcceptedBid(ctx, buyer, seller);
  const { couponId } = await ctx.db
    .updateTable('bids')
    .set({ status: 'completed', completedAt: at })
    .where('id', '=', bidId)
    .returning('couponId')
    .executeTakeFirstOrThrow();
  await ctx.db.updateTable('coupons').set({ ownerId: buyer.id }).where('id', '=', couponId).execute();
  await ctx.db
    .insertInto('couponTransfers')
    .values({ couponId, fromUserId: seller.id, toUserId: buyer.id, bidId, createdAt: at })
    .execute();
  const { id: paymentId } = await ctx.db
    .insertInto('paymentTransactions')
    .values({
      bidId,
      senderId: buyer.id,
      receiverId: seller.id,
      provider: 'stripe',
      receiverAccount: 'acct_test',
      amount: '20.00',
      buyerFee: '1.00',
      sellerFee: '1.00',
      platformFee: '2.00',
      netAmount: '19.00',
      status: 'held',
      stripePaymentIntentId: `pi_test_${counter}`,
      stripeChargeId: `ch_test_${counter}`,
      paidAt: at,
      holdUntil: new Date(at.getTime() + 72 * 3_600_000),
      createdAt: at,
      updatedAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (!withClaim) return { bidId, paymentId, claimId: null };
  const { id: claimId } = await ctx.db
    .insertInto('claims')
    .values({
      bidId,
      reason: 'The till did not take it.',
      createdAt: at,
      ...(answer !== undefined && { answer, answeredAt: at }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { bidId, paymentId, claimId };
}

/** Inserts a saved card. @returns its id */
export async function insertCard(ctx: TestContext, { id: userId }: Actor): Promise<number> {
  counter += 1;
  const at = ctx.clock();
  const row = await ctx.db
    .insertInto('paymentMethods')
    .values({
      userId,
      tokenizedDetails: `pm_test_${counter}`,
      brand: 'visa',
      lastFour: '4242',
      expiryMonth: 12,
      expiryYear: 2040,
      createdAt: at,
      updatedAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}
