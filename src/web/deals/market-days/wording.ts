import { plural, t } from '@lingui/core/macro';
import { locale } from '#contract/base/i18n.ts';
import type { MarketDayNow } from '#contract/deals/market-days.ts';

/** The time of an instant in the market's zone: '20:00 UTC'. */
export function hourText(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat(locale(), {
    ...{ timeZone, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
  }).format(new Date(instant));
}

/** What would happen on the next market day, and when that is. */
export function announcementText({ coupons, at, timeZone }: NonNullable<MarketDayNow>): string {
  const hour = hourText(at, timeZone);
  return plural(coupons, {
    one: `# coupon would change hands on market day, at ${hour}.`,
    other: `# coupons would change hands on market day, at ${hour}.`,
  });
}

/** What would happen if market day were now. */
export function forecastText({ coupons, own }: Pick<NonNullable<MarketDayNow>, 'coupons' | 'own'>): string {
  if (coupons === 0) return t`Nothing would change hands yet.`;
  const all = plural(coupons, {
    one: '# coupon would change hands today.',
    other: '# coupons would change hands today.',
  });
  if (own === 0) return all;
  return `${all} ${plural(own, { one: '# of them is yours.', other: '# of them are yours.' })}`;
}
