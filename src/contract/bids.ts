import { z } from 'zod';
import { couponSummarySchema } from './coupons.ts';
import { bidReasonSchema, DEAL_MESSAGE_MAX, DEAL_STATUSES, dealStatusSchema } from './deals.ts';
import { MAX_BID_CENTS, MIN_BID_CENTS } from './fees.ts';
import { decimalToCents } from './money.ts';
import { protectionSchema } from './payments.ts';
import { amountSchema, idSchema, instantSchema, optionalTextSchema, pagingSchema } from './primitives.ts';
import { TEXTS } from './texts.ts';

/** What a person types as a bid, in dollars: '12', '12.5' or '12.50'. The texts are those of spec/2 section 5. */
const bidAmountSchema = z
  .string(TEXTS.bids.amountRequired)
  .trim()
  .min(1, TEXTS.bids.amountRequired)
  .regex(/^(?=.*[1-9])\d{1,8}(\.\d{1,2})?$/, TEXTS.bids.amountPositive)
  .refine((text) => centsOf(text) >= MIN_BID_CENTS, TEXTS.bids.amountTooSmall)
  .refine((text) => centsOf(text) <= MAX_BID_CENTS, TEXTS.bids.amountTooLarge)
  .describe('Canadian dollars as a decimal text: "12", "12.5" or "12.50"');

/** For the refinements, which run on texts that the pattern has refused, too. */
function centsOf(text: string): number {
  return /^\d{1,8}(\.\d{1,2})?$/.test(text) ? decimalToCents(text) : Number.NaN;
}

export const placeBidInputSchema = z.object({
  couponId: idSchema,
  /** A decimal text in CAD dollars. */
  amount: bidAmountSchema,
  message: optionalTextSchema(DEAL_MESSAGE_MAX),
});
export type PlaceBidInput = z.output<typeof placeBidInputSchema>;

export const setBidStatusInputSchema = z.object({
  id: idSchema,
  status: z.enum(DEAL_STATUSES).extract(['accepted', 'rejected', 'cancelled']),
});
export type SetBidStatusInput = z.output<typeof setBidStatusInputSchema>;

const BID_ROLES = ['all', 'bidder', 'owner'] as const;
export type BidRole = (typeof BID_ROLES)[number];

export const listBidsInputSchema = pagingSchema.extend({
  /** On which side of the bids the caller stands. The owner's are grouped by coupon, the rest newest first. */
  role: z.enum(BID_ROLES).default('all'),
  /** Whether to show those that still ask for something, or all. */
  onlyOpen: z.boolean().default(false),
});
export type ListBidsInput = z.output<typeof listBidsInputSchema>;

/** A bid as either of its parties sees it. */
export const bidSchema = z.object({
  id: idSchema,
  couponId: idSchema,
  bidderId: idSchema,
  bidderUsername: z.string(),
  /** The coupon's owner when the bid was placed: the seller. */
  ownerId: idSchema,
  ownerUsername: z.string(),
  /** A decimal text in CAD dollars with two digits. */
  amount: amountSchema,
  status: dealStatusSchema,
  /** Why it ended, where a rule or a person ended it. */
  reason: bidReasonSchema.nullable(),
  message: z.string().nullable(),
  coupon: couponSummarySchema,
  /** The highest among the pending and accepted bids on the coupon. Told to the seller alone; others get null. */
  isHighest: z.boolean().nullable(),
  /** Whether the seller can be paid now. */
  isSellerReady: z.boolean(),
  /** How the payment stands, once there has been one. */
  protection: protectionSchema.nullable(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
  acceptedAt: instantSchema.nullable(),
  completedAt: instantSchema.nullable(),
  /** When it lapses unless somebody acts; null once it has ended. */
  deadlineAt: instantSchema.nullable(),
});

export type Bid = z.output<typeof bidSchema>;
