import { z } from 'zod';
import {
  amountSchema,
  idSchema,
  instantSchema,
  optionalTextSchema,
  pagingSchema,
} from '#contract/base/primitives.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { couponSummarySchema } from '#contract/coupons/coupons.ts';
import { feeRatesSchema } from '#contract/money/fees.ts';
import { protectionSchema } from '#contract/money/payments.ts';
import { bidAmountSchema } from './bid-amounts.ts';
import { bidReasonSchema, DEAL_MESSAGE_MAX, DEAL_STATUSES, dealStatusSchema, ROUNDS_MAX } from './deals.ts';
import { standingSchema } from './standing.ts';

export const placeBidInputSchema = z.object({
  couponId: idSchema,
  /** A decimal text in the base currency. */
  amount: bidAmountSchema,
  message: optionalTextSchema(DEAL_MESSAGE_MAX),
  acknowledgeNoCode: z
    .boolean()
    .optional()
    .describe('The bidder knows that the coupon has no code on file and nothing will be revealed to them'),
  mustWait: z
    .boolean()
    .optional()
    .describe('Refuses the bid where the asking price of the coupon would accept it at once'),
});
/** A bid on a coupon without a code. */
export const placeBidWithoutCodeInputSchema = placeBidInputSchema.extend({
  acknowledgeNoCode: z.literal(true, { error: TEXTS.bids.confirmNoCode }),
});
export type PlaceBidInput = z.output<typeof placeBidInputSchema>;

/** Buy now: a bid of exactly the asking price. */
export const buyInputSchema = placeBidInputSchema.pick({ couponId: true, acknowledgeNoCode: true }).extend({
  expectedAmount: bidAmountSchema.describe(
    'The asking price that the buyer has seen; refused if it is another now',
  ),
});
export type BuyInput = z.output<typeof buyInputSchema>;

const seenAmountSchema = amountSchema.describe(
  'The amount of the round that is answered, as the caller has seen it; refused if it is another now',
);

export const setBidStatusInputSchema = z.object({
  id: idSchema,
  status: z.enum(DEAL_STATUSES).extract(['accepted', 'rejected', 'cancelled']),
  expectedAmount: seenAmountSchema.optional().describe('Needed to accept in any round but the first'),
});
export type SetBidStatusInput = z.output<typeof setBidStatusInputSchema>;

/** An answer with another amount: the seller asks more than the bid, the bidder bids less than the seller asks. */
export const counterBidInputSchema = z.object({
  id: idSchema,
  amount: bidAmountSchema,
  expectedAmount: seenAmountSchema,
});
export type CounterBidInput = z.output<typeof counterBidInputSchema>;

/** An answer by another amount. */
const bidCounterSchema = z.object({
  round: z.int().min(2).max(ROUNDS_MAX),
  by: z.enum(['bidder', 'owner']),
  from: amountSchema,
  to: amountSchema,
  createdAt: instantSchema,
});

const BID_ROLES = ['all', 'bidder', 'owner'] as const;
export type BidRole = (typeof BID_ROLES)[number];

export const listBidsInputSchema = pagingSchema.extend({
  /**
   * Whether the caller's placed bids, received bids or both are listed. Received bids are grouped by coupon, others
   * newest first.
   */
  role: z.enum(BID_ROLES).default('all'),
  /** Whether to list only bids that somebody can still act on. */
  onlyOpen: z.boolean().default(false),
});
export type ListBidsInput = z.output<typeof listBidsInputSchema>;

/** A bid as its two parties see it. */
export const bidSchema = z.object({
  id: idSchema,
  couponId: idSchema,
  /** The exchange in which the bidder pays this for the coupon besides their own; null for a bid. */
  exchangeId: idSchema.nullable(),
  bidderId: idSchema,
  bidderUsername: z.string(),
  bidderStanding: standingSchema,
  /** The coupon's owner at the time of the bid: the seller. */
  ownerId: idSchema,
  ownerUsername: z.string(),
  ownerStanding: standingSchema,
  /** What the bidder bids, or has accepted. */
  amount: amountSchema,
  round: z.int().min(1).max(ROUNDS_MAX).describe('In odd rounds the seller answers, in even ones the bidder'),
  /** What the seller asks instead, in the rounds that the bidder answers. */
  counterAmount: amountSchema.nullable(),
  counters: z.array(bidCounterSchema).describe('The rounds after the first, oldest first'),
  /** Those in force when it was accepted; today's before that. */
  feeRates: feeRatesSchema,
  status: dealStatusSchema,
  /** Why it ended, if a rule or a person ended it; else null. */
  reason: bidReasonSchema.nullable(),
  isAutomatic: z.boolean().describe('Whether the asking price that its owner had set accepted it at once'),
  message: z.string().nullable(),
  coupon: couponSummarySchema,
  /** Whether it is the highest pending or accepted bid on the coupon. Only the seller sees it; others get null. */
  isHighest: z.boolean().nullable(),
  /** Whether it waits and is below the seller's lowest price. Only the seller sees it; others get null. */
  isBelowFloor: z.boolean().nullable(),
  /** Whether the seller's account can receive payments now. */
  isSellerReady: z.boolean(),
  /** The state of the payment; null before there is one. */
  protection: protectionSchema.nullable(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
  acceptedAt: instantSchema.nullable(),
  completedAt: instantSchema.nullable(),
  /**
   * Until when the bidder, who is new and whose bid an asking price accepted, has to begin to pay; null: they have, or have
   * the usual time.
   */
  beginBy: instantSchema.nullable(),
  /** When it lapses unless somebody acts; null after it has ended. */
  deadlineAt: instantSchema.nullable(),
});
bidSchema.register(z.globalRegistry, { id: 'Bid' });

export type Bid = z.output<typeof bidSchema>;
