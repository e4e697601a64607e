import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { SandboxEvent } from '#sandbox/server.ts';
import { type Api, parseJson, readBody } from './http.ts';
import { newId, now } from './objects.ts';
import { missing } from './refusals.ts';

interface Keys {
  readonly webhookId: string;
  /** PayPal uses a certificate instead. */
  readonly signingKey: string;
}

interface Transmission {
  readonly id: string;
  readonly time: string;
}

/** Signs the transmission's id and time, the webhook's id and the body's bytes, as PayPal does. */
function sign(keys: Keys, { id, time }: Transmission, body: string): string {
  const digest = createHash('sha256').update(body).digest('hex');
  return createHmac('sha256', keys.signingKey)
    .update([id, time, keys.webhookId, digest].join('|'))
    .digest('base64');
}

function isSigned(keys: Keys, transmission: Transmission, body: string, signature: string): boolean {
  const expected = Buffer.from(sign(keys, transmission, body));
  const given = Buffer.from(signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

export function eventOf(type: string, resourceType: string, resource: unknown): SandboxEvent {
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

/** The headers of a webhook that is sent at this time. */
export function signatureHeaders(keys: Keys, body: string, at: Date) {
  const transmission = { id: randomUUID(), time: at.toISOString() };
  return {
    'user-agent': 'PayPal sandbox',
    'paypal-transmission-id': transmission.id,
    'paypal-transmission-time': transmission.time,
    'paypal-transmission-sig': sign(keys, transmission, body),
    'paypal-cert-url': 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-sandbox',
    'paypal-auth-algo': 'SHA256withRSA',
  };
}

const EVENT_FIELD = '"webhook_event":';

const questionSchema = z.object({
  transmission_id: z.string(),
  transmission_time: z.string(),
  transmission_sig: z.string(),
  cert_url: z.string(),
  auth_algo: z.string(),
  webhook_id: z.string(),
  webhook_event: z.record(z.string(), z.unknown()),
});

/** The call that checks a webhook's signature over the event's exact bytes. */
export function addVerification(api: Api, keys: Keys): void {
  api.post('/v1/notifications/verify-webhook-signature', async (request) => {
    const question = readBody(request, questionSchema);
    const transmission = { id: question.transmission_id, time: question.transmission_time };
    const isOurs = question.webhook_id === keys.webhookId;
    const isGood =
      isOurs && isSigned(keys, transmission, eventText(request.rawBody), question.transmission_sig);
    return { status: 200, body: { verification_status: isGood ? 'SUCCESS' : 'FAILURE' } };
  });
}

/** The event exactly as it was sent. It is the body's last field. */
function eventText(rawBody: string): string {
  const text = rawBody.slice(rawBody.indexOf(EVENT_FIELD) + EVENT_FIELD.length, rawBody.lastIndexOf('}'));
  parseJson(text);
  return text;
}

/** The webhook of our setting, which gets all events. @param url where browsers reach it */
export function addWebhook(api: Api, { webhookId }: Keys, url: string): void {
  api.get('/v1/notifications/webhooks/:id', async ({ id }) => {
    if (id !== webhookId) throw missing();
    return { status: 200, body: { id, url, event_types: [{ name: '*', status: 'ENABLED' }], links: [] } };
  });
}
