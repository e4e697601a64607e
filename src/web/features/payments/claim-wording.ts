import { BASE_CURRENCY, decimalToCents, formatMoney } from '#contract/money.ts';
import type { Claim } from '#contract/payments.ts';

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** 'just now', '12 minutes ago', '3 hours ago', '2 days ago': how long something has waited. */
export function ageText(instant: string, now: Date): string {
  const age = now.getTime() - new Date(instant).getTime();
  if (age < MINUTE) return 'just now';
  if (age < HOUR) return relative.format(-Math.floor(age / MINUTE), 'minute');
  if (age < DAY) return relative.format(-Math.floor(age / HOUR), 'hour');
  return relative.format(-Math.floor(age / DAY), 'day');
}

/** What the buyer would get back: '$21.00 CAD'. */
export function refundText({ buyerTotal }: Pick<Claim, 'buyerTotal'>): string {
  return formatMoney(decimalToCents(buyerTotal), BASE_CURRENCY);
}
