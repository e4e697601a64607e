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
    subject: 'Somebody bids on your coupon',
    bidder: ({ amount, coupon, owner }) => `You bid ${money(amount)} on ${quote(coupon)} of ${owner}.`,
    owner: ({ amount, coupon, bidder }) => `${bidder} bids ${money(amount)} on your ${quote(coupon)}.`,
  },
  placeBelowFloor: {
    subject: 'Somebody bids on your coupon',
    bidder: ({ amount, coupon, owner }) => `You bid ${money(amount)} on ${quote(coupon)} of ${owner}.`,
    owner: ({ amount, coupon, bidder }) =>
      `${bidder} bids ${money(amount)} on your ${quote(coupon)}, below your lowest price.`,
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
    subject: 'A bid was accepted at the asking price',
    bidder: ({ amount, coupon, owner }) =>
      `Your bid of ${money(amount)} on ${quote(coupon)} was accepted at once: ${owner} has set a price at which bids are accepted. Please pay within ${PAY_HOURS} hours.`,
    owner: ({ amount, coupon, bidder }) =>
      `${bidder}’s bid of ${money(amount)} on your ${quote(coupon)} was accepted at once, by the asking price that you have set.`,
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
      `You withdrew your bid of ${money(amount)} on ${quote(coupon)} of ${owner}.`,
    owner: ({ amount, coupon, bidder }) =>
      `${bidder} withdrew their bid of ${money(amount)} on your ${quote(coupon)}.`,
  },
  complete: {
    subject: 'Your sale went through',
    bidder: ({ amount, coupon, owner }) =>
      `You bought ${quote(coupon)} of ${owner} for your bid of ${money(amount)}: it is yours now.`,
    owner: ({ amount, coupon, bidder }) =>
      `You sold your ${quote(coupon)} to ${bidder} for their bid of ${money(amount)}: it is theirs now.`,
  },
} satisfies Record<string, BidTexts<BidFacts>>;

type CounterFacts = Omit<BidFacts, 'amount'> & { readonly from: Cents; readonly to: Cents };

/** A counter-offer on a bid, by its author. */
export const COUNTER_BID_TEXTS: Record<'owner' | 'bidder', BidTexts<CounterFacts>> = {
  owner: {
    subject: 'A counter-offer waits for your answer',
    bidder: ({ owner, coupon, from, to }) =>
      `${owner} answers your bid on ${quote(coupon)} with a counter-offer: ${money(from)} → ${money(to)}. Please answer within ${COUNTER_HOURS} hours.`,
    owner: ({ bidder, coupon, from, to }) =>
      `You answered ${bidder}’s bid on your ${quote(coupon)} with a counter-offer: ${money(from)} → ${money(to)}.`,
  },
  bidder: {
    subject: 'A counter-offer waits for your answer',
    bidder: ({ owner, coupon, from, to }) =>
      `You answered ${owner}’s counter-offer on ${quote(coupon)}: ${money(from)} → ${money(to)}.`,
    owner: ({ bidder, coupon, from, to }) =>
      `${bidder} answers your counter-offer on your ${quote(coupon)}: ${money(from)} → ${money(to)}. Please answer within ${COUNTER_HOURS} hours.`,
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
      `Your bid of ${money(amount)} on ${quote(coupon)} of ${owner} was declined: ${why}.`,
    owner: ({ amount, coupon, bidder, why }) =>
      `${bidder}’s bid of ${money(amount)} on your ${quote(coupon)} was declined: ${why}.`,
  },
  cancelled: {
    subject: 'A bid was cancelled',
    bidder: ({ amount, coupon, owner, why }) =>
      `Your bid of ${money(amount)} on ${quote(coupon)} of ${owner} was cancelled: ${why}.`,
    owner: ({ amount, coupon, bidder, why }) =>
      `${bidder}’s bid of ${money(amount)} on your ${quote(coupon)} was cancelled: ${why}.`,
  },
};
