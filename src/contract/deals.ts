import { z } from 'zod';
import { idSchema } from './primitives.ts';

/** A deal is an exchange or a bid; both walk through the same states. */
export const DEAL_STATUSES = ['pending', 'accepted', 'rejected', 'completed', 'cancelled'] as const;
export type DealStatus = (typeof DEAL_STATUSES)[number];
export const dealStatusSchema = z.enum(DEAL_STATUSES);

export const dealTypeSchema = z.enum(['exchange', 'bid']);
export type DealType = z.output<typeof dealTypeSchema>;

/** Names one deal. */
export const dealRefSchema = z.object({ dealType: dealTypeSchema, dealId: idSchema });
export type DealRef = Readonly<z.infer<typeof dealRefSchema>>;

/** Which rule or which person ended a deal (decisions 3.11). */
export const DEAL_REASONS = [
  'by_requester',
  'by_owner',
  'rival_completed',
  'coupon_deleted',
  'coupon_changed',
  'coupon_expired',
  'deadline',
  'party_banned',
  'party_left',
] as const;
export type DealReason = (typeof DEAL_REASONS)[number];
export const dealReasonSchema = z.enum(DEAL_REASONS);

/** The same of a bid. */
export const BID_REASONS = [
  'by_bidder',
  'by_owner',
  'rival_accepted',
  'rival_completed',
  'coupon_deleted',
  'coupon_changed',
  'coupon_expired',
  'deadline',
  'party_banned',
  'party_left',
] as const;
export type BidReason = (typeof BID_REASONS)[number];
export const bidReasonSchema = z.enum(BID_REASONS);

/** Characters of the message that comes with a proposal or a bid. */
export const DEAL_MESSAGE_MAX = 1_000;

export type ExchangeSide = 'requester' | 'owner';

/**
 * Who may move an exchange from where to where (spec/2 section 4, decisions 3.3). The server judges by this
 * table and the browser draws its buttons from it.
 */
export const EXCHANGE_TRANSITIONS: Record<
  DealStatus,
  Partial<Record<DealStatus, readonly ExchangeSide[]>>
> = {
  pending: { accepted: ['owner'], rejected: ['owner'], cancelled: ['requester'] },
  accepted: { completed: ['requester', 'owner'], cancelled: ['requester', 'owner'] },
  rejected: {},
  completed: {},
  cancelled: {},
};

/** The states an exchange can move to by the hand of one side. */
export function allowedExchangeMoves(status: DealStatus, side: ExchangeSide): DealStatus[] {
  return DEAL_STATUSES.filter((to) => EXCHANGE_TRANSITIONS[status][to]?.includes(side));
}

export type BidSide = 'bidder' | 'owner';

/**
 * Who may move a bid from where to where (spec/2 section 4, decisions 3.4). An accepted bid is binding: only the
 * payment completes it, and only its deadline cancels it, by nobody's hand.
 */
export const BID_TRANSITIONS: Record<DealStatus, Partial<Record<DealStatus, readonly BidSide[]>>> = {
  pending: { accepted: ['owner'], rejected: ['owner'], cancelled: ['bidder'] },
  accepted: { completed: [], cancelled: [] },
  rejected: {},
  completed: {},
  cancelled: {},
};

/** The states a bid can move to by the hand of one side. */
export function allowedBidMoves(status: DealStatus, side: BidSide): DealStatus[] {
  return DEAL_STATUSES.filter((to) => BID_TRANSITIONS[status][to]?.includes(side));
}

/** Days until a deal lapses (decisions 3.6). */
export const DEADLINE_DAYS = {
  exchangePending: 14,
  exchangeAccepted: 14,
  bidPending: 7,
  bidAccepted: 2,
} as const;
