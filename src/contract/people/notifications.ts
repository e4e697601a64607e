import { z } from 'zod';
import { amountSchema, idSchema, instantSchema, pagingSchema } from '#contract/base/primitives.ts';
import { couponSummarySchema } from '#contract/coupons/coupons.ts';
import { dealStatusSchema } from '#contract/deals/deals.ts';

export const NOTIFICATION_TYPES = [
  'exchange_request',
  'exchange_accepted',
  'exchange_rejected',
  'exchange_completed',
  'message',
  'want',
  'match',
  'other',
  // Comes by email only.
  'weekly',
] as const;
const notificationTypeSchema = z.enum(NOTIFICATION_TYPES).meta({ id: 'NotificationType' });
export type NotificationType = z.output<typeof notificationTypeSchema>;

export const notificationSchema = z.object({
  id: idSchema,
  type: notificationTypeSchema,
  content: z.string(),
  relatedId: idSchema.nullable(),
  /** The path of the page about the notification's subject, on this site. */
  link: z.string(),
  isRead: z.boolean(),
  createdAt: instantSchema,
});
notificationSchema.register(z.globalRegistry, { id: 'Notification' });

export type Notification = z.output<typeof notificationSchema>;

/** Whether and how somebody is notified of one type. Notifications about one's own account are always sent. */
export const notificationPreferenceSchema = z.object({
  type: notificationTypeSchema,
  inApp: z.boolean(),
  mail: z.boolean(),
  push: z.boolean().optional().describe('By a push to the person’s browsers; left out: as it was'),
  daily: z
    .boolean()
    .optional()
    .describe('Whether its mails come together, once a day; only for "want", where it is so by default'),
});
export type NotificationPreference = z.output<typeof notificationPreferenceSchema>;

/** The token in a mail's unsubscribe link: the person and the notification type, signed. */
export const unsubscribeInputSchema = z.object({ token: z.string().min(1).max(300) });

export const unsubscribedSchema = z.object({ type: notificationTypeSchema });

export const listNotificationsInputSchema = pagingSchema;

/** At most `COUNT_CAP`. */
export const unreadCountSchema = z.object({ unread: z.int() }).meta({ id: 'UnreadCount' });

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
const logActionSchema = z.enum(LOG_ACTIONS).meta({ id: 'LogAction' });
export type LogAction = z.output<typeof logActionSchema>;

/** The parts of the Transaction History: what the account itself does (signing in, its profile), and the rest. */
const logKindSchema = z.enum(['all', 'deals', 'account']).meta({ id: 'LogKind' });
export type LogKind = z.output<typeof logKindSchema>;
export const ACCOUNT_ACTIONS = ['signup', 'login', 'profile'] as const satisfies readonly LogAction[];

export const listTransactionLogsInputSchema = pagingSchema.extend({
  kind: logKindSchema.default('all'),
});
export type ListTransactionLogsInput = z.output<typeof listTransactionLogsInputSchema>;

/** An entry of a person's Transaction History. */
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
transactionLogSchema.register(z.globalRegistry, { id: 'TransactionLog' });

export type TransactionLog = z.output<typeof transactionLogSchema>;
