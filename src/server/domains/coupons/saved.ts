import { AppError, notFound } from '#server/core/errors.ts';
import type { MemberContext } from '../context.ts';
import { findCoupon } from './listing.ts';
import { isPersonal } from './rules.ts';
import * as store from './saved-store.ts';

/**
 * Keeps somebody else's coupon in sight, however often (decisions 2.8).
 * @throws AppError not_found, forbidden (one's own)
 */
export async function saveCoupon(ctx: MemberContext, couponId: number): Promise<void> {
  const coupon = await findCoupon(ctx, ctx.db, couponId);
  if (coupon.ownerId === ctx.actor.id) throw new AppError('forbidden', 'This coupon is yours already.');
  if (isPersonal(coupon.category)) throw notFound('Coupon');
  await store.insertSaved(ctx.db, { userId: ctx.actor.id, couponId, at: ctx.clock() });
}

/** Lets go of a saved coupon; one that is not saved is no error. */
export async function unsaveCoupon(ctx: MemberContext, couponId: number): Promise<void> {
  await store.deleteSaved(ctx.db, ctx.actor.id, couponId);
}
