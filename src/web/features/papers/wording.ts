import { BASE_CURRENCY, decimalToCents, formatMoney } from '#contract/money.ts';
import type { Paper, PaperKind } from '#contract/papers.ts';
import type { PaymentStatus } from '#contract/payments.ts';
import type { PaymentProviderName } from '#contract/sellers.ts';

export const KIND_TITLES: Record<PaperKind, string> = { receipt: 'Receipt', statement: 'Fee statement' };

const PROVIDER_NAMES: Record<PaymentProviderName, string> = { stripe: 'Stripe', paypal: 'PayPal' };

/** '$3.00 CAD', '−$3.00 CAD' from a signed decimal text. */
export function signedMoney(amount: string): string {
  const isNegative = amount.startsWith('-') && amount !== '-0.00';
  const text = formatMoney(decimalToCents(amount.replace('-', '')), BASE_CURRENCY);
  return isNegative ? `−${text}` : text;
}

/** 'Stripe, visa card ending in 4242'. */
export function paidThrough({ provider, card }: Pick<Paper, 'provider' | 'card'>): string {
  const name = PROVIDER_NAMES[provider];
  return card === null ? name : `${name}, ${card.brand} card ending in ${card.lastFour}`;
}

const STATES: Partial<Record<PaymentStatus, string>> = {
  held: 'Paid; the seller’s money is held',
  releasing: 'Final; the payout is on its way',
  completed: 'Final; the seller has been paid',
  refunding: 'A refund is on its way to the buyer',
  refunded: 'Undone; the buyer was refunded',
  charged_back: 'Undone; the buyer’s bank took the money back',
};

/** Where the sale stands. */
export function stateText({ status, isDisputed }: Pick<Paper, 'status' | 'isDisputed'>): string {
  return isDisputed ? 'The buyer’s bank questions the payment' : (STATES[status] ?? 'Under way');
}

/** '2026-11-21 14:05 UTC'. */
export function utcText(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
}
