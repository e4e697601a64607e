import { t } from '@lingui/core/macro';
import type { PaymentMethod } from '#contract/money/payments.ts';

/** Card brands by the providers' codes. */
const BRANDS: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  american_express: 'American Express',
  discover: t`Discover`,
  diners: t`Diners Club`,
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** 'Visa •••• 4242' */
export function cardName({ brand, lastFour }: Pick<PaymentMethod, 'brand' | 'lastFour'>): string {
  return `${BRANDS[brand.toLowerCase()] ?? brand} •••• ${lastFour}`;
}

/** The card's name for screen readers. */
export function spokenCardName({ brand, lastFour }: Pick<PaymentMethod, 'brand' | 'lastFour'>): string {
  return t`${BRANDS[brand.toLowerCase()] ?? brand} ending in ${lastFour}`;
}

/** 'Expires 04/2030' or 'Expired 04/2030': cards are valid until the end of their month. */
export function expiryText(
  { expiryMonth, expiryYear }: Pick<PaymentMethod, 'expiryMonth' | 'expiryYear'>,
  now: Date,
): { text: string; isExpired: boolean } {
  const isExpired = expiryYear * 12 + expiryMonth < now.getFullYear() * 12 + now.getMonth() + 1;
  const date = `${String(expiryMonth).padStart(2, '0')}/${expiryYear}`;
  return { text: isExpired ? t`Expired ${date}` : t`Expires ${date}`, isExpired };
}
