import type { Coupon, UpdateCouponInput } from '#contract/coupons/coupons.ts';
import type { MemberContext } from '#server/context/context.ts';
import { countChange } from '#server/core/own-changes.ts';
import { lookAtEdited } from '#server/coupons/codes/service.ts';
import { beginEdit, deleteCoupon as deleteRow, lockOwn } from '#server/coupons/publishing/service.ts';
import { useCoupon } from '#server/coupons/using/service.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { cancelPendingDeals } from '#server/deals/lifecycle/service.ts';
import { recordLog } from '#server/people/notifications/service.ts';
import { COUPON_HISTORY } from '#server/texts/coupons.ts';

/**
 * Edits a coupon of the caller's. A change of what deals are about cancels the pending deals on it.
 * @throws AppError as `beginEdit`, and rate_limited
 */
export async function updateCoupon(ctx: MemberContext, input: UpdateCouponInput): Promise<Coupon> {
  await countChange(ctx);
  const mustWait = await lookAtEdited(ctx, input);
  return inTransaction(ctx.db, async (trx) => {
    const edit = await beginEdit(trx, ctx, input, mustWait);
    // The deals were about other terms, so people who still want the coupon ask again. They are told before it is renamed,
    // so that the notifications name the coupon as they know it.
    if (edit.changesTerms) await endDealsOn(trx, ctx, input.id, 'coupon_changed');
    return edit.finish();
  });
}

/**
 * Deletes a coupon and cancels its pending deals. The row stays, without its code, for the history of its deals.
 * @throws AppError not_found, forbidden, coupon_reserved
 */
export async function removeCoupon(ctx: MemberContext, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { title } = await lockOwn(trx, ctx, id);
    await deleteCoupon(trx, ctx, id);
    const details = COUPON_HISTORY.removed({ coupon: title });
    const userId = ctx.actor.id;
    await recordLog(trx, {
      ...{ userId, actorId: userId, couponId: id, at: ctx.clock() },
      ...{ action: 'cancelled', details },
    });
  });
}

/**
 * Marks a coupon of the caller's as used: it leaves the lists, and its pending deals are cancelled as if it was removed.
 * Does nothing if it is marked already.
 * @throws AppError not_found, forbidden, coupon_reserved, rate_limited
 */
export async function markUsed(ctx: MemberContext, id: number): Promise<Coupon> {
  await countChange(ctx);
  return inTransaction(ctx.db, async (trx) => {
    const coupon = await useCoupon(trx, ctx, id);
    await endDealsOn(trx, ctx, id, 'coupon_deleted');
    return coupon;
  });
}

/** Deletes a coupon with its code and pictures, and cancels its pending deals. The caller has locked it. */
export async function deleteCoupon(trx: Trx, ctx: MemberContext, id: number): Promise<void> {
  await endDealsOn(trx, ctx, id, 'coupon_deleted');
  await deleteRow(trx, { id, at: ctx.clock() });
}

async function endDealsOn(
  trx: Trx,
  ctx: MemberContext,
  couponId: number,
  reason: 'coupon_changed' | 'coupon_deleted',
): Promise<void> {
  await cancelPendingDeals(trx, { couponIds: [couponId], reason, at: ctx.clock(), actorId: ctx.actor.id });
}
