import { utcDay } from '#server/core/clock.ts';
import { inTransaction, isUniqueViolation, type Trx } from '#server/database/client.ts';
import type { Context } from '../context.ts';
import { cancelPendingDeals } from '../deals/endings.ts';
import { isBannedOrGone, type LockedCoupon, lockCoupons } from '../deals/service.ts';
import { discardImagesOf } from '../images/service.ts';
import * as store from './owner-effects-store.ts';

/** What a ban and the end of an account do to coupons. */

const AT_ONCE = 200;

/**
 * Takes all that a banned person has on the lists off them, and cancels the pending deals on it; what is listed from
 * now on the database hides itself. In portions, each whole in itself: called again, it goes on where it was
 * interrupted. Nothing happens to somebody who is not banned (any more).
 * @returns how many were hidden
 */
export async function hideCouponsOf(
  ctx: Context,
  { ownerId, actorId }: { ownerId: number; actorId: number | null },
): Promise<number> {
  for (let count = 0; ; ) {
    const ids = await store.listListed(ctx.db, ownerId, AT_ONCE);
    if (ids.length === 0) return count;
    const hidden = await inTransaction(ctx.db, async (trx) => {
      const locked = await lockCoupons(trx, ids);
      if (!(await isBannedOrGone(trx, ownerId))) return null;
      const couponIds = locked.filter((coupon) => coupon.ownerId === ownerId).map(({ id }) => id);
      if (couponIds.length === 0) return 0;
      await store.hide(trx, couponIds);
      await cancelPendingDeals(trx, { couponIds, reason: 'party_banned', at: ctx.clock(), actorId });
      return couponIds.length;
    });
    if (hidden === null) return count;
    count += hidden;
  }
}

/**
 * Lists again what a ban has hidden, now that it is over. What has expired, is part of a deal, or has a code that
 * somebody else lists meanwhile stays its owner's and off the lists: an edit lists it again where that is possible.
 * Called again, it goes on where it was interrupted.
 * @returns how many are listed again
 */
export async function relistCouponsOf(ctx: Context, ownerId: number): Promise<number> {
  for (let count = 0; ; ) {
    const ids = await store.listHidden(ctx.db, ownerId, AT_ONCE);
    if (ids.length === 0) return count;
    for (const id of ids) {
      const isListed = await show(ctx, { id, ownerId });
      if (isListed === null) return count;
      if (isListed) count += 1;
    }
  }
}

/** Whether it is listed again; null when its owner is banned (again). */
async function show(ctx: Context, given: { id: number; ownerId: number }): Promise<boolean | null> {
  const showAs = (wish: 'listed' | 'unlisted') =>
    inTransaction(ctx.db, async (trx) => {
      const [coupon] = await lockCoupons(trx, [given.id]);
      if (await isBannedOrGone(trx, given.ownerId)) return null;
      const isActive = wish === 'listed' && coupon !== undefined && canBeListed(coupon, ctx.clock());
      await store.show(trx, { ...given, isActive });
      return isActive;
    });
  try {
    return await showAs('listed');
  } catch (error) {
    if (!isUniqueViolation(error, 'coupons_code_key')) throw error;
    return showAs('unlisted');
  }
}

function canBeListed({ deletedAt, expiryDate, heldBy }: LockedCoupon, at: Date): boolean {
  const hasExpired = expiryDate !== null && expiryDate < utcDay(at);
  return deletedAt === null && heldBy === null && !hasExpired;
}

/** The coupons that somebody has, listed or not. */
export async function ownedCouponIds(trx: Trx, ownerId: number): Promise<number[]> {
  return store.listOwned(trx, ownerId);
}

/**
 * Takes the coupons of somebody who leaves away, with their codes and pictures, and forgets what they have saved. The
 * caller holds the coupons' locks, and has cancelled the deals on them.
 */
export async function removeCouponsOf(
  trx: Trx,
  { ownerId, couponIds, at }: { ownerId: number; couponIds: readonly number[]; at: Date },
): Promise<void> {
  await discardImagesOf(trx, { couponIds, uploaderId: ownerId, at });
  await store.deleteAll(trx, couponIds, at);
  await store.deleteSavedOf(trx, ownerId);
}
