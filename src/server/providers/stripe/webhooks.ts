import type Stripe from 'stripe';
import type { WebhookTarget } from '../payments.ts';
import { asking } from './client.ts';

/** The events that docs/payments.md lists. */
export const NEEDED_EVENTS = [
  'payment_intent.succeeded',
  'payment_intent.processing',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
  'transfer.created',
  'transfer.updated',
  'transfer.reversed',
  'payout.paid',
  'payout.failed',
  'v2.core.account[requirements].updated',
  'v2.core.account[configuration.recipient].capability_status_updated',
  'v2.core.account.closed',
] as const;

/** All event destinations: Stripe lists the older webhook endpoints among them. */
export async function listWebhooks(stripe: Stripe): Promise<WebhookTarget[]> {
  return asking(async () => {
    const targets: WebhookTarget[] = [];
    for await (const target of stripe.v2.core.eventDestinations.list({ include: ['webhook_endpoint.url'] })) {
      const { enabled_events: events, status, webhook_endpoint } = target;
      if (webhook_endpoint?.url)
        targets.push({ url: webhook_endpoint.url, isEnabled: status === 'enabled', events });
    }
    return targets;
  });
}
