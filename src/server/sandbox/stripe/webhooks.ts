import Stripe from 'stripe';
import { createPostOffice, type PostOffice } from '../post-office.ts';
import type { SandboxOptions } from '../running.ts';
import { newId, now, type Shelves } from './objects.ts';

/** Only its signing is used: it asks nobody. */
const signer = new Stripe('sk_test_unused');

/** What an event of this type is about. */
type ObjectOf<Type> = Extract<Stripe.Event, { type: Type }>['data']['object'];

export interface Webhooks extends Omit<PostOffice, 'post'> {
  /** Makes a snapshot event about an object as it is now. */
  emit<Type extends Stripe.Event['type']>(type: Type, object: ObjectOf<Type>): Promise<void>;
  /** Makes a thin event about a v2 account: it says only which. */
  emitThin(type: string, accountId: string): void;
}

/** The sandbox's webhooks, signed as Stripe signs them. */
export function createWebhooks(
  options: Pick<SandboxOptions, 'webhooks' | 'webhookUrl'> & { webhookSecret: string },
  shelves: Shelves,
): Webhooks {
  const { post, ...office } = createPostOffice(options, (body, at) => ({
    'user-agent': 'Stripe sandbox',
    'stripe-signature': signatureOf(body, options.webhookSecret, at),
  }));
  const send = (event: { id: string; type: string }) =>
    post({ id: event.id, type: event.type, body: JSON.stringify(event, null, 2) });
  return {
    ...office,
    emit: async (type, object) => send(await shelves.events.put(snapshotEvent(type, object))),
    emitThin: (type, accountId) => send(thinEvent(type, accountId)),
  };
}

/** The header over time and body that Stripe sends with a webhook. */
export function signatureOf(payload: string, secret: string, at: Date): string {
  const timestamp = Math.floor(at.getTime() / 1_000);
  return signer.webhooks.generateTestHeaderString({ payload, secret, timestamp });
}

function snapshotEvent<Type extends Stripe.Event['type']>(type: Type, object: ObjectOf<Type>): Stripe.Event {
  const event = {
    id: newId('evt'),
    object: 'event' as const,
    api_version: Stripe.API_VERSION,
    created: now(),
    data: { object },
    livemode: false as const,
    pending_webhooks: 1,
    request: { id: newId('req'), idempotency_key: null },
    type,
  };
  // Which object goes with which type is checked at `emit`: within a generic tsc cannot pair them.
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
