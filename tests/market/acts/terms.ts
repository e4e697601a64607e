import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { couponsOf, dollars, type Exchange, type Leg, type Price } from '../state.ts';
import type { ActWorld } from './act.ts';
import { offeredIn, requestedIn } from './deals.ts';

/** The terms of a swap, and the money that settles the difference in value. */

/** What is asked for and what is given for it. */
export interface Offer {
  readonly requested: readonly number[];
  readonly offered: readonly number[];
  /** What one of the two pays besides, for the first coupon that they get. */
  readonly prices: readonly Price[];
  /** What each puts up, in cents; null: nothing. */
  readonly deposit: number | null;
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

/** Mostly none. Not together with money. */
export const depositChoice = fc.constantFrom(null, null, 200);

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

export const offerOf = (exchange: Exchange): Offer => ({
  requested: requestedIn(exchange),
  offered: offeredIn(exchange),
  prices: exchange.prices,
  deposit: exchange.deposit,
});

export const legsOf = (
  { requested, offered }: Pick<Offer, 'requested' | 'offered'>,
  [author, other]: readonly [number, number],
): Leg[] => [
  ...requested.map((coupon) => ({ coupon, giver: other, receiver: author })),
  ...offered.map((coupon) => ({ coupon, giver: author, receiver: other })),
];

/** What a person sees of an exchange that they answer. */
export interface Terms {
  readonly coupons: readonly number[];
  readonly prices: readonly Price[];
  readonly deposit: number | null;
}

export const termsOf = (exchange: Exchange): Terms => ({
  coupons: couponsOf(exchange),
  prices: exchange.prices,
  deposit: exchange.deposit,
});

const inOrder = (ids: readonly number[]) => ids.toSorted((one, other) => one - other);

export const isSame = (one: Terms, other: Terms | undefined) =>
  isDeepStrictEqual(inOrder(one.coupons), inOrder(other?.coupons ?? [])) &&
  isDeepStrictEqual(one.prices, other?.prices) &&
  one.deposit === other?.deposit;

/** The same as calls take it. */
export const seenIds = (world: ActWorld, seen: Terms | undefined) =>
  seen && {
    couponIds: seen.coupons.map(world.couponId),
    prices: seen.prices.map(({ coupon, amount }) => ({
      couponId: world.couponId(coupon),
      amount: dollars(amount),
    })),
    ...(seen.deposit !== null && { deposit: dollars(seen.deposit) }),
  };
