import { releaseReservation, reserveCoupons } from '#server/coupons/core/service.ts';
import type { Trx } from '#server/database/client.ts';
import { type ApplyContext, applyChanges } from './apply.ts';
import { decideHold, decideReturn, holderOf, type Purchase } from './decide-sale.ts';
import type { ReturnObstacle } from './rules.ts';
import { findHolding } from './store.ts';

/**
 * Money goes back only with the coupon (decisions 3.21), so a claim and a refund ask here, each in its own transaction,
 * whether the buyer still has it, unused and free; if so, it is reserved until the purchase is undone or stands again.
 * May be repeated. Lock the coupon first.
 * @returns what keeps the coupon from going back; null if nothing does
 */
export async function holdForReturn(trx: Trx, purchase: Purchase, at: Date): Promise<ReturnObstacle | null> {
  const { obstacle, isToReserve } = decideHold(await findHolding(trx, purchase));
  if (isToReserve)
    await reserveCoupons(trx, { deal: holderOf(purchase), couponIds: [purchase.couponId], at });
  return obstacle;
}

/** Frees the coupon of a purchase that stands: nobody asks for its money back any more. Lock the coupon first. */
export async function releaseReturn(trx: Trx, purchase: Purchase): Promise<void> {
  await releaseReservation(trx, holderOf(purchase), purchase.couponId);
}

/**
 * The buyer has all of the money back: an open claim about the sale is over, and the coupon returns to the seller, unlisted
 * and free; where the seller has left, it is deleted. Other deals on it end. It stays only where the buyer had passed it on
 * before a bank, or somebody at the provider, gave the money back. The payment notifies both. Lock coupon and bid first; the
 * bid stays completed.
 */
export async function returnCoupon(trx: Trx, ctx: ApplyContext, purchase: Purchase, at: Date): Promise<void> {
  const changes = decideReturn(purchase, await findHolding(trx, purchase));
  await applyChanges(trx, ctx, { bid: purchase, actorId: null, at }, changes);
}
