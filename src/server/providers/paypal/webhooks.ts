import { z } from 'zod';
import type { WebhookTarget } from '../payments.ts';
import { orNull, type PaypalClient } from './client.ts';

/** The events that docs/payments.md lists. */
export const NEEDED_EVENTS = [
  'CHECKOUT.ORDER.APPROVED',
  'PAYMENT.CAPTURE.COMPLETED',
  'PAYMENT.CAPTURE.PENDING',
  'PAYMENT.CAPTURE.DENIED',
  'PAYMENT.CAPTURE.DECLINED',
  'PAYMENT.CAPTURE.REFUNDED',
  'PAYMENT.CAPTURE.REVERSED',
  'PAYMENT.REFUND.PENDING',
  'PAYMENT.REFUND.FAILED',
  'PAYMENT.REFERENCED-PAYOUT-ITEM.COMPLETED',
  'PAYMENT.REFERENCED-PAYOUT-ITEM.FAILED',
  'CUSTOMER.DISPUTE.CREATED',
  'CUSTOMER.DISPUTE.UPDATED',
  'CUSTOMER.DISPUTE.RESOLVED',
  'MERCHANT.ONBOARDING.COMPLETED',
  'MERCHANT.PARTNER-CONSENT.REVOKED',
] as const;

const webhookSchema = z.object({
  url: z.string(),
  event_types: z.array(z.object({ name: z.string(), status: z.string().optional() })).default([]),
});

/** The webhook of our setting; none where PayPal does not know it. PayPal has no switch for a whole webhook. */
export async function listWebhooks(ask: PaypalClient, webhookId: string): Promise<WebhookTarget[]> {
  const path = `/v1/notifications/webhooks/${encodeURIComponent(webhookId)}`;
  const found = await orNull(ask({ method: 'GET', path }, webhookSchema));
  if (found === null) return [];
  const events = found.event_types.filter(({ status }) => status !== 'DISABLED').map(({ name }) => name);
  return [{ url: found.url, isEnabled: true, events }];
}
