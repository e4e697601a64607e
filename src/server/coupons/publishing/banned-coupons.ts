import type { Context } from '#server/context/context.ts';
import { type LockedCoupon, lockCoupons } from '#server/coupons/core/reservations.ts';
import { inTransaction, isUniqueViolation, type Trx } from '#server/database/client.ts';
import { isBannedOrGone } from '#server/people/accounts/service.ts';
import * as store from './banned-coupons-store.ts';

const AT_ONCE = 200;

/**
 * Takes some of a banned person's listed coupons off the lists. Coupons listed later are hidden by the database itself.
 * @returns the hidden ones; null if nothing is left to hide, or the person is not (or no longer) banned
 */
export async function hideListedOf(trx: Trx, ownerId: number): Promise<number[] | null> {
  const ids = await store.listListed(trx, ownerId, AT_ONCE);
  if (ids.length === 0) return null;
  const locked = await lockCoupons(trx, ids);
  if (!(await isBannedOrGone(trx, ownerId))) return null;
  const couponIds = locked.filter((coupon) => coupon.ownerId === ownerId).map(({ id }) => id);
  await store.hide(trx, couponIds);
  return couponIds;
}

/**
 * Lists the coupons that a ban has hidden again, after the ban. A coupon that has expired, is part of a deal, or whose
 * code somebody else has listed meanwhile stays unlisted; its owner can list it again by an edit where that is allowed.
 * After an interruption, call it again to continue.
 * @returns how many are listed again
 */
export async function relistCouponsOf(ctx: Context, ownerId: number): Promise<number> {
  for (let count = 0; ; ) {
    const ids = await store.listHidden(ctx.db, ownerId, AT_ONCE);
    if (ids.length === 0) return count;
    for (const id of ids) {
      const isListed = await relistOne(ctx, { id, ownerId });
      if (isListed === null) return count;
      if (isListed) count += 1;
    }
  }
}

/** @returns whether the coupon is listed again; null if its owner is banned (again) */
async function relistOne(ctx: Context, given: { id: number; ownerId: number }): Promise<boolean | null> {
  const unhideAs = (wanted: 'listed' | 'unlisted') =>
    inTransaction(ctx.db, async (trx) => {
      const [coupon] = await lockCoupons(trx, [given.id]);
      if (await isBannedOrGone(trx, given.ownerId)) return null;
      const isActive = wanted === 'listed' && coupon !== undefined && canBeListed(coupon, ctx.clock());
      await store.unhide(trx, { ...given, isActive });
      return isActive;
    });
  try {
    return await unhideAs('listed');
  } catch (error) {
    if (!isUniqueViolation(error, 'coupons_code_key')) throw error;
    return unhideAs('unlisted');
  }
}

function canBeListed({ deletedAt, expiresAt, heldBy }: LockedCoupon, at: Date): boolean {
  const hasExpired = expiresAt !== null && expiresAt < at;
  return deletedAt === null && heldBy === null && !hasExpired;
}
