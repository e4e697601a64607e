import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { ofField } from '#contract/base/input-texts.ts';
import {
  idInputSchema,
  idSchema,
  instantSchema,
  pageSchema,
  pagingSchema,
} from '#contract/base/primitives.ts';
import { dealStatusSchema, dealTypeSchema } from '#contract/deals/deals.ts';

/** The most addresses of a person. */
export const WEBHOOKS_MAX = 10;
/** Length in characters of an address. */
export const WEBHOOK_URL_MAX = 1_000;
/** How long the secret before the last one still signs, too. */
export const OLD_SECRET_HOURS = 24;
/** How long we keep what was sent. */
export const DELIVERIES_KEPT_DAYS = 30;
/** After so many days without a success an address is switched off. */
export const FAILING_DAYS = 7;

/** What programs can be told of. */
export const WEBHOOK_EVENTS = [
  'bid.placed',
  'bid.countered',
  'bid.accepted',
  'bid.rejected',
  'bid.cancelled',
  'bid.completed',
  'exchange.proposed',
  'exchange.countered',
  'exchange.changed',
  'exchange.accepted',
  'exchange.rejected',
  'exchange.cancelled',
  'exchange.completed',
  'message.received',
  'rating.received',
  'claim.opened',
  'claim.answered',
  'claim.withdrawn',
  'claim.decided',
  'payment.paid',
  'payment.final',
  'payment.refunded',
  'payment.disputed',
  'payout.paid',
  'payout.failed',
  'wish.found',
] as const;
const webhookEventSchema = z.enum(WEBHOOK_EVENTS).meta({ id: 'WebhookEvent' });
export type WebhookEvent = z.output<typeof webhookEventSchema>;

/** The event that `Send a test` sends; nobody chooses it. */
export const TEST_EVENT = 'webhook.test';

const deal = { dealType: dealTypeSchema, dealId: idSchema };
const coupons = { couponIds: z.array(idSchema).describe('Every coupon that it is about') };

const dealNewsSchema = z.object({ ...deal, ...coupons, status: dealStatusSchema }).meta({ id: 'DealNews' });
const talkNewsSchema = z.object(deal).meta({ id: 'TalkNews' });
const claimNewsSchema = z.object({ ...deal, ...coupons }).meta({ id: 'ClaimNews' });
const paymentNewsSchema = z.object({ ...deal, ...coupons, paymentId: idSchema }).meta({ id: 'PaymentNews' });

/** What an event says besides its type, by the first part of the type. Never a code, an amount, a text or a person. */
const WEBHOOK_DATA = {
  bid: dealNewsSchema,
  exchange: dealNewsSchema,
  message: talkNewsSchema,
  rating: talkNewsSchema,
  claim: claimNewsSchema,
  payment: paymentNewsSchema,
  payout: paymentNewsSchema,
  wish: z.object(coupons),
  webhook: z.object({ endpointId: idSchema }),
} as const;

export interface WebhookData {
  readonly dealType?: z.output<typeof dealTypeSchema>;
  readonly dealId?: number;
  readonly couponIds?: readonly number[];
  readonly paymentId?: number;
  readonly status?: z.output<typeof dealStatusSchema>;
}

/** The body that we send for an event. */
export function webhookBodySchema(type: WebhookEvent | typeof TEST_EVENT) {
  const [subject = ''] = type.split('.');
  return z.object({
    type: z.literal(type),
    timestamp: instantSchema,
    data: WEBHOOK_DATA[subject as keyof typeof WEBHOOK_DATA],
  });
}

const urlSchema = z
  .string()
  .trim()
  .max(WEBHOOK_URL_MAX, { error: ofField(() => t`Must have at most ${WEBHOOK_URL_MAX} characters`) })
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: ofField(() => t`Must be a web address such as https://example.org/hook`),
  });

const eventsSchema = z
  .array(webhookEventSchema)
  .min(1, { error: ofField(() => t`Choose at least one event`) })
  .max(WEBHOOK_EVENTS.length)
  .transform((events) => WEBHOOK_EVENTS.filter((event) => events.includes(event)));

export const createWebhookInputSchema = z.object({
  url: urlSchema,
  events: eventsSchema,
  isForAll: z
    .boolean()
    .default(false)
    .describe('Whether it gets the events of everybody in this market; for admins only'),
});
export type CreateWebhookInput = z.output<typeof createWebhookInputSchema>;

export const updateWebhookInputSchema = idInputSchema.extend({
  url: urlSchema.optional(),
  events: eventsSchema.optional(),
  isOn: z.boolean().optional().describe('Nothing is stored for an address that is off'),
});
export type UpdateWebhookInput = z.output<typeof updateWebhookInputSchema>;

export const webhookSchema = z.object({
  id: idSchema,
  url: z.string(),
  events: z.array(z.string()),
  isForAll: z.boolean(),
  createdAt: instantSchema,
  /** Since when no attempt has succeeded; null: the last one did, or there was none. */
  failingSince: instantSchema.nullable(),
  /** Null: it is on. */
  disabledAt: instantSchema.nullable(),
  /** Until when the secret before this one still signs, too; null: there is none. */
  oldSecretUntil: instantSchema.nullable(),
});
webhookSchema.register(z.globalRegistry, { id: 'Webhook' });
export type Webhook = z.output<typeof webhookSchema>;

/** The secret is shown in this answer alone. */
export const webhookSecretSchema = z
  .object({ id: idSchema, secret: z.string() })
  .meta({ id: 'WebhookSecret' });
export type WebhookSecret = z.output<typeof webhookSecretSchema>;

export const listDeliveriesInputSchema = pagingSchema.extend(idInputSchema.shape);
export type ListDeliveriesInput = z.output<typeof listDeliveriesInputSchema>;

/** Why an attempt failed where there is no status that says it. */
const DELIVERY_PROBLEMS = [
  'not_public',
  'unknown_host',
  'not_reached',
  'too_slow',
  'refused',
  'redirect',
] as const;
const deliveryProblemSchema = z.enum(DELIVERY_PROBLEMS).meta({ id: 'DeliveryProblem' });
export type DeliveryProblem = z.output<typeof deliveryProblemSchema>;

const deliverySchema = z.object({
  id: idSchema,
  /** The header `webhook-id`: the same on every attempt. */
  eventId: z.string(),
  type: z.string(),
  /** The body as it is sent. */
  body: z.string(),
  createdAt: instantSchema,
  attempts: z.int(),
  deliveredAt: instantSchema.nullable(),
  /** When we try next; null: it has arrived, or we have given up. */
  nextAt: instantSchema.nullable(),
  /** The HTTP status of the last answer. */
  lastStatus: z.int().nullable(),
  lastProblem: deliveryProblemSchema.nullable(),
});
export type Delivery = z.output<typeof deliverySchema>;
export const deliveriesSchema = pageSchema(deliverySchema);

export const sendAgainInputSchema = idInputSchema.extend({ deliveryId: idSchema });
export type SendAgainInput = z.output<typeof sendAgainInputSchema>;
