import type Stripe from 'stripe';
import { stripeSdk } from '#server/providers/stripe/client.ts';
import type { SandboxServer } from '../server.ts';
import { newId, now, type ObjectOf, type Stored, type StripeContext } from './objects.ts';

/** The `stripe-signature` header of a webhook. */
export function signatureOf(payload: string, secret: string, at: Date): string {
  const timestamp = Math.floor(at.getTime() / 1_000);
  return stripeSdk().webhooks.generateTestHeaderString({ payload, secret, timestamp });
}

/** The two kinds of Stripe's events. Snapshot events are stored too, for GET /v1/events. */
export function createEmitters(
  post: SandboxServer['post'],
  stored: Stored,
): Pick<StripeContext, 'emit' | 'emitThin'> {
  const send = (event: { id: string; type: string }) =>
    post({ id: event.id, type: event.type, body: JSON.stringify(event, null, 2) });
  return {
    emit: async (type, object, account) => {
      const event = snapshotEvent(type, object);
      send(await stored.events.put(account === undefined ? event : { ...event, account }));
    },
    emitThin: (type, accountId) => send(thinEvent(type, accountId)),
  };
}

function snapshotEvent<Type extends Stripe.Event['type']>(type: Type, object: ObjectOf<Type>): Stripe.Event {
  const event = {
    id: newId('evt'),
    object: 'event' as const,
    api_version: stripeSdk().API_VERSION,
    created: now(),
    data: { object },
    livemode: false as const,
    pending_webhooks: 1,
    request: { id: newId('req'), idempotency_key: null },
    type,
  };
  // `emit` checks that type and object belong together. Inside this generic function tsc cannot pair them.
  return event as unknown as Stripe.Event;
}

function thinEvent(type: string, accountId: string) {
  return {
    id: newId('evt'),
    object: 'v2.core.event',
    context: null,
    created: new Date().toISOString(),
    livemode: false,
    reason: null,
    related_object: {
      id: accountId,
      type: 'v2.core.account',
      url: `/v2/core/accounts/${accountId}`,
    },
    type,
  };
}
