import type { CouponSummary } from '#contract/coupons.ts';
import { type Currency, formatMoney } from '#contract/money.ts';
import { listed, quoted } from '#contract/words.ts';
import { formatValue } from '#web/lib/format.ts';

/** What coupons are worth together: 'CA$12.00 and 20%'. Null if nobody has stated it. */
function worthOf(coupons: readonly CouponSummary[], currency: Currency): string | null {
  const stated = coupons.filter(({ value }) => value > 0);
  const fixed = stated.filter(({ discountType }) => discountType === 'fixed');
  const sum = fixed.reduce((total, { value }) => total + value, 0);
  const parts = [
    ...(fixed.length > 0 ? [formatMoney(sum, currency)] : []),
    ...stated
      .filter(({ discountType }) => discountType === 'percentage')
      .map((coupon) => formatValue(coupon, currency)),
  ];
  return parts.length === 0 ? null : listed(parts);
}

function sideText(verb: string, coupons: readonly CouponSummary[], currency: Currency): string {
  if (coupons.length === 0) return `${verb} nothing yet.`;
  const worth = worthOf(coupons, currency);
  return `${verb} ${quoted(coupons.map(({ title }) => title))}${worth ? ` (${worth} off)` : ''}.`;
}

/** What the viewer gives and gets, and what each side is worth, in two sentences. */
export function offerSummary(
  gives: readonly CouponSummary[],
  gets: readonly CouponSummary[],
  currency: Currency,
): string {
  return `${sideText('You give', gives, currency)} ${sideText('You get', gets, currency)}`;
}
