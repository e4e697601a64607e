import { discountPercentText } from '#contract/base/locale.ts';
import { baseCurrency, centsToDecimal, signedDecimal } from '#contract/base/money.ts';
import { paths } from '#contract/base/pages.ts';
import type { Coupon, CouponSummary } from '#contract/coupons/coupons.ts';
import type { Want } from '#contract/coupons/wants.ts';
import type { Bid } from '#contract/deals/bids.ts';
import type { Deal } from '#contract/deals/deal-list.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import type { Market, Match } from '#contract/deals/matches.ts';
import type { AssistantRequest } from '#contract/people/assistant-requests.ts';
import { wordsOf } from './words.ts';

/* What an assistant is told of things: what it needs to choose, never a code or a part of one, and all words marked. */

/** '12.50 CAD' or '20.00%'. */
const valueText = ({ value, discountType }: Pick<CouponSummary, 'value' | 'discountType'>): string =>
  discountType === 'percentage' ? discountPercentText(value) : money(centsToDecimal(value));

const money = (amount: string): string => `${amount} ${baseCurrency()}`;

/** A coupon where something else is about it. */
const mentioned = (coupon: CouponSummary, readerId: number | null) => ({
  id: coupon.id,
  title: wordsOf(coupon.title, coupon.ownerId, readerId),
  merchant: wordsOf(coupon.merchant, coupon.ownerId, readerId),
  value: valueText(coupon),
  lastDay: coupon.expiryDate,
  owner: { id: coupon.ownerId, name: wordsOf(coupon.ownerUsername, coupon.ownerId, readerId) },
  hasCode: coupon.hasCode,
});

/** A coupon in a list. */
export const listedCoupon = (coupon: Coupon, readerId: number | null) => ({
  ...mentioned(coupon, readerId),
  category: coupon.category,
  askingPrice: coupon.askingPrice && money(coupon.askingPrice),
  takesSwaps: coupon.isOpenToOffers && !coupon.isReserved,
  isReserved: coupon.isReserved,
  likelyToWork: coupon.health,
});

/** A coupon on its own. */
export const wholeCoupon = (coupon: Coupon, readerId: number | null) => ({
  ...listedCoupon(coupon, readerId),
  description: wordsOf(coupon.description, coupon.ownerId, readerId),
  terms: coupon.terms && wordsOf(coupon.terms, coupon.ownerId, readerId),
  validIn: coupon.regions,
  transferable: coupon.transferable,
  ownerRating: coupon.ownerRating,
});

export const wish = (want: Want, readerId: number | null) => ({
  id: want.id,
  words: want.search && wordsOf(want.search, readerId, readerId),
  merchant: want.merchant && wordsOf(want.merchant, readerId, readerId),
  category: want.category,
  leastValue: want.minValue && money(centsToDecimal(want.minValue)),
  mostValue: want.maxValue && money(centsToDecimal(want.maxValue)),
  isPaused: want.isPaused,
  found: want.found,
});

export const match = ({ id, legs, gain }: Match, readerId: number | null) => ({
  id,
  gain: gain && money(signedDecimal(gain)),
  legs: legs.map(({ coupon, giver, receiver }) => ({
    coupon: mentioned(coupon, readerId),
    giver: wordsOf(giver.username, giver.id, readerId),
    receiver: wordsOf(receiver.username, receiver.id, readerId),
  })),
});

export const market = ({ day, invitations }: Market, readerId: number | null) => ({
  day,
  merchantsToBring: invitations.map(({ merchant, people }) => ({
    merchant: wordsOf(merchant, null, readerId),
    people,
  })),
});

export const swap = (exchange: Exchange, readerId: number | null) => ({
  dealType: 'exchange',
  id: exchange.id,
  status: exchange.status,
  message: exchange.message && wordsOf(exchange.message, exchange.requesterId, readerId),
  legs: exchange.legs.map(({ coupon, giverId, giverUsername, receiverId, receiverUsername, price }) => ({
    coupon: mentioned(coupon, readerId),
    giver: wordsOf(giverUsername, giverId, readerId),
    receiver: wordsOf(receiverUsername, receiverId, readerId),
    price: price && money(price.amount),
  })),
  deposit: exchange.deposit && money(exchange.deposit),
  endsBy: exchange.deadlineAt,
});

export const bid = (given: Bid, readerId: number | null) => ({
  dealType: 'bid',
  id: given.id,
  status: given.status,
  amount: money(given.amount),
  askedInstead: given.counterAmount && money(given.counterAmount),
  bidder: wordsOf(given.bidderUsername, given.bidderId, readerId),
  message: given.message && wordsOf(given.message, given.bidderId, readerId),
  coupon: mentioned(given.coupon, readerId),
  endsBy: given.deadlineAt,
});

export const deal = (given: Deal, readerId: number | null) => ({
  nextAct: given.nextAct,
  actBy: given.deadlineAt,
  ...(given.dealType === 'bid' ? bid(given.bid, readerId) : swap(given.exchange, readerId)),
});

export const request = (
  { id, act, subjectId, message, state, expiresAt }: AssistantRequest,
  readerId: number | null,
) => ({
  requestId: id,
  act,
  subjectId,
  message: message && wordsOf(message, readerId, readerId),
  state,
  expiresAt,
  confirmAt: paths.assistantRequest(id),
});
