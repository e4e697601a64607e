import { z } from 'zod';
import { couponSummarySchema } from './coupons.ts';
import { DEAL_MESSAGE_MAX, DEAL_STATUSES, dealReasonSchema, dealStatusSchema } from './deals.ts';
import {
  idSchema,
  instantSchema,
  optionalTextSchema,
  pagingSchema,
  searchSchema,
  textSchema,
} from './primitives.ts';
import { TEXTS } from './texts.ts';

export const proposeExchangeInputSchema = z.object({
  requestedCouponId: idSchema,
  offeredCouponId: z.int(TEXTS.exchanges.chooseCoupon).pipe(idSchema),
  message: optionalTextSchema(DEAL_MESSAGE_MAX),
});
export type ProposeExchangeInput = z.output<typeof proposeExchangeInputSchema>;

/** A change to a pending proposal: what is missing stays, a null or blank message goes (decisions 3.7). */
export const reviseExchangeInputSchema = z
  .object({
    id: idSchema,
    offeredCouponId: idSchema.optional(),
    message: textSchema(DEAL_MESSAGE_MAX)
      .nullable()
      .transform((text) => text || null)
      .optional(),
  })
  .refine((input) => input.offeredCouponId !== undefined || input.message !== undefined, {
    message: 'Give a coupon to offer or a message to change',
    path: ['offeredCouponId'],
  });
export type ReviseExchangeInput = z.output<typeof reviseExchangeInputSchema>;

/**
 * A move. `offeredCouponId` is the offer that the caller has before their eyes: if it has been changed since, the
 * move is refused, so that nobody accepts what they have not seen.
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

/** An exchange as either of its parties sees it. */
export const exchangeSchema = z.object({
  id: idSchema,
  status: dealStatusSchema,
  /** Why it ended, where a rule or a person ended it. */
  reason: dealReasonSchema.nullable(),
  /** The initial request message. */
  message: z.string().nullable(),
  requesterId: idSchema,
  requesterUsername: z.string(),
  /** The owner of the requested coupon when it was asked for; both coupons change owners at completion. */
  requestedCouponOwnerId: idSchema,
  requestedCouponOwnerUsername: z.string(),
  requestedCoupon: couponSummarySchema,
  offeredCoupon: couponSummarySchema,
  createdAt: instantSchema,
  updatedAt: instantSchema,
  acceptedAt: instantSchema.nullable(),
  completedAt: instantSchema.nullable(),
  /** When it lapses unless somebody acts; null once it has ended. */
  deadlineAt: instantSchema.nullable(),
});

export type Exchange = z.output<typeof exchangeSchema>;
export type ExchangeTab = (typeof EXCHANGE_TABS)[number];
