import { plural, t } from '@lingui/core/macro';
import { listed, utcDayAndTime } from '#contract/base/locale.ts';
import { baseCurrency, decimalToCents, formatMoney } from '#contract/base/money.ts';
import type { Context } from '#server/context/context.ts';
import { AppError } from '#server/core/errors.ts';
import { queueReissues } from '#server/coupons/codes/service.ts';
import { lockCoupons, releaseReservation, transferCoupons } from '#server/coupons/core/service.ts';
import type { Trx } from '#server/database/client.ts';
import { completePriceBids } from '#server/deals/bids/service.ts';
import {
  cancelAcceptedExchange,
  cancelPendingDeals,
  checkStillTradable,
  countCompleted,
} from '#server/deals/lifecycle/service.ts';
import * as store from './store.ts';
import { couponIdsOf, tellOfTransition } from './transitions.ts';

type OwnedCoupon = Parameters<typeof checkStillTradable>[0] & { readonly id: number };

/** Moves all coupons to their receivers and ends all other deals on them. */
export async function completeLegs(
  trx: Trx,
  exchange: store.ExchangeRow,
  coupons: readonly OwnedCoupon[],
  { actorId, at }: { actorId: number | null; at: Date },
): Promise<void> {
  checkTradable(exchange, coupons, at);
  const deal = { exchangeId: exchange.id };
  const moves = exchange.legs.map(({ coupon, giverId, receiverId }) => ({
    couponId: coupon.id,
    fromUserId: giverId,
    toUserId: receiverId,
  }));
  await transferCoupons(trx, { deal, moves, at });
  await releaseReservation(trx, deal);
  const couponIds = couponIdsOf(exchange);
  await cancelPendingDeals(trx, { couponIds, reason: 'rival_completed', at, actorId });
  await countCompleted(
    trx,
    'exchange',
    exchange.parties.map(({ id }) => id),
  );
}

/** @throws AppError coupon_unavailable */
export function checkTradable(exchange: store.ExchangeRow, coupons: readonly OwnedCoupon[], at: Date): void {
  for (const coupon of coupons) {
    const leg = exchange.legs.find((one) => one.coupon.id === coupon.id);
    if (leg) checkStillTradable(coupon, leg.giverId, at);
  }
}

/** An exchange with prices is completed by its last payment. @throws AppError conflict: who has to pay, and until when */
export function refuseUnpaid({ legs, deadlineAt }: store.ExchangeRow): void {
  const unpaid = legs.flatMap(({ price, receiverUsername }) =>
    price && price.paidAt === null ? [`${receiverUsername} (${moneyOf(price.amount)})`] : [],
  );
  if (unpaid.length > 0) {
    throw new AppError('conflict', unpaidText(unpaid, deadlineAt));
  }
  if (legs.some(({ price }) => price !== null)) {
    throw new AppError(
      'conflict',
      t`A bank disputes a payment. The coupons change hands when it has confirmed it.`,
    );
  }
}

const moneyOf = (amount: string) => formatMoney(decimalToCents(amount), baseCurrency());

/**
 * Completes an accepted exchange all of whose prices are paid, and notifies everybody. If one of its coupons has expired
 * meanwhile, it ends instead. The caller must hold the locks of its coupons and of the exchange.
 * @returns whether it was completed; not while somebody has to pay, or if a coupon can no longer change hands
 */
export async function completePaidExchange(
  trx: Trx,
  ctx: Pick<Context, 'config' | 'vault' | 'clock' | 'providers'>,
  id: number,
  at: Date,
): Promise<boolean> {
  const exchange = await store.findLocked(trx, id);
  const isPaid = exchange?.legs.every(({ price }) => price === null || price.paidAt !== null);
  if (!exchange || !isPaid || exchange.status !== 'accepted') return false;
  const coupons = await lockCoupons(trx, couponIdsOf(exchange));
  const expired = coupons.filter(({ expiresAt }) => expiresAt !== null && expiresAt < at);
  if (expired.length > 0) {
    const causeIds = expired.map((coupon) => coupon.id);
    await cancelAcceptedExchange(trx, { id, reason: 'coupon_expired', causeIds, at });
    return false;
  }
  // A ban has just hidden one, and will end the exchange.
  if (coupons.some(({ isActive }) => !isActive)) return false;
  await completePriceBids(trx, id, at);
  await store.moveExchange(trx, id, { from: 'accepted', to: 'completed', reason: null, endedById: null, at });
  await completeLegs(trx, exchange, coupons, { actorId: null, at });
  // The money of all is there, so nothing may hold this up: the new codes follow.
  const moves = exchange.legs.map(({ coupon, receiverId }) => ({
    couponId: coupon.id,
    toUserId: receiverId,
  }));
  await queueReissues(trx, ctx, { deal: { exchangeId: id }, moves, at });
  await tellOfTransition(trx, ctx, { exchange, transition: 'settle', actorId: null, at });
  return true;
}

/** @param unpaid who has to pay what: 'Theo ($5.00 CAD)' */
function unpaidText(unpaid: readonly string[], deadlineAt: Date | null): string {
  const people = listed(unpaid);
  if (deadlineAt === null)
    return plural(unpaid.length, {
      one: `${people} still has to pay. Then the coupons change hands.`,
      other: `${people} still have to pay. Then the coupons change hands.`,
    });
  const [day, time] = utcDayAndTime(deadlineAt.toISOString());
  return plural(unpaid.length, {
    one: `${people} still has to pay by ${day} at ${time} UTC. Then the coupons change hands.`,
    other: `${people} still have to pay by ${day} at ${time} UTC. Then the coupons change hands.`,
  });
}
