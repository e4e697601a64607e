import { COUNTER_HOURS, DEADLINE_DAYS } from '#contract/deals.ts';
import type { Cents } from '#contract/money.ts';
import { quote } from '#contract/words.ts';
import { money, type Text } from './text.ts';

/** The texts about bids: for histories, notifications and the subjects of their mails. */

interface BidFacts {
  readonly bidder: string;
  readonly owner: string;
  readonly coupon: string;
  readonly amount: Cents;
}

/** A change of a bid, as each party reads it. */
interface BidTexts<Facts> {
  readonly subject: string;
  readonly bidder: Text<Facts>;
  readonly owner: Text<Facts>;
}

const PAY_HOURS = DEADLINE_DAYS.bidAccepted * 24;

export const BID_TEXTS = {
  place: {
    subject: 'You have a new bid',
    bidder: ({ amount, coupon, owner }) => `You bid ${money(amount)} on ${owner}’s ${quote(coupon)}.`,
    owner: ({ amount, coupon, bidder }) => `${bidder} bid ${money(amount)} on your ${quote(coupon)}.`,
  },
  placeBelowFloor: {
    subject: 'You have a new bid',
    bidder: ({ amount, coupon, owner }) => `You bid ${money(amount)} on ${owner}’s ${quote(coupon)}.`,
    owner: ({ amount, coupon, bidder }) =>
      `${bidder} bid ${money(amount)} on your ${quote(coupon)}, below your lowest price.`,
  },
  accept: {
    subject: 'Your bid was accepted',
    bidder: ({ amount, coupon, owner }) =>
      `${owner} accepted your bid of ${money(amount)} on ${quote(coupon)}. Please pay within ${PAY_HOURS} hours.`,
    owner: ({ amount, coupon, bidder }) =>
      `You accepted ${bidder}’s bid of ${money(amount)} on your ${quote(coupon)}.`,
  },
  acceptCounter: {
    subject: 'Your counter-offer was accepted',
    bidder: ({ amount, coupon, owner }) =>
      `You accepted ${owner}’s counter-offer of ${money(amount)} on ${quote(coupon)}. Please pay within ${PAY_HOURS} hours.`,
    owner: ({ amount, coupon, bidder }) =>
      `${bidder} accepted your counter-offer of ${money(amount)} on your ${quote(coupon)}.`,
  },
  declineCounter: {
    subject: 'Your counter-offer was declined',
    bidder: ({ coupon, owner }) =>
      `You declined ${owner}’s counter-offer on ${quote(coupon)}. Your bid has ended.`,
    owner: ({ coupon, bidder }) =>
      `${bidder} declined your counter-offer on your ${quote(coupon)}. Their bid has ended.`,
  },
  acceptAtOnce: {
    subject: 'A bid met the asking price',
    bidder: ({ amount, coupon, owner }) =>
      `Your bid of ${money(amount)} on ${quote(coupon)} met ${owner}’s asking price and was accepted at once. Please pay within ${PAY_HOURS} hours.`,
    owner: ({ amount, coupon, bidder }) =>
      `${bidder}’s bid of ${money(amount)} on your ${quote(coupon)} met your asking price and was accepted at once.`,
  },
  reject: {
    subject: 'Your bid was declined',
    bidder: ({ amount, coupon, owner }) =>
      `${owner} declined your bid of ${money(amount)} on ${quote(coupon)}.`,
    owner: ({ amount, coupon, bidder }) =>
      `You declined ${bidder}’s bid of ${money(amount)} on your ${quote(coupon)}.`,
  },
  withdraw: {
    subject: 'A bid was withdrawn',
    bidder: ({ amount, coupon, owner }) =>
      `You withdrew your bid of ${money(amount)} on ${owner}’s ${quote(coupon)}.`,
    owner: ({ amount, coupon, bidder }) =>
      `${bidder} withdrew their bid of ${money(amount)} on your ${quote(coupon)}.`,
  },
  complete: {
    subject: 'Your sale went through',
    bidder: ({ amount, coupon, owner }) =>
      `You bought ${quote(coupon)} from ${owner} for your bid of ${money(amount)}. It is yours now.`,
    owner: ({ amount, coupon, bidder }) =>
      `You sold your ${quote(coupon)} to ${bidder} for their bid of ${money(amount)}.`,
  },
} satisfies Record<string, BidTexts<BidFacts>>;

type CounterFacts = Omit<BidFacts, 'amount'> & { readonly from: Cents; readonly to: Cents };

/** A counter-offer on a bid, by its author. */
export const COUNTER_BID_TEXTS: Record<'owner' | 'bidder', BidTexts<CounterFacts>> = {
  owner: {
    subject: 'You have a counter-offer',
    bidder: ({ owner, coupon, from, to }) =>
      `${owner} answered your bid on ${quote(coupon)} with a counter-offer: ${money(from)} → ${money(to)}. Please answer within ${COUNTER_HOURS} hours.`,
    owner: ({ bidder, coupon, from, to }) =>
      `You answered ${bidder}’s bid on your ${quote(coupon)} with a counter-offer: ${money(from)} → ${money(to)}.`,
  },
  bidder: {
    subject: 'You have a counter-offer',
    bidder: ({ owner, coupon, from, to }) =>
      `You answered ${owner}’s counter-offer on ${quote(coupon)}: ${money(from)} → ${money(to)}.`,
    owner: ({ bidder, coupon, from, to }) =>
      `${bidder} answered your counter-offer on your ${quote(coupon)}: ${money(from)} → ${money(to)}. Please answer within ${COUNTER_HOURS} hours.`,
  },
};

interface EndedBidFacts extends BidFacts {
  /** One of END_REASONS. */
  readonly why: string;
}

/** A bid that a rule ended. */
export const ENDED_BID_TEXTS: Record<'declined' | 'cancelled', BidTexts<EndedBidFacts>> = {
  declined: {
    subject: 'Your bid was declined',
    bidder: ({ amount, coupon, owner, why }) =>
      `Your bid of ${money(amount)} on ${owner}’s ${quote(coupon)} was declined: ${why}.`,
    owner: ({ amount, coupon, bidder, why }) =>
      `${bidder}’s bid of ${money(amount)} on your ${quote(coupon)} was declined: ${why}.`,
  },
  cancelled: {
    subject: 'A bid was cancelled',
    bidder: ({ amount, coupon, owner, why }) =>
      `Your bid of ${money(amount)} on ${owner}’s ${quote(coupon)} was cancelled: ${why}.`,
    owner: ({ amount, coupon, bidder, why }) =>
      `${bidder}’s bid of ${money(amount)} on your ${quote(coupon)} was cancelled: ${why}.`,
  },
};
