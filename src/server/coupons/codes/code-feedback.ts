import { t } from '@lingui/core/macro';
import {
  type CouponFeedback,
  FEEDBACK_DAYS,
  type GiveFeedbackInput,
} from '#contract/coupons/code-feedback.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { AppError } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import { lockCoupons } from '#server/coupons/core/reservations.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import * as store from './code-feedback-store.ts';

const FEEDBACK: RateLimit = { name: 'code-feedback', points: 60, seconds: 3_600 };

/** Counts one more piece of feedback of the caller. @throws AppError rate_limited */
export async function limitFeedback(ctx: MemberContext): Promise<void> {
  await enforceLimit(ctx.limiter, FEEDBACK, String(ctx.actor.id));
}

/** Stores a person's feedback on a code and replaces their earlier one. `couponId` is null for a public offer. */
export function storeFeedback(trx: Trx, feedback: store.Feedback): Promise<void> {
  return store.putFeedback(trx, feedback);
}

/**
 * Stores that a code did not work for a person who got it by a deal. It stores nothing if they have edited it or passed
 * it on. The caller has locked the coupon.
 */
export async function storeFailure(
  trx: Trx,
  { couponId, userId, at }: { couponId: number; userId: number; at: Date },
): Promise<void> {
  const codeHash = await store.codeGotByDeal(trx, { couponId, userId });
  if (codeHash !== undefined) await storeFeedback(trx, { codeHash, userId, couponId, worked: false, at });
}

/** Whether a coupon's code was confirmed, and worked for those who got it by a deal. @throws AppError not_found */
export async function feedbackOn(ctx: Context, id: number): Promise<CouponFeedback> {
  await couponById(ctx, id);
  const viewerId = ctx.actor?.id ?? null;
  const since = addDays(ctx.clock(), -FEEDBACK_DAYS);
  const mine = viewerId === null ? null : { couponId: id, userId: viewerId };
  const [counted, own, code] = await Promise.all([
    store.countFeedback(ctx.db, { couponId: id, since }),
    mine && store.findSaid(ctx.db, mine),
    mine && store.codeGotByDeal(ctx.db, mine),
  ]);
  const { lastWorkedAt, confirmedAt, ...counts } = counted;
  return {
    ...counts,
    own,
    lastWorkedAt: lastWorkedAt?.toISOString() ?? null,
    confirmedAt: confirmedAt?.toISOString() ?? null,
    mayGive: code != null,
  };
}

/**
 * Stores whether the code of a coupon worked for the caller, who got it by a completed deal.
 * @throws AppError not_found, forbidden (for everybody else, and after an edit), rate_limited
 */
export async function giveFeedback(
  ctx: MemberContext,
  { id, worked }: GiveFeedbackInput,
): Promise<CouponFeedback> {
  await limitFeedback(ctx);
  await couponById(ctx, id);
  await inTransaction(ctx.db, async (trx) => {
    // An edit may change the code at the same time.
    await lockCoupons(trx, [id]);
    const userId = ctx.actor.id;
    const codeHash = await store.codeGotByDeal(trx, { couponId: id, userId });
    if (codeHash === undefined) {
      throw new AppError(
        'forbidden',
        t`Only the person who got this coupon in a deal can say whether its code worked.`,
      );
    }
    await storeFeedback(trx, { codeHash, userId, couponId: id, worked, at: ctx.clock() });
  });
  return feedbackOn(ctx, id);
}
