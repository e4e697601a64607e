import { FEE_PERCENT, feesOf } from '#contract/fees.ts';
import { BASE_CURRENCY, formatMoney } from '#contract/money.ts';
import { HOLD_HOURS } from '#contract/payments.ts';
import type { PaymentProviderName, SellerBadge } from '#contract/sellers.ts';
import type { Tone } from '#web/components/status-badge.tsx';

/** The names of the providers. */
export const PROVIDER_LABELS: Record<PaymentProviderName, string> = { stripe: 'Stripe', paypal: 'PayPal' };

/** What each provider offers. */
export const PROVIDER_TEXTS: Record<PaymentProviderName, string> = {
  stripe: `Buyers pay you by card. Your money goes to your bank account ${HOLD_HOURS} hours after the sale, or as soon as the buyer says that the code works.`,
  paypal: `Buyers pay you from their PayPal account. Your money goes to your PayPal balance ${HOLD_HOURS} hours after the sale; PayPal takes its own fee from it.`,
};

export const BADGE_TONES: Record<SellerBadge, Tone> = {
  setup_required: 'neutral',
  action_required: 'warning',
  active: 'success',
};

const EXAMPLE = feesOf(2_000);
const money = (cents: number) => formatMoney(cents, BASE_CURRENCY);

/** What a sale costs. */
export const FEE_TEXT = `ClipSwap's fee is ${2 * FEE_PERCENT}% in total (${FEE_PERCENT}% from the buyer and ${FEE_PERCENT}% from the seller).`;
export const FEE_EXAMPLE = `For a bid of ${money(EXAMPLE.amount)} the buyer pays ${money(EXAMPLE.buyerTotal)} and you receive ${money(EXAMPLE.netAmount)}.`;

/** The text for a seller who comes back from a provider, by the provider's status. */
export function returnText(
  provider: PaymentProviderName,
  { badge, note }: { badge: SellerBadge; note: string | null },
): { title: string; text: string; color: 'green' | 'yellow' | 'gray' } {
  const label = PROVIDER_LABELS[provider];
  if (note !== null) return { title: `Back from ${label}`, text: note, color: 'gray' };
  if (badge === 'active') {
    return {
      title: `${label} is ready`,
      text: `${label} has confirmed your account: buyers can pay you now.`,
      color: 'green',
    };
  }
  if (badge === 'action_required') {
    return {
      title: `${label} is not ready yet`,
      text: `${label} still checks your details or wants something more. This page looks again by itself.`,
      color: 'yellow',
    };
  }
  return {
    title: `${label} is not set up yet`,
    text: `${label} does not know of an account of yours yet. If you have just finished, it may take a minute; otherwise begin again below.`,
    color: 'yellow',
  };
}

/** The text for a seller whose link has expired. */
export function refreshText(provider: PaymentProviderName): { title: string; text: string; color: 'yellow' } {
  const label = PROVIDER_LABELS[provider];
  return {
    title: 'That link has run out',
    text: `A link to ${label} works only once, and not for long. The button below makes a new one.`,
    color: 'yellow',
  };
}
