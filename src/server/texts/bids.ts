import { t } from '@lingui/core/macro';
import { BEGIN_MINUTES } from '#contract/base/limits.ts';
import type { Cents } from '#contract/base/money.ts';
import { quote } from '#contract/base/words.ts';
import { COUNTER_HOURS, DEADLINE_DAYS } from '#contract/deals/deals.ts';
import { type StoredText, stored } from './stored.ts';
import { money, type Text } from './text.ts';

/** The texts about bids: for histories, notifications and the subjects of their mails. */

interface BidFacts {
  readonly bidder: string;
  readonly owner: string;
  readonly coupon: string;
  readonly amount: Cents;
  /** What the bidder pays in all, of an accepted bid; not there in rows of earlier releases. */
  readonly total?: Cents | undefined;
}

/** A change of a bid, as each party reads it. */
interface BidTexts<Facts> {
  readonly subject: () => string;
  readonly bidder: Text<Facts>;
  readonly owner: Text<Facts>;
}

const PAY_HOURS = DEADLINE_DAYS.bidAccepted * 24;

export const BID_TEXTS = stored('bid', {
  place: {
    subject: () => t`You have a new bid`,
    bidder: ({ amount, coupon, owner }) => t`You bid ${money(amount)} on ${owner}’s ${quote(coupon)}.`,
    owner: ({ amount, coupon, bidder }) => t`${bidder} bid ${money(amount)} on your ${quote(coupon)}.`,
  },
  placeBelowFloor: {
    subject: () => t`You have a new bid`,
    bidder: ({ amount, coupon, owner }) => t`You bid ${money(amount)} on ${owner}’s ${quote(coupon)}.`,
    owner: ({ amount, coupon, bidder }) =>
      t`${bidder} bid ${money(amount)} on your ${quote(coupon)}, below your lowest price.`,
  },
  accept: {
    subject: () => t`Your bid was accepted`,
    bidder: ({ amount, total = amount, coupon, owner }) =>
      t`${owner} accepted your bid of ${money(amount)} on ${quote(coupon)}. Please pay ${money(total)} within ${PAY_HOURS} hours.`,
    owner: ({ amount, coupon, bidder }) =>
      t`You accepted ${bidder}’s bid of ${money(amount)} on your ${quote(coupon)}.`,
  },
  acceptCounter: {
    subject: () => t`Your counter-offer was accepted`,
    bidder: ({ amount, total = amount, coupon, owner }) =>
      t`You accepted ${owner}’s counter-offer of ${money(amount)} on ${quote(coupon)}. Please pay ${money(total)} within ${PAY_HOURS} hours.`,
    owner: ({ amount, coupon, bidder }) =>
      t`${bidder} accepted your counter-offer of ${money(amount)} on your ${quote(coupon)}.`,
  },
  declineCounter: {
    subject: () => t`Your counter-offer was declined`,
    bidder: ({ coupon, owner }) =>
      t`You declined ${owner}’s counter-offer on ${quote(coupon)}. Your bid has ended.`,
    owner: ({ coupon, bidder }) =>
      t`${bidder} declined your counter-offer on your ${quote(coupon)}. Their bid has ended.`,
  },
  acceptAtOnce: {
    subject: () => t`A coupon was bought at its asking price`,
    bidder: ({ amount, total = amount, coupon, owner }) =>
      t`You buy ${quote(coupon)} from ${owner} for ${money(amount)}. Please pay ${money(total)} within ${PAY_HOURS} hours.`,
    owner: ({ amount, coupon, bidder }) =>
      t`${bidder} buys your ${quote(coupon)} for ${money(amount)}, which meets your asking price.`,
  },
  acceptToBegin: {
    subject: () => t`A coupon was bought at its asking price`,
    bidder: ({ amount, coupon, owner }) =>
      t`You buy ${quote(coupon)} from ${owner} for ${money(amount)}. Please begin to pay within ${BEGIN_MINUTES} minutes; otherwise it is cancelled.`,
    owner: ({ amount, coupon, bidder }) =>
      t`${bidder} buys your ${quote(coupon)} for ${money(amount)}, which meets your asking price. It is cancelled if they do not begin to pay within ${BEGIN_MINUTES} minutes.`,
  },
  reject: {
    subject: () => t`Your bid was declined`,
    bidder: ({ amount, coupon, owner }) =>
      t`${owner} declined your bid of ${money(amount)} on ${quote(coupon)}.`,
    owner: ({ amount, coupon, bidder }) =>
      t`You declined ${bidder}’s bid of ${money(amount)} on your ${quote(coupon)}.`,
  },
  withdraw: {
    subject: () => t`A bid was withdrawn`,
    bidder: ({ amount, coupon, owner }) =>
      t`You withdrew your bid of ${money(amount)} on ${owner}’s ${quote(coupon)}.`,
    owner: ({ amount, coupon, bidder }) =>
      t`${bidder} withdrew their bid of ${money(amount)} on your ${quote(coupon)}.`,
  },
  complete: {
    subject: () => t`Your sale went through`,
    bidder: ({ amount, coupon, owner }) =>
      t`You bought ${quote(coupon)} from ${owner} for ${money(amount)}. It is yours now.`,
    owner: ({ amount, coupon, bidder }) =>
      t`You sold your ${quote(coupon)} to ${bidder} for ${money(amount)}.`,
  },
} satisfies Record<string, BidTexts<BidFacts>>);

type CounterFacts = Omit<BidFacts, 'amount'> & { readonly from: Cents; readonly to: Cents };

/** A counter-offer on a bid, by its author. */
export const COUNTER_BID_TEXTS = stored('counterBid', {
  owner: {
    subject: () => t`You have a counter-offer`,
    bidder: ({ owner, coupon, from, to }) =>
      t`${owner} answered your bid on ${quote(coupon)} with a counter-offer: ${money(from)} → ${money(to)}. Please answer within ${COUNTER_HOURS} hours.`,
    owner: ({ bidder, coupon, from, to }) =>
      t`You answered ${bidder}’s bid on your ${quote(coupon)} with a counter-offer: ${money(from)} → ${money(to)}.`,
  },
  bidder: {
    subject: () => t`You have a counter-offer`,
    bidder: ({ owner, coupon, from, to }) =>
      t`You answered ${owner}’s counter-offer on ${quote(coupon)}: ${money(from)} → ${money(to)}.`,
    owner: ({ bidder, coupon, from, to }) =>
      t`${bidder} answered your counter-offer on your ${quote(coupon)}: ${money(from)} → ${money(to)}. Please answer within ${COUNTER_HOURS} hours.`,
  },
} satisfies Record<'owner' | 'bidder', BidTexts<CounterFacts>>);

interface EndedBidFacts extends BidFacts {
  /** One of END_REASONS. */
  readonly why: StoredText;
}

/** A bid that a rule ended. */
export const ENDED_BID_TEXTS = stored('endedBid', {
  declined: {
    subject: () => t`Your bid was declined`,
    bidder: ({ amount, coupon, owner, why }, textOf) =>
      t`Your bid of ${money(amount)} on ${owner}’s ${quote(coupon)} was declined: ${textOf(why)}.`,
    owner: ({ amount, coupon, bidder, why }, textOf) =>
      t`${bidder}’s bid of ${money(amount)} on your ${quote(coupon)} was declined: ${textOf(why)}.`,
  },
  cancelled: {
    subject: () => t`A bid was cancelled`,
    bidder: ({ amount, coupon, owner, why }, textOf) =>
      t`Your bid of ${money(amount)} on ${owner}’s ${quote(coupon)} was cancelled: ${textOf(why)}.`,
    owner: ({ amount, coupon, bidder, why }, textOf) =>
      t`${bidder}’s bid of ${money(amount)} on your ${quote(coupon)} was cancelled: ${textOf(why)}.`,
  },
  /** What was bought at the asking price. */
  purchaseCancelled: {
    subject: () => t`A purchase was cancelled`,
    bidder: ({ amount, coupon, owner, why }, textOf) =>
      t`Your purchase of ${quote(coupon)} from ${owner} for ${money(amount)} was cancelled: ${textOf(why)}.`,
    owner: ({ amount, coupon, bidder, why }, textOf) =>
      t`${bidder}’s purchase of your ${quote(coupon)} for ${money(amount)} was cancelled: ${textOf(why)}.`,
  },
} satisfies Record<'declined' | 'cancelled' | 'purchaseCancelled', BidTexts<EndedBidFacts>>);
