import { type Merchant, type MerchantInput, WISHES_MAX } from '#contract/merchants.ts';
import { notFound } from '#server/core/errors.ts';
import { merchantKey } from '#server/core/text.ts';
import type { Context } from '../context.ts';
import * as store from './store.ts';

/**
 * What everybody may know of a merchant.
 * @throws AppError not_found if nobody has ever listed a coupon of it, and it has no public codes
 */
export async function merchantByName(ctx: Context, { name }: MerchantInput): Promise<Merchant> {
  const found = await store.findMerchant(ctx.db, name, merchantKey(name));
  if (!found) throw notFound('Merchant');
  const [wishes, feedback] = await Promise.all([
    store.countWishes(ctx.db, name, WISHES_MAX),
    store.sumFeedback(ctx.db, merchantKey(name)),
  ]);
  const lastWorkedAt = feedback.lastWorkedAt?.toISOString() ?? null;
  return { ...found, wishes, feedback: { ...feedback, lastWorkedAt } };
}
