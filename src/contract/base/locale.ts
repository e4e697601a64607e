import { LANGUAGES, language, perLocale } from './i18n.ts';

const numbers = perLocale((locale) => new Intl.NumberFormat(locale));
const conjunction = perLocale((locale) => new Intl.ListFormat(locale));
const disjunction = perLocale((locale) => new Intl.ListFormat(locale, { type: 'disjunction' }));
/** Calendar days are parsed and formatted in UTC, so that they are the same day everywhere. */
const calendarDay = perLocale(
  (locale) =>
    new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' }),
);

const timeOfDay = perLocale(
  (locale) =>
    new Intl.DateTimeFormat(locale, {
      hour: locale === LANGUAGES.en ? '2-digit' : 'numeric',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone: 'UTC',
    }),
);

const percents = perLocale(
  (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }),
);

/** '1,240'. */
export function formatNumber(value: number): string {
  return numbers().format(value);
}

const discounts = perLocale(
  (locale) =>
    new Intl.NumberFormat(locale, {
      style: 'percent',
      // English keeps the decimals, as the amounts do.
      minimumFractionDigits: locale === LANGUAGES.en ? 2 : 0,
      maximumFractionDigits: 2,
    }),
);

/** A rate: '5%', '4.5%'. @param basisPoints hundredths of a per cent */
export function percentText(basisPoints: number): string {
  return percents().format(basisPoints / 10_000);
}

/** What a coupon takes off, as the documents write it (spec/1 9.3): '20.00%'. @param basisPoints hundredths of a per cent */
export function discountPercentText(basisPoints: number): string {
  return discounts().format(basisPoints / 10_000);
}

/** 'A, B, and C'. */
export function listed(words: readonly string[]): string {
  return conjunction().format(words);
}

/** 'A, B, or C'. */
export function alternatives(words: readonly string[]): string {
  return disjunction().format(words);
}

/** A written date as French wants it, which says '1er' where `Intl` writes '1': '1er déc. 2026'. */
export function withOrdinal(date: string): string {
  return language() === 'fr' ? date.replace(/\b1(?=\s\p{L}{3})/u, '1er') : date;
}

/** 'Nov 21, 2026' from a calendar day. */
export function formatDay(date: string): string {
  return withOrdinal(calendarDay().format(new Date(`${date}T00:00:00Z`)));
}

/** The day and the time of an instant in UTC: ['Nov 21, 2026', '14:05']. */
export function utcDayAndTime(instant: string): [day: string, time: string] {
  return [formatDay(instant.slice(0, 10)), timeOfDay().format(new Date(instant))];
}
