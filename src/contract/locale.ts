/** The language of the product's texts and formats. */
export const LOCALE = 'en';

const numbers = new Intl.NumberFormat(LOCALE);
const conjunction = new Intl.ListFormat(LOCALE);
const disjunction = new Intl.ListFormat(LOCALE, { type: 'disjunction' });
const rules = new Intl.PluralRules(LOCALE);
/** Calendar days are parsed and formatted in UTC, so that they are the same day everywhere. */
const calendarDay = new Intl.DateTimeFormat(LOCALE, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

/** '1,240'. */
export function formatNumber(value: number): string {
  return numbers.format(value);
}

/** 'A, B, and C'. */
export function listed(words: readonly string[]): string {
  return conjunction.format(words);
}

/** 'A, B, or C'. */
export function alternatives(words: readonly string[]): string {
  return disjunction.format(words);
}

/** A text for each plural form of the language; `#` stands for the count. */
type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/**
 * The text for a count: '2 coupons' from `{ one: '# coupon', other: '# coupons' }`. The texts must not contain what people
 * wrote, which may contain a `#`.
 */
export function plural(count: number, forms: PluralForms): string {
  return (forms[rules.select(count)] ?? forms.other).replaceAll('#', formatNumber(count));
}

/** 'Nov 21, 2026' from a calendar day. */
export function formatDay(date: string): string {
  return calendarDay.format(new Date(`${date}T00:00:00Z`));
}
