import { t } from '@lingui/core/macro';
import { type CodeFeedback, FEEDBACK_DAYS, type GiveFeedbackInput } from '#contract/coupons/code-feedback.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { notFound } from '#server/core/errors.ts';
import { limitFeedback, storeFeedback } from '#server/coupons/codes/service.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import * as store from './offer-feedback-store.ts';
import { doubtOf } from './offer-score.ts';
import { findOfferById } from './store.ts';

/**
 * Stores whether a public code worked for the caller.
 * @throws AppError not_found if there is no such offer today, rate_limited
 */
export async function giveOfferFeedback(
  ctx: MemberContext,
  { id, worked }: GiveFeedbackInput,
): Promise<CodeFeedback> {
  await limitFeedback(ctx);
  const at = ctx.clock();
  const offer = await findOfferById(ctx.db, { userId: ctx.actor.id, at }, id);
  if (!offer) throw notFound(t`Coupon not found`);
  return inTransaction(ctx.db, async (trx) => {
    const codeHash = offer.identity;
    await store.lockScore(trx, codeHash);
    await storeFeedback(trx, { codeHash, userId: ctx.actor.id, couponId: null, worked, at });
    const { failed, lastWorkedAt, ...score } = await recount(trx, codeHash, at);
    return {
      worked: score.worked,
      failed,
      lastWorkedAt: lastWorkedAt?.toISOString() ?? null,
      own: worked,
    };
  });
}

async function recount(trx: Trx, codeHash: string, at: Date): Promise<store.OfferScore> {
  const counted = await store.countFeedback(trx, codeHash, addDays(at, -FEEDBACK_DAYS));
  const { first, ...counts } = counted;
  const score = { ...counts, doubt: doubtOf(counts), lapsesAt: first && addDays(first, FEEDBACK_DAYS) };
  await store.putScore(trx, codeHash, score);
  return score;
}

const LAPSED_AT_ONCE = 500;

/** Counts again the codes of which an answer is now too old. @returns how many */
export async function lapseFeedback(ctx: Context): Promise<number> {
  const at = ctx.clock();
  let count = 0;
  for (;;) {
    const codes = await store.lapsed(ctx.db, at, LAPSED_AT_ONCE);
    if (codes.length === 0) return count;
    for (const codeHash of codes) {
      await inTransaction(ctx.db, async (trx) => {
        await store.lockScore(trx, codeHash);
        await recount(trx, codeHash, at);
      });
    }
    count += codes.length;
  }
}
