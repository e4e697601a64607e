import Stripe from 'stripe';
import { z } from 'zod';
import { createPostOffice, type PostOffice, type SandboxOptions } from '../server.ts';
import type { Api } from './http.ts';
import { newId, now, type Shelves } from './objects.ts';
import { missing, pageOf, pageParams, readParams } from './params.ts';

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

/** What every part of the sandbox works with. */
export interface Desk {
  readonly shelves: Shelves;
  readonly webhooks: Webhooks;
  /** Under which the browser reaches /browser/*. */
  readonly browserUrl: () => string;
  /** Lets a payment that is 'processing' succeed after a while. */
  readonly finishLater: (intentId: string) => void;
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

const listParams = z.strictObject({
  type: z.string().optional(),
  types: z.array(z.string()).optional(),
  ...pageParams,
});

/** What has happened, to be read by whoever has missed a webhook. */
export function addEvents(api: Api, { shelves }: Desk): void {
  api.get('/v1/events', async ({ input }) => {
    const { type, types, ...page } = readParams(input, listParams);
    const events = (await shelves.events.list()).filter(
      (event) => (type === undefined || event.type === type) && (types?.includes(event.type) ?? true),
    );
    return pageOf(events, page, '/v1/events');
  });

  api.get('/v1/events/:id', async ({ id }) => {
    const event = await shelves.events.get(id);
    if (event === null) throw missing('event', id);
    return event;
  });
}
