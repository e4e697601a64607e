import type { DealType } from '#contract/deals/deals.ts';
import type { Rating } from '#contract/deals/ratings.ts';
import type { Actor } from '#server/context/context.ts';
import { returnCoupon } from '#server/deals/bids/returning.ts';
import { createRating } from '#server/deals/ratings/service.ts';
import { bidOn, moveBid, paySale, withBidLocked } from './bids.ts';
import { actingAs, createCoupon, type TestContext } from './builders.ts';
import { move, propose } from './exchanges.ts';

/** A deal that can be rated. */
export interface CompletedDeal {
  readonly dealType: DealType;
  readonly dealId: number;
}

/** Completes an exchange of two new coupons through the services. @param values of the coupons, in cents */
export async function completeExchange(
  ctx: TestContext,
  requester: Actor,
  owner: Actor,
  values: { offered?: number; requested?: number } = {},
): Promise<CompletedDeal> {
  const offered = await createCoupon(ctx, requester, { value: values.offered ?? 1_000 });
  const requested = await createCoupon(ctx, owner, { value: values.requested ?? 1_000 });
  const { id } = await propose(ctx, requester, { offered, requested });
  await move(ctx, owner, id, 'accepted');
  await move(ctx, requester, id, 'completed');
  return { dealType: 'exchange', dealId: id };
}

/** Completes a sale of a new coupon through the bids service, with a payment inserted directly. */
export async function completeSaleOf(
  ctx: TestContext,
  buyer: Actor,
  seller: Actor,
  given: { amount?: string; coupon?: Parameters<typeof createCoupon>[2] } = {},
): Promise<CompletedDeal> {
  const coupon = await createCoupon(ctx, seller, given.coupon);
  const { id } = await bidOn(ctx, buyer, coupon, given.amount);
  await moveBid(ctx, seller, id, 'accepted');
  await paySale(ctx, id);
  return { dealType: 'bid', dealId: id };
}

/** Refunds a sale: the money and the coupon go back. */
export async function undoSale(ctx: TestContext, { dealId }: CompletedDeal): Promise<void> {
  await withBidLocked(ctx, dealId, async (trx, bid) => {
    await returnCoupon(trx, ctx, bid, ctx.clock());
    const payment = trx.updateTable('paymentTransactions').where('bidId', '=', dealId);
    await payment.set({ status: 'refunding' }).execute();
    await payment.set({ status: 'refunded', endedAt: ctx.clock() }).execute();
  });
}

/** Rates the other side of a deal. */
export function rate(
  ctx: TestContext,
  actor: Actor,
  deal: CompletedDeal,
  rating: number,
  comment: string | null = null,
): Promise<Rating> {
  return createRating(actingAs(ctx, actor), { ...deal, rating, comment });
}

/** The stored count and sum of a person's ratings. */
export function totalsOf(ctx: TestContext, { id }: Actor) {
  return ctx.db
    .selectFrom('users')
    .select(['ratingCount', 'totalRating'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}
