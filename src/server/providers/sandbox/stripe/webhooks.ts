import Stripe from 'stripe';
import type { Sandbox, SandboxEvent, SandboxOptions } from '../sandbox.ts';
import { newId, now, type Shelves } from './objects.ts';

/** Seconds after which an event is sent again while nobody has taken it. */
const RETRY_SECONDS = [1, 5, 30];

/** Only its signing is used: it asks nobody. */
const signer = new Stripe('sk_test_unused');

export interface Webhooks extends Pick<Sandbox, 'waiting' | 'deliver' | 'drop'> {
  /** Makes a snapshot event about an object as it is now. */
  emit(type: string, object: object): Promise<void>;
  /** Makes a thin event about a v2 account: it says only which. */
  emitThin(type: string, accountId: string): void;
  close(): void;
}

/** The stand-in's post office: at once and again while nobody takes an event, or held until a test asks. */
export function createWebhooks(
  options: Pick<SandboxOptions, 'webhooks' | 'webhookUrl'> & { webhookSecret: string },
  shelves: Shelves,
): Webhooks {
  const held: SandboxEvent[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const closing = new AbortController();

  const deliver: Webhooks['deliver'] = async (event, { tamper = false, at, unsigned = false } = {}) => {
    const url = options.webhookUrl();
    if (url === null) return 0;
    const signature = signatureOf(event.body, options.webhookSecret, at ?? new Date());
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe sandbox',
        ...(!unsigned && { 'stripe-signature': signature }),
      },
      body: tamper ? tampered(event.body) : event.body,
      signal: closing.signal,
    });
    await answer.arrayBuffer();
    if (answer.ok) drop(event);
    return answer.status;
  };

  const drop = (event: SandboxEvent) => {
    const index = held.findIndex(({ id }) => id === event.id);
    if (index >= 0) held.splice(index, 1);
  };

  const sendUntilTaken = async (event: SandboxEvent, tries = 0): Promise<void> => {
    // Nobody there, or gone in between: the same as a refusal.
    const status = await deliver(event).catch(() => 0);
    const wait = RETRY_SECONDS[tries];
    if ((status >= 200 && status < 300) || wait === undefined || closing.signal.aborted) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      void sendUntilTaken(event, tries + 1);
    }, wait * 1_000);
    timers.add(timer.unref());
  };

  const post = (event: { id: string; type: string }) => {
    const made = { id: event.id, type: event.type, body: JSON.stringify(event, null, 2) };
    if (options.webhooks === 'held') held.push(made);
    else void sendUntilTaken(made);
  };

  return {
    emit: async (type, object) => post(await shelves.events.put(snapshotEvent(type, object))),
    emitThin: (type, accountId) => post(thinEvent(type, accountId)),
    waiting: () => [...held],
    deliver,
    drop,
    close() {
      closing.abort();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** The header over time and body that Stripe sends with a webhook. */
export function signatureOf(payload: string, secret: string, at: Date): string {
  const timestamp = Math.floor(at.getTime() / 1_000);
  return signer.webhooks.generateTestHeaderString({ payload, secret, timestamp });
}

function snapshotEvent(type: string, object: object) {
  return {
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

function tampered(body: string): string {
  return body.replace(/\}\s*$/, ',"tampered":true}');
}
