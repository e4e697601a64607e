import type { Context } from '#server/context/context.ts';
import { queueReissues } from '#server/coupons/codes/service.ts';
import type { DealKey } from '#server/coupons/core/reservations.ts';
import {
  delistCoupon,
  releaseReservation,
  reserveCoupons,
  transferCoupons,
} from '#server/coupons/core/service.ts';
import { removeCouponsOf } from '#server/coupons/publishing/service.ts';
import type { Trx } from '#server/database/client.ts';
import { acceptedDeal, countCompleted, endClaim, endDeals } from '#server/deals/lifecycle/service.ts';
import { OUR_NOTES } from '#server/texts/claim-notes.ts';
import type { PayableBid } from './payable-store.ts';
import { type ReturnObstacle, returnObstacle } from './rules.ts';
import { deleteSoldPrice } from './sold-prices-store.ts';
import { findHolding } from './store.ts';

/** What was bought: by a sale, or by the price of a leg. */
export type Purchase = Pick<PayableBid, 'id' | 'couponId' | 'exchangeId' | 'bidderId' | 'ownerId'>;

const dealOf = ({ id, exchangeId }: Purchase): DealKey =>
  exchangeId === null ? { bidId: id } : { exchangeId };

/**
 * Money goes back only with the coupon (decisions 3.21), so a claim and a refund ask here, each in its own transaction,
 * whether the buyer still has it, unused and free; if so, it is reserved until the purchase is undone or stands again.
 * May be repeated. Lock the coupon first.
 * @returns what keeps the coupon from going back; null if nothing does
 */
export async function holdForReturn(trx: Trx, purchase: Purchase, at: Date): Promise<ReturnObstacle | null> {
  const holding = await findHolding(trx, purchase);
  const obstacle = returnObstacle(holding);
  if (obstacle === null && !holding.isHeld) {
    await reserveCoupons(trx, { deal: dealOf(purchase), couponIds: [purchase.couponId], at });
  }
  return obstacle;
}

/** Frees the coupon of a purchase that stands: nobody asks for its money back any more. Lock the coupon first. */
export async function releaseReturn(trx: Trx, purchase: Purchase): Promise<void> {
  await releaseReservation(trx, dealOf(purchase), purchase.couponId);
}

/** How an open claim about a sale ends when the buyer is refunded without a decision. */
const OVERTAKEN = { status: 'refunded', note: OUR_NOTES.overtaken, decidedBy: null } as const;

/**
 * The buyer has all of the money back: an open claim about the sale is over, and the coupon returns to the seller, unlisted
 * and free; where the seller has left, it is deleted. Other deals on it end. It stays only where the buyer had passed it on before a bank, or somebody at the
 * provider, gave the money back. The payment notifies both. Lock coupon and bid first; the bid stays completed.
 */
export async function returnCoupon(
  trx: Trx,
  ctx: Pick<Context, 'vault' | 'clock' | 'providers'>,
  purchase: Purchase,
  at: Date,
): Promise<void> {
  const { id, couponId, exchangeId, bidderId, ownerId } = purchase;
  // Moderators still decide a claim about what was bought in an exchange.
  if (exchangeId === null) await endClaim(trx, { ...OVERTAKEN, claim: { bidId: id }, at });
  const { isBuyers, otherDeal, hasSellerLeft } = await findHolding(trx, purchase);
  if (!isBuyers) return;
  const deals = otherDeal === null ? [] : [acceptedDeal(otherDeal)];
  await endDeals(trx, { reason: 'rival_completed', deals, couponIds: [couponId], actorId: null, at });
  const deal = { bidId: id };
  const moves = [{ couponId, fromUserId: bidderId, toUserId: ownerId }];
  await transferCoupons(trx, { deal, moves, at, isReturn: true });
  await delistCoupon(trx, couponId, at);
  await releaseReturn(trx, purchase);
  if (hasSellerLeft) await removeCouponsOf(trx, { ownerId, couponIds: [couponId], at });
  // What the buyer has seen is worth nothing then.
  else await queueReissues(trx, ctx, { deal, moves, at });
  if (exchangeId !== null) return;
  await deleteSoldPrice(trx, id);
  await countCompleted(trx, 'bid', [bidderId, ownerId], -1);
}
