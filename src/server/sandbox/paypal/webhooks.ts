import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createPostOffice, type PostOffice } from '../post-office.ts';
import type { SandboxEvent, SandboxOptions } from '../running.ts';
import { newId, now } from './objects.ts';

interface Keys {
  readonly webhookId: string;
  /** What the sandbox signs with; PayPal has a certificate for it. */
  readonly signingKey: string;
}

export interface Transmission {
  readonly id: string;
  readonly time: string;
}

export interface Webhooks extends Omit<PostOffice, 'post'> {
  /** Makes an event and sends it, or keeps it for `deliver`. */
  emit(type: string, resourceType: string, resource: unknown): void;
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

/** The sandbox's webhooks, signed so that it can verify them itself. */
export function createWebhooks(
  options: Pick<SandboxOptions, 'webhooks' | 'webhookUrl'>,
  keys: Keys,
): Webhooks {
  const { post, ...office } = createPostOffice(options, (body, at) =>
    signatureHeaders(keys, { id: randomUUID(), time: at.toISOString() }, body),
  );
  return { ...office, emit: (type, resourceType, resource) => post(eventOf(type, resourceType, resource)) };
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
    'user-agent': 'PayPal sandbox',
    'paypal-transmission-id': transmission.id,
    'paypal-transmission-time': transmission.time,
    'paypal-transmission-sig': sign(keys, transmission, body),
    'paypal-cert-url': 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-sandbox',
    'paypal-auth-algo': 'SHA256withRSA',
  };
}
