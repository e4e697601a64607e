import { z } from 'zod';
import { couponSummarySchema } from './coupons.ts';
import { DEAL_MESSAGE_MAX, DEAL_STATUSES, dealReasonSchema, dealStatusSchema } from './deals.ts';
import {
  idSchema,
  instantSchema,
  optionalTextSchema,
  pagingSchema,
  removableTextSchema,
  searchSchema,
} from './primitives.ts';
import { TEXTS } from './texts.ts';

export const proposeExchangeInputSchema = z.object({
  requestedCouponId: idSchema,
  offeredCouponId: z.int(TEXTS.exchanges.chooseCoupon).pipe(idSchema),
  message: optionalTextSchema(DEAL_MESSAGE_MAX),
});
export type ProposeExchangeInput = z.output<typeof proposeExchangeInputSchema>;

/** A change to a pending proposal: a missing field stays, a null or blank message is removed (decisions 3.7). */
export const reviseExchangeInputSchema = z
  .object({
    id: idSchema,
    offeredCouponId: idSchema.optional(),
    message: removableTextSchema(DEAL_MESSAGE_MAX).optional(),
  })
  .refine((input) => input.offeredCouponId !== undefined || input.message !== undefined, {
    message: 'Give a coupon to offer or a message to change',
    path: ['offeredCouponId'],
  });
export type ReviseExchangeInput = z.output<typeof reviseExchangeInputSchema>;

/**
 * A move. `offeredCouponId` is the offer that the caller sees: if it has changed since, the move is refused, so
 * that nobody accepts an offer that they have not seen.
 */
export const setExchangeStatusInputSchema = z.object({
  id: idSchema,
  status: z.enum(DEAL_STATUSES).exclude(['pending']),
  offeredCouponId: idSchema.optional(),
});
export type SetExchangeStatusInput = z.output<typeof setExchangeStatusInputSchema>;

export const EXCHANGE_TABS = ['all', 'requested', 'received', 'pending', 'completed'] as const;

export const listExchangesInputSchema = pagingSchema.extend({
  tab: z.enum(EXCHANGE_TABS).default('all'),
  search: searchSchema,
});
export type ListExchangesInput = z.output<typeof listExchangesInputSchema>;

/** An exchange as its two parties see it. */
export const exchangeSchema = z.object({
  id: idSchema,
  status: dealStatusSchema,
  /** Why it ended, if a rule or a person ended it; else null. */
  reason: dealReasonSchema.nullable(),
  /** The initial request message. */
  message: z.string().nullable(),
  requesterId: idSchema,
  requesterUsername: z.string(),
  /** The owner at the time of the proposal; completion changes the owners of both coupons. */
  requestedCouponOwnerId: idSchema,
  requestedCouponOwnerUsername: z.string(),
  requestedCoupon: couponSummarySchema,
  offeredCoupon: couponSummarySchema,
  createdAt: instantSchema,
  updatedAt: instantSchema,
  acceptedAt: instantSchema.nullable(),
  completedAt: instantSchema.nullable(),
  /** When it lapses unless somebody acts; null after it has ended. */
  deadlineAt: instantSchema.nullable(),
});

export type Exchange = z.output<typeof exchangeSchema>;
export type ExchangeTab = (typeof EXCHANGE_TABS)[number];
