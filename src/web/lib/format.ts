import { plural, t } from '@lingui/core/macro';
import { RATING_MAX } from '#contract/base/bounds.ts';
import { countryName } from '#contract/base/countries.ts';
import { locale } from '#contract/base/i18n.ts';
import { discountPercentText, listed, withOrdinal } from '#contract/base/locale.ts';
import { baseCurrency, type Currency, formatMoney } from '#contract/base/money.ts';
import type { CouponSummary } from '#contract/coupons/coupons.ts';

const day = new Intl.DateTimeFormat(locale(), { year: 'numeric', month: 'short', day: 'numeric' });
const dateTime = new Intl.DateTimeFormat(locale(), {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** 'Nov 21, 2026' from an instant, in local time. */
export function formatDate(instant: string): string {
  return withOrdinal(day.format(new Date(instant)));
}

/** 'Nov 21, 2026, 9:41 AM' from an instant, in local time. */
export function formatDateTime(instant: string): string {
  return withOrdinal(dateTime.format(new Date(instant)));
}

/** Shown for a public code without a stated value, which is stored as 0. */
const UNSTATED = t`Offer`;

/** The value of a coupon: in hundredths; null while nobody has entered one, 0 where none is stated. */
type Worth = Pick<CouponSummary, 'discountType'> & { readonly value: number | null };

/** A coupon's value as it is printed: '$25.00 CAD', '20.00%', 'Offer' where none is stated, '–' while none is entered. */
export function formatValue({ value, discountType }: Worth): string {
  if (value === null) return '–';
  if (value === 0) return UNSTATED;
  return discountType === 'percentage' ? discountPercentText(value) : formatMoney(value, baseCurrency());
}

/** What a printed value is in the viewer's currency (decisions 1.2): 'about $305.88 MXN'; null where that is the printed one. */
export function aboutValue({ value, discountType }: Worth, currency: Currency): string | null {
  const isForeign = value && discountType === 'fixed' && currency !== baseCurrency();
  return isForeign ? t`about ${formatMoney(value, currency)}` : null;
}

const points = new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 });

/** '1,240.5': points of reputation have one decimal at most. */
export function formatPoints(score: number): string {
  return points.format(score);
}

/** '1,240.5 pts' */
export function scoreText(score: number): string {
  return t`${formatPoints(score)} pts`;
}

const oneDecimal = new Intl.NumberFormat(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });

const megabytes = new Intl.NumberFormat(locale(), {
  style: 'unit',
  unit: 'megabyte',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** '2.4 MB', at least 0.1. */
export function formatMegabytes(bytes: number): string {
  return megabytes.format(Math.max(0.1, bytes / 1_000_000));
}

/** '8.0': always one decimal. */
export function formatDecimal(value: number): string {
  return oneDecimal.format(value);
}

/** A person's score, from the ratings that count: '8.6 of 10 from 12 people'; always one decimal. */
export function ratingText(average: number | null, count: number): string {
  if (average === null || count === 0) return t`No ratings yet`;
  const mean = t`${formatDecimal(average)} of ${RATING_MAX}`;
  return plural(count, { one: `${mean} from # person`, other: `${mean} from # people` });
}

/** 'Canada, France, and Germany'; of more than `most` countries the rest as a number. */
export function formatRegions(codes: readonly string[], most = codes.length): string {
  const names = codes.map(countryName).sort((one, other) => one.localeCompare(other, locale()));
  const rest = names.length - most;
  return listed(
    rest > 0 ? [...names.slice(0, most), plural(rest, { one: '# more', other: '# more' })] : names,
  );
}
