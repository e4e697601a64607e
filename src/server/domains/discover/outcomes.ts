import { OUTCOME_DAYS, type Outcomes, type TellOutcomeInput } from '#contract/outcomes.ts';
import { addDays } from '#server/core/clock.ts';
import { notFound } from '#server/core/errors.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import type { Context, MemberContext } from '../context.ts';
import { limitTelling, storeOutcome } from '../coupons/outcomes.ts';
import * as store from './outcomes-store.ts';
import { doubtOf } from './standing.ts';
import { findOfferById } from './store.ts';

/**
 * Stores whether a public code worked for the caller.
 * @throws AppError not_found if there is no such offer today, rate_limited
 */
export async function tellOfferOutcome(
  ctx: MemberContext,
  { id, worked }: TellOutcomeInput,
): Promise<Outcomes> {
  await limitTelling(ctx);
  const at = ctx.clock();
  const offer = await findOfferById(ctx.db, { userId: ctx.actor.id, at }, id);
  if (!offer) throw notFound('Coupon');
  return inTransaction(ctx.db, async (trx) => {
    const codeHash = offer.identity;
    await store.lockStanding(trx, codeHash);
    await storeOutcome(trx, { codeHash, userId: ctx.actor.id, couponId: null, worked, at });
    const { failed, lastWorkedAt, ...standing } = await recount(trx, codeHash, at);
    return {
      worked: standing.worked,
      failed,
      lastWorkedAt: lastWorkedAt?.toISOString() ?? null,
      own: worked,
    };
  });
}

async function recount(trx: Trx, codeHash: string, at: Date): Promise<store.Standing> {
  const counted = await store.countAnswers(trx, codeHash, addDays(at, -OUTCOME_DAYS));
  const { first, ...counts } = counted;
  const standing = { ...counts, doubt: doubtOf(counts), lapsesAt: first && addDays(first, OUTCOME_DAYS) };
  await store.putStanding(trx, codeHash, standing);
  return standing;
}

const LAPSED_AT_ONCE = 500;

/** Counts again the codes of which an answer is now too old. @returns how many */
export async function lapseOutcomes(ctx: Context): Promise<number> {
  const at = ctx.clock();
  let count = 0;
  for (;;) {
    const codes = await store.lapsed(ctx.db, at, LAPSED_AT_ONCE);
    if (codes.length === 0) return count;
    for (const codeHash of codes) {
      await inTransaction(ctx.db, async (trx) => {
        await store.lockStanding(trx, codeHash);
        await recount(trx, codeHash, at);
      });
    }
    count += codes.length;
  }
}
