import { t } from '@lingui/core/macro';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { UNDO_USED_HOURS } from '#contract/coupons/limits.ts';
import type { MemberContext } from '#server/context/context.ts';
import { addHours } from '#server/core/clock.ts';
import { AppError } from '#server/core/errors.ts';
import { countChange } from '#server/core/own-changes.ts';
import { refuseListed } from '#server/coupons/codes/service.ts';
import { findCoupon, present } from '#server/coupons/core/finding.ts';
import type { CouponRow } from '#server/coupons/core/store.ts';
import { lockOwn } from '#server/coupons/publishing/service.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { recordLog } from '#server/people/notifications/service.ts';
import { COUPON_HISTORY } from '#server/texts/coupons.ts';
import type { StoredText } from '#server/texts/stored.ts';
import * as store from './using-store.ts';

/**
 * Marks a coupon of the caller's as used, and takes it off the lists. Does nothing if it is marked already.
 * @throws AppError not_found, forbidden, coupon_reserved
 */
export async function useCoupon(trx: Trx, ctx: MemberContext, id: number): Promise<Coupon> {
  return change(trx, ctx, id, async ({ usedAt, title }, at) => {
    if (usedAt !== null) return;
    await store.markUsed(trx, { id, at });
    await log(trx, ctx, { id, details: COUPON_HISTORY.used({ coupon: title }), at });
  });
}

/**
 * Takes back that a coupon is used; it is listed again if it was, and has not expired. Does nothing if it is not marked.
 * @throws AppError not_found, forbidden, conflict (after UNDO_USED_HOURS), code_listed (by somebody else meanwhile),
 *   rate_limited
 */
export async function unmarkUsed(ctx: MemberContext, id: number): Promise<Coupon> {
  await countChange(ctx);
  return inTransaction(ctx.db, (trx) =>
    change(trx, ctx, id, async ({ usedAt, title }, at) => {
      if (usedAt === null) return;
      if (addHours(usedAt, UNDO_USED_HOURS) < at) {
        throw new AppError('conflict', t`You marked this coupon as used more than a day ago.`);
      }
      await store.unmarkUsed(trx, { id, at }).catch(refuseListed);
      await log(trx, ctx, { id, details: COUPON_HISTORY.unused({ coupon: title }), at });
    }),
  );
}

async function change(
  trx: Trx,
  ctx: MemberContext,
  id: number,
  act: (coupon: CouponRow, at: Date) => Promise<void>,
): Promise<Coupon> {
  await lockOwn(trx, ctx, id);
  await act(await findCoupon(ctx, trx, id), ctx.clock());
  return present(ctx, await findCoupon(ctx, trx, id));
}

async function log(trx: Trx, { actor }: MemberContext, given: { id: number; details: StoredText; at: Date }) {
  const { id, details, at } = given;
  await recordLog(trx, { action: 'updated', details, couponId: id, at, userId: actor.id, actorId: actor.id });
}
