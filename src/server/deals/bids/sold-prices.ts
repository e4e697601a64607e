import { PRICE_HINT_DAYS, PRICE_HINT_PEOPLE, type PriceHint } from '#contract/deals/price-hint.ts';
import type { Context } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { couponById } from '#server/coupons/core/service.ts';
import { findPriceHint } from './sold-prices-store.ts';

/**
 * What coupons of this coupon's merchant have sold for; null where fewer than PRICE_HINT_PEOPLE people have sold any, and for a
 * percentage.
 * @throws AppError not_found
 */
export async function priceHint(ctx: Context, couponId: number): Promise<PriceHint | null> {
  const { merchant, discountType, value } = await couponById(ctx, couponId);
  if (discountType !== 'fixed' || value <= 0) return null;
  const since = addDays(ctx.clock(), -PRICE_HINT_DAYS);
  return (await findPriceHint(ctx.db, { merchant, since, least: PRICE_HINT_PEOPLE })) ?? null;
}
