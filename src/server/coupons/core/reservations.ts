import { t } from '@lingui/core/macro';
import { TEXTS } from '#contract/base/texts.ts';
import type { Transferable } from '#contract/coupons/choices.ts';
import { AppError } from '#server/core/errors.ts';
import { refuseDuplicate, type Trx } from '#server/database/client.ts';
import * as store from './reservations-store.ts';

/** Locks coupons, reserves them for deals, and gives them to their new owners. */

export type { DealKey } from './reservations-store.ts';

export interface LockedCoupon {
  readonly id: number;
  readonly ownerId: number;
  readonly title: string;
  readonly isActive: boolean;
  readonly deletedAt: Date | null;
  readonly category: string;
  readonly transferable: Transferable;
  /** When its last day ends; null when it never expires. */
  readonly expiresAt: Date | null;
  readonly isOpenToOffers: boolean;
  /** A decimal text in the base currency; null: none is stated. */
  readonly askingPrice: string | null;
  /** For the answers to bids alone: nobody but the owner may see it. */
  readonly priceFloor: string | null;
  /** Whether its owner cannot sell until a moderator has looked. */
  readonly isSaleStopped: boolean;
  /** The accepted deal that holds it, or the protection of what was bought; null when it is free. */
  readonly heldBy: 'exchange' | 'bid' | 'protection' | null;
}

/**
 * Locks coupons in id order until the transaction ends and reads them. Whoever changes a coupon or a deal on it takes
 * these locks first, then exchanges, bids, payments and people, each in id order. This order prevents deadlocks.
 * @returns the coupons that exist, deleted ones included, in id order
 */
export async function lockCoupons(trx: Trx, ids: readonly number[]): Promise<LockedCoupon[]> {
  const coupons = await store.lockCoupons(trx, ids);
  // A separate statement, so that it sees what the previous holder of the lock committed.
  const reservations = await store.listReservations(trx, ids);
  return coupons.map((coupon) => ({
    ...coupon,
    heldBy: holderOf(reservations.find(({ couponId }) => couponId === coupon.id)),
  }));
}

/** What holds a coupon: its accepted deal or, once that has moved it, the protection of whoever got it. */
export function holderOf(
  reservation: { readonly bidId: number | null; readonly hasMoved: boolean } | undefined,
): LockedCoupon['heldBy'] {
  if (!reservation) return null;
  if (reservation.hasMoved) return 'protection';
  return reservation.bidId === null ? 'exchange' : 'bid';
}

/**
 * Reserves coupons for an accepted deal. The table's primary key decides races (decisions 3.1).
 * @throws AppError coupon_reserved when another deal holds one of them
 */
export async function reserveCoupons(
  trx: Trx,
  { deal, couponIds, at }: { deal: store.DealKey; couponIds: readonly number[]; at: Date },
): Promise<void> {
  await refuseDuplicate(
    store.insertReservations(trx, deal, couponIds, at),
    'coupon_reservations_pkey',
    (cause) => new AppError('coupon_reserved', TEXTS.exchanges.reserved(), { cause }),
  );
}

/** @param couponId the only coupon to free; by default all that the deal holds */
export async function releaseReservation(
  trx: Trx,
  deal: store.DealKey,
  couponId: number | null = null,
): Promise<void> {
  await store.deleteReservations(trx, deal, couponId);
}

/**
 * Changes the owners of coupons, records the transfers, and records that each new owner may see the code (decisions
 * 3.3).
 * @param given.isReturn whether this undoes a sale
 * @throws AppError deal_changed when a coupon is no longer its giver's
 */
export async function transferCoupons(
  trx: Trx,
  given: { deal: store.DealKey; moves: readonly store.CouponMove[]; at: Date; isReturn?: boolean },
): Promise<void> {
  const refusal = transferRefusal(given.moves, await store.moveCoupons(trx, { isReturn: false, ...given }));
  if (refusal) throw refusal;
}

/** The refusal unless each coupon was still its giver's, and so was moved. */
export function transferRefusal(
  moves: readonly Pick<store.CouponMove, 'couponId'>[],
  movedIds: readonly number[],
): AppError | null {
  if (moves.every(({ couponId }) => movedIds.includes(couponId))) return null;
  return new AppError('deal_changed', t`One of the coupons has changed hands in the meantime.`);
}

/** Hides a coupon from the lists; its owner keeps it. */
export async function delistCoupon(trx: Trx, couponId: number, at: Date): Promise<void> {
  await store.delistCoupon(trx, couponId, at);
}
