import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Sandbox, SandboxEvent, SandboxOptions } from '../sandbox.ts';
import { newId, now } from './objects.ts';

/** Seconds after which an event is sent again while nobody has taken it. */
const RETRY_SECONDS = [1, 5, 30];

interface Keys {
  readonly webhookId: string;
  /** What the stand-in signs with; PayPal has a certificate for it. */
  readonly signingKey: string;
}

export interface Transmission {
  readonly id: string;
  readonly time: string;
}

export interface Webhooks extends Pick<Sandbox, 'waiting' | 'deliver' | 'drop'> {
  /** Makes an event and sends it, or keeps it for `deliver`. */
  emit(type: string, resourceType: string, resource: unknown): void;
  close(): void;
}

/** A signature over transmission id, time, webhook id and the body's bytes, as PayPal's are. */
function sign(keys: Keys, { id, time }: Transmission, body: string): string {
  const digest = createHash('sha256').update(body).digest('hex');
  return createHmac('sha256', keys.signingKey)
    .update([id, time, keys.webhookId, digest].join('|'))
    .digest('base64');
}

/** Whether a signature is of these very bytes. */
export function isSigned(keys: Keys, transmission: Transmission, body: string, signature: string): boolean {
  const expected = Buffer.from(sign(keys, transmission, body));
  const given = Buffer.from(signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** The stand-in's post office: at once and again while nobody takes an event, or held until a test asks. */
export function createWebhooks(
  options: Pick<SandboxOptions, 'webhooks' | 'webhookUrl'>,
  keys: Keys,
): Webhooks {
  const held: SandboxEvent[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const closing = new AbortController();

  const deliver: Webhooks['deliver'] = async (event, { tamper = false, at, unsigned = false } = {}) => {
    const url = options.webhookUrl();
    if (url === null) return 0;
    const transmission = { id: randomUUID(), time: (at ?? new Date()).toISOString() };
    const signed = unsigned ? {} : signatureHeaders(keys, transmission, event.body);
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'PayPal sandbox', ...signed },
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

  return {
    emit(type, resourceType, resource) {
      const event = eventOf(type, resourceType, resource);
      if (options.webhooks === 'held') held.push(event);
      else void sendUntilTaken(event);
    },
    waiting: () => [...held],
    deliver,
    drop,
    close() {
      closing.abort();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function eventOf(type: string, resourceType: string, resource: unknown): SandboxEvent {
  const id = `WH-${newId()}-${newId()}`;
  const body = JSON.stringify({
    id,
    event_version: '1.0',
    create_time: now(),
    resource_type: resourceType,
    event_type: type,
    summary: type,
    resource,
    links: [],
  });
  return { id, type, body };
}

function signatureHeaders(keys: Keys, transmission: Transmission, body: string) {
  return {
    'paypal-transmission-id': transmission.id,
    'paypal-transmission-time': transmission.time,
    'paypal-transmission-sig': sign(keys, transmission, body),
    'paypal-cert-url': 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-sandbox',
    'paypal-auth-algo': 'SHA256withRSA',
  };
}

function tampered(body: string): string {
  return body.replace(/\}\s*$/, ',"tampered":true}');
}
