import { z } from 'zod';
import { couponSummarySchema } from './coupons.ts';
import { dealStatusSchema } from './deals.ts';
import { amountSchema, idSchema, instantSchema, pagingSchema } from './primitives.ts';

export const NOTIFICATION_TYPES = [
  'exchange_request',
  'exchange_accepted',
  'exchange_rejected',
  'exchange_completed',
  'message',
  'other',
] as const;
const notificationTypeSchema = z.enum(NOTIFICATION_TYPES);
export type NotificationType = z.output<typeof notificationTypeSchema>;

export const notificationSchema = z.object({
  id: idSchema,
  type: notificationTypeSchema,
  content: z.string(),
  relatedId: idSchema.nullable(),
  /** The page about the thing told of: a path of this site. */
  link: z.string(),
  isRead: z.boolean(),
  createdAt: instantSchema,
});

export type Notification = z.output<typeof notificationSchema>;

/** Whether somebody wants to be told of a kind of news, and how. News of one's own account comes always. */
export const notificationPreferenceSchema = z.object({
  type: notificationTypeSchema,
  inApp: z.boolean(),
  mail: z.boolean(),
});
export type NotificationPreference = z.output<typeof notificationPreferenceSchema>;

/** The link in a mail: who, which kind, and our own seal on both. */
export const unsubscribeInputSchema = z.object({ token: z.string().min(1).max(300) });

export const unsubscribedSchema = z.object({ type: notificationTypeSchema });

/** The dropdown shows this many. */
export const NOTIFICATIONS_IN_DROPDOWN = 5;

export const listNotificationsInputSchema = pagingSchema;

/** The badge's number counts no further than `COUNT_CAP`. */
export const unreadCountSchema = z.object({ unread: z.int() });

const LOG_ACTIONS = [
  'created',
  'accepted',
  'completed',
  'rejected',
  'cancelled',
  'verified',
  'expired',
  'updated',
  'payment',
  'refund',
  'signup',
  'login',
  'profile',
] as const;
const logActionSchema = z.enum(LOG_ACTIONS);
export type LogAction = z.output<typeof logActionSchema>;

/** One line of a person's Transaction History. */
export const transactionLogSchema = z.object({
  id: idSchema,
  action: logActionSchema,
  userId: idSchema,
  details: z.string(),
  exchangeId: idSchema.nullable(),
  bidId: idSchema.nullable(),
  couponId: idSchema.nullable(),
  paymentId: idSchema.nullable(),
  createdAt: instantSchema,
  exchange: z
    .object({
      status: dealStatusSchema,
      requestedCoupon: couponSummarySchema,
      offeredCoupon: couponSummarySchema,
    })
    .nullable(),
  bid: z.object({ status: dealStatusSchema, amount: amountSchema, coupon: couponSummarySchema }).nullable(),
});

export type TransactionLog = z.output<typeof transactionLogSchema>;
