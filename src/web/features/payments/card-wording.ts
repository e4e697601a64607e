import type { PaymentMethod } from '#contract/payments.ts';

/** Brands by the names that stand on the cards; the providers write them in small letters. */
const BRANDS: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  american_express: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** 'Visa •••• 4242': what a person knows a card by. */
export function cardName({ brand, lastFour }: Pick<PaymentMethod, 'brand' | 'lastFour'>): string {
  return `${BRANDS[brand.toLowerCase()] ?? brand} •••• ${lastFour}`;
}

/** The same for those who hear it. */
export function spokenCardName({ brand, lastFour }: Pick<PaymentMethod, 'brand' | 'lastFour'>): string {
  return `${BRANDS[brand.toLowerCase()] ?? brand} ending in ${lastFour}`;
}

/** '04/2030', or that the card has run out: cards are good until the end of their month. */
export function expiryText(
  { expiryMonth, expiryYear }: Pick<PaymentMethod, 'expiryMonth' | 'expiryYear'>,
  now: Date,
): { text: string; isExpired: boolean } {
  const isExpired = expiryYear * 12 + expiryMonth < now.getFullYear() * 12 + now.getMonth() + 1;
  const date = `${String(expiryMonth).padStart(2, '0')}/${expiryYear}`;
  return { text: isExpired ? `Expired ${date}` : `Expires ${date}`, isExpired };
}
