import { t } from '@lingui/core/macro';
import { paths } from '#contract/base/pages.ts';
import { quote } from '#contract/base/words.ts';
import type { DecideCouponsInput, DecidedCoupons, WaitingCoupon } from '#contract/oversight/moderation.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { lockCoupons } from '#server/coupons/core/service.ts';
import { inTransaction, isUniqueViolation, type Trx } from '#server/database/client.ts';
import { deleteCoupon } from '#server/deals/coupon-changes/service.ts';
import { audit } from '#server/people/audit/service.ts';
import { notify } from '#server/people/notifications/service.ts';
import { WAITING_COUPON_TEXTS } from '#server/texts/oversight.ts';
import * as store from './waiting-coupons-store.ts';

/** How many a moderator sees at a time. */
const SHOWN = 100;

/** The coupons that moderators look at before others see them, without their codes, the oldest first. */
export async function listWaitingCoupons(ctx: MemberContext): Promise<WaitingCoupon[]> {
  const given = { moderatorId: ctx.actor.id, now: ctx.clock(), limit: SHOWN };
  const rows = await store.listWaiting(ctx.db, given);
  return rows.map(({ ownerSince, ...row }) => ({ ...row, ownerSince: ownerSince.toISOString() }));
}

/**
 * A moderator lists waiting coupons, or removes them. One whose code is listed already is removed in any case. The owner
 * is told which, in words that do not say why.
 * @throws AppError not_found if none of them waits any more
 */
export async function decideCoupons(
  ctx: MemberContext,
  { ids, decision }: DecideCouponsInput,
): Promise<DecidedCoupons> {
  const decided = { listed: 0, removed: 0 };
  for (const id of [...new Set(ids)]) {
    const outcome = await decideOne(ctx, id, decision);
    if (outcome) decided[outcome] += 1;
  }
  if (decided.listed + decided.removed === 0) throw notFound(t`Coupon not found`);
  return decided;
}

/** @returns what became of the coupon; null if it does not wait */
async function decideOne(
  ctx: MemberContext,
  id: number,
  decision: DecideCouponsInput['decision'],
): Promise<keyof DecidedCoupons | null> {
  const list = () =>
    inTransaction(ctx.db, async (trx) => {
      const coupon = await lockWaiting(trx, ctx, id);
      await store.endWaiting(trx, { id, at: ctx.clock() });
      return tell(trx, ctx, coupon, 'listed');
    });
  const remove = () =>
    inTransaction(ctx.db, async (trx) => {
      const coupon = await lockWaiting(trx, ctx, id);
      await deleteCoupon(trx, ctx, id);
      return tell(trx, ctx, coupon, 'removed');
    });
  try {
    return await (decision === 'list' ? list() : remove());
  } catch (error) {
    if (isUniqueViolation(error, 'coupons_code_key')) return remove();
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}

/** @throws AppError not_found if the coupon does not wait */
async function lockWaiting(trx: Trx, ctx: MemberContext, id: number): Promise<store.WaitingCouponRow> {
  await lockCoupons(trx, [id]);
  const coupon = await store.findWaiting(trx, { id, moderatorId: ctx.actor.id, now: ctx.clock() });
  if (!coupon) throw notFound(t`Coupon not found`);
  return coupon;
}

async function tell<Outcome extends keyof DecidedCoupons>(
  trx: Trx,
  ctx: MemberContext,
  { id, ownerId, title }: store.WaitingCouponRow,
  outcome: Outcome,
): Promise<Outcome> {
  const at = ctx.clock();
  const isListed = outcome === 'listed';
  const { subject, text } = WAITING_COUPON_TEXTS[outcome];
  await audit(trx, ctx, {
    actorId: ctx.actor.id,
    action: isListed ? 'coupon_listed' : 'coupon_removed',
    details: `${quote(title)} (coupon ${id}), which waited`,
    targetUserId: ownerId,
    at,
  });
  await notify(trx, {
    userId: ownerId,
    relatedId: null,
    link: isListed ? paths.coupon(id) : paths.myCoupons,
    at,
    type: 'other',
    content: text({ coupon: title }),
    mailSubject: subject(),
  });
  return outcome;
}
