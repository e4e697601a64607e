import { z } from 'zod';
import { idSchema } from '#contract/base/primitives.ts';

/** A deal is an exchange or a bid; both have the same states. */
export const DEAL_STATUSES = ['pending', 'accepted', 'rejected', 'completed', 'cancelled'] as const;
export type DealStatus = (typeof DEAL_STATUSES)[number];
export const dealStatusSchema = z.enum(DEAL_STATUSES).meta({ id: 'DealStatus' });

export const dealTypeSchema = z.enum(['exchange', 'bid']).meta({ id: 'DealType' });
export type DealType = z.output<typeof dealTypeSchema>;

/** Identifies a deal. */
export const dealRefSchema = z.object({ dealType: dealTypeSchema, dealId: idSchema });
export type DealRef = Readonly<z.infer<typeof dealRefSchema>>;

/** Reasons that exchanges and bids share. */
const SHARED_REASONS = [
  'by_owner',
  'rival_completed',
  'coupon_deleted',
  'coupon_changed',
  'coupon_expired',
  'code_refused',
  'deadline',
  'party_banned',
  'party_left',
] as const;

/** What ended an exchange: a rule or a person (decisions 3.11). */
export const DEAL_REASONS = ['by_requester', 'by_party', 'countered', ...SHARED_REASONS] as const;
export type DealReason = (typeof DEAL_REASONS)[number];
export const dealReasonSchema = z.enum(DEAL_REASONS).meta({ id: 'DealReason' });

/** What ended a bid: a rule or a person. */
export const BID_REASONS = ['by_bidder', 'rival_accepted', 'exchange_ended', ...SHARED_REASONS] as const;
export type BidReason = (typeof BID_REASONS)[number];
export const bidReasonSchema = z.enum(BID_REASONS).meta({ id: 'BidReason' });

/** Length in characters of the message that comes with a proposal or a bid. */
export const DEAL_MESSAGE_MAX = 1_000;

/** For each state of a deal: the states that it can move to, and the sides that may move it there. */
type Transitions<Side> = Record<DealStatus, Partial<Record<DealStatus, readonly Side[]>>>;

/** A swap is between two people; in a ring each of three or more gives to the next. */
export const EXCHANGE_KINDS = ['swap', 'ring'] as const;
export type ExchangeKind = (typeof EXCHANGE_KINDS)[number];

/** The people of a ring; how many the finder looks for is a setting. The database checks the same. */
export const RING_PEOPLE = { min: 3, max: 6 } as const;
/** The largest ring that is looked for unless the installation says otherwise. */
export const DEFAULT_RING_PEOPLE = 4;
/** Hours in which all people of a ring must agree. */
export const RING_CONSENT_HOURS = 48;
/** The proposals of a negotiation: the first one and up to four counter-offers. */
export const ROUNDS_MAX = 5;
/** Hours to answer a counter-offer. */
export const COUNTER_HOURS = 48;
/** The coupons of each side of a swap. */
export const COUPONS_PER_SIDE = 10;

/** The author is the requester; in a ring, everybody else has the part of the owner. */
export type ExchangeSide = 'requester' | 'owner';

/**
 * The moves of an exchange (spec/2 section 4, decisions 3.3). The server enforces them, the browser offers them.
 */
export const EXCHANGE_TRANSITIONS: Transitions<ExchangeSide> = {
  pending: { accepted: ['owner'], rejected: ['owner'], cancelled: ['requester'] },
  accepted: { completed: ['requester', 'owner'], cancelled: ['requester', 'owner'] },
  rejected: {},
  completed: {},
  cancelled: {},
};

export type BidSide = 'bidder' | 'owner';

/**
 * The moves of a bid (spec/2 section 4, decisions 3.4). An accepted bid is binding, so neither side can end it: the
 * payment completes it, or its deadline cancels it.
 */
export const BID_TRANSITIONS: Transitions<BidSide> = {
  pending: { accepted: ['owner', 'bidder'], rejected: ['owner'], cancelled: ['bidder'] },
  accepted: { completed: [], cancelled: [] },
  rejected: {},
  completed: {},
  cancelled: {},
};

/** Who answers in a round of a bid, and alone may accept: the bidder has named the amount of the odd ones. */
export function turnOf(round: number): BidSide {
  return round % 2 === 1 ? 'owner' : 'bidder';
}

/** The states that this side may move the deal to. */
export function allowedMoves<Side>(
  transitions: Transitions<Side>,
  status: DealStatus,
  side: Side,
): DealStatus[] {
  return DEAL_STATUSES.filter((to) => transitions[status][to]?.includes(side));
}

/** Days until a deal lapses (decisions 3.6). */
export const DEADLINE_DAYS = {
  exchangePending: 14,
  exchangeAccepted: 14,
  bidPending: 7,
  bidAccepted: 2,
} as const;
