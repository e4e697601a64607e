import * as fc from 'fast-check';
import { dollars, type Price } from './market.ts';

/** Money that settles the difference in value of a swap. */

/** What is asked for and what is given for it. */
export interface Offer {
  readonly requested: readonly number[];
  readonly offered: readonly number[];
  /** What one of the two pays besides, for the first coupon that they get. */
  readonly prices: readonly Price[];
}

/** Who pays how much, for the first coupon that they get; null: nobody pays. */
export type Payment = { readonly payer: 'author' | 'other'; readonly amount: number } | null;

export const paymentChoice = fc.constantFrom<Payment>(
  null,
  null,
  { payer: 'author', amount: 500 },
  { payer: 'author', amount: 1_000 },
  { payer: 'other', amount: 500 },
);

export function pricesFor(
  payment: Payment,
  { requested, offered }: Pick<Offer, 'requested' | 'offered'>,
): Price[] {
  const coupon = (payment?.payer === 'author' ? requested : offered)[0];
  return payment && coupon !== undefined ? [{ coupon, amount: payment.amount }] : [];
}

export const paymentOf = ({ prices, requested }: Pick<Offer, 'prices' | 'requested'>): Payment =>
  prices[0]
    ? { payer: requested.includes(prices[0].coupon) ? 'author' : 'other', amount: prices[0].amount }
    : null;

export const moneyFor = (payment: Payment) =>
  payment && { payer: payment.payer, amount: dollars(payment.amount) };

export const textOf = (payment: Payment) =>
  payment ? `, the ${payment.payer} pays ${dollars(payment.amount)}` : '';
