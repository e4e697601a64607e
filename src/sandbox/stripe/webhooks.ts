import { createHmac } from 'node:crypto';
import type Stripe from 'stripe';
import { z } from 'zod';
import type { SandboxServer } from '#sandbox/server.ts';
import type { Api } from './http.ts';
import { API_VERSION, newId, now, type ObjectOf, type StripeContext } from './objects.ts';
import { readParams } from './params.ts';

/** The `stripe-signature` header of a webhook. */
export function signatureOf(payload: string, secret: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1_000);
  const digest = createHmac('sha256', secret).update(`${seconds}.${payload}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}

/** The two kinds of Stripe's events. */
export function createEmitters(post: SandboxServer['post']): Pick<StripeContext, 'emit' | 'emitThin'> {
  const send = (event: { id: string; type: string }) =>
    post({ id: event.id, type: event.type, body: JSON.stringify(event, null, 2) });
  return {
    emit(type, object, account) {
      const event = snapshotEvent(type, object);
      send(account === undefined ? event : { ...event, account });
    },
    emitThin: (type, accountId) => send(thinEvent(type, accountId)),
  };
}

function snapshotEvent<Type extends Stripe.Event['type']>(type: Type, object: ObjectOf<Type>): Stripe.Event {
  const event = {
    id: newId('evt'),
    object: 'event' as const,
    api_version: API_VERSION,
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

const listParams = z.strictObject({
  include: z.array(z.literal('webhook_endpoint.url')).default([]),
  limit: z.coerce.number().optional(),
});

/** The list of event destinations: ours is one, which gets all events. @param url where browsers reach it */
export function addEventDestinations(api: Api, url: string): void {
  api.get('/v2/core/event_destinations', async ({ input }) => {
    const { include } = readParams(input, listParams);
    const at = new Date().toISOString();
    const destination: Omit<Stripe.V2.Core.EventDestination, 'lastResponse'> = {
      id: 'ed_test_sandbox',
      object: 'v2.core.event_destination',
      created: at,
      description: '',
      enabled_events: ['*'],
      event_payload: 'snapshot',
      livemode: false,
      name: 'The marketplace',
      status: 'enabled',
      type: 'webhook_endpoint',
      updated: at,
      webhook_endpoint: { ...(include.length > 0 && { url }) },
    };
    return { data: [destination], next_page_url: null, previous_page_url: null };
  });
}
