import { t } from '@lingui/core/macro';
import type { Page } from '#contract/base/primitives.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import type { ListSavedCouponsInput } from '#contract/coupons/search.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { findCoupon, present } from '#server/coupons/core/finding.ts';
import { isPersonal } from '#server/coupons/core/rules.ts';
import * as store from './saved-store.ts';

/** The coupons the caller has saved, latest first, without those that have been deleted or hidden since. */
export async function listSavedCoupons(
  ctx: MemberContext,
  input: ListSavedCouponsInput,
): Promise<Page<Coupon>> {
  const { rows, ...page } = await store.listSaved(ctx.db, ctx.actor.id, input);
  return { items: rows.map((row) => present(ctx, row)), ...page };
}

/**
 * Saves another person's coupon to the caller's list; may be repeated (decisions 2.8).
 * @throws AppError not_found, forbidden (the caller's own)
 */
export async function saveCoupon(ctx: MemberContext, couponId: number): Promise<void> {
  const coupon = await findCoupon(ctx, ctx.db, couponId);
  if (coupon.ownerId === ctx.actor.id) throw new AppError('forbidden', t`This coupon is already yours.`);
  if (isPersonal(coupon.category)) throw notFound(t`Coupon not found`);
  await store.insertSaved(ctx.db, { userId: ctx.actor.id, couponId, at: ctx.clock() });
}

/** Removes a coupon from the saved ones; does nothing if it is not saved. */
export async function unsaveCoupon(ctx: MemberContext, couponId: number): Promise<void> {
  await store.deleteSaved(ctx.db, ctx.actor.id, couponId);
}
