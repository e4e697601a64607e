import { t } from '@lingui/core/macro';
import { roundAmount } from '#contract/base/base-currency.ts';
import { percentText } from '#contract/base/locale.ts';
import { marketName } from '#contract/base/market.ts';
import { baseCurrency, formatMoney } from '#contract/base/money.ts';
import { type FeeRates, feesOf, rateText } from '#contract/money/fees.ts';
import { HOLD_HOURS } from '#contract/money/payments.ts';
import { type PaymentProviderName, PROVIDER_NAMES, type SellerBadge } from '#contract/people/sellers.ts';
import type { Tone } from '#web/components/status-badge.tsx';

/** What each provider offers. */
export const PROVIDER_TEXTS: Record<PaymentProviderName, string> = {
  stripe: t`Buyers pay you by card. Your money goes to your bank account ${HOLD_HOURS} hours after the sale, or as soon as the buyer says that the code works.`,
  paypal: t`Buyers pay you from their PayPal account. Your money goes to your PayPal balance ${HOLD_HOURS} hours after the sale; PayPal takes its own fee from it.`,
};

export const BADGE_TONES: Record<SellerBadge, Tone> = {
  setup_required: 'neutral',
  action_required: 'warning',
  active: 'success',
};

const money = (cents: number) => formatMoney(cents, baseCurrency());

/** What a sale costs. */
export function feeText({ buyer, seller }: FeeRates): string {
  const total = percentText(buyer.basisPoints + seller.basisPoints);
  return t`${{ market: marketName() }}'s fee is ${total} in total (${rateText(buyer)} from the buyer and ${rateText(seller)} from the seller).`;
}

/** An example of what a sale costs: a bid of 20. */
export function feeExample(rates: FeeRates): string {
  const { amount, buyerTotal, netAmount } = feesOf(roundAmount(2_000), rates);
  return t`For a bid of ${money(amount)} the buyer pays ${money(buyerTotal)} and you receive ${money(netAmount)}.`;
}

/** The text for a seller who comes back from a provider, by the provider's status. */
export function returnText(
  provider: PaymentProviderName,
  { badge, note }: { badge: SellerBadge; note: string | null },
): { title: string; text: string; color: 'green' | 'yellow' | 'gray' } {
  const label = PROVIDER_NAMES[provider];
  if (note !== null) return { title: t`Back from ${label}`, text: note, color: 'gray' };
  if (badge === 'active') {
    return {
      title: t`${label} is ready`,
      text: t`${label} has confirmed your account: buyers can pay you now.`,
      color: 'green',
    };
  }
  if (badge === 'action_required') {
    return {
      title: t`${label} is not ready yet`,
      text: t`${label} is still checking your details or needs something more. This page updates by itself.`,
      color: 'yellow',
    };
  }
  return {
    title: t`${label} is not set up yet`,
    text: t`${label} does not have your account yet. If you have just finished, it may take a minute. Otherwise, start again below.`,
    color: 'yellow',
  };
}

/** The text for a seller whose link has expired. */
export function refreshText(provider: PaymentProviderName): { title: string; text: string; color: 'yellow' } {
  const label = PROVIDER_NAMES[provider];
  return {
    title: t`This link has expired`,
    text: t`A link to ${label} works only once and for a short time. Press the button below for a new one.`,
    color: 'yellow',
  };
}
