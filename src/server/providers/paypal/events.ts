import { z } from 'zod';
import { uuidOrNull } from '#server/core/uuid.ts';
import { type ProviderEvent, ProviderRefusal } from '../payments.ts';
import type { PaypalClient, PaypalClientSettings } from './client.ts';
import { userOfTrackingId } from './onboarding.ts';
import { readCapture } from './orders.ts';
import { captureSchema } from './schemas.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/** PayPal repeats an event for three days; an older one is a replay. */
const MAX_AGE_MS = 3 * 24 * 60 * 60 * 1_000;
/** How far PayPal's clock may be ahead of ours. */
const MAX_AHEAD_MS = 5 * 60 * 1_000;

const signatureSchema = z.object({
  'paypal-transmission-id': z.string().min(1),
  'paypal-transmission-time': z.iso.datetime({ offset: true }),
  'paypal-transmission-sig': z.string().min(1),
  // Forged events fail here, before we ask PayPal about them.
  'paypal-cert-url': z.url({ protocol: /^https$/, hostname: /(^|\.)paypal\.com$/ }),
  'paypal-auth-algo': z.string().min(1),
});

const verdictSchema = z.object({ verification_status: z.enum(['SUCCESS', 'FAILURE']) });

const eventSchema = z.object({
  id: z.string().min(1),
  event_type: z.string().min(1),
  resource: z.record(z.string(), z.unknown()).default({}),
});

const orderResource = z.object({
  id: z.string(),
  purchase_units: z.array(z.object({ custom_id: z.string().optional() })).default([]),
});

const linksSchema = z.array(z.object({ rel: z.string(), href: z.string() })).default([]);

/** A capture, or a refund with a link to its capture. */
const captureResource = captureSchema
  .pick({ id: true, custom_id: true, supplementary_data: true })
  .extend({ links: linksSchema });

const disputeResource = z.object({
  disputed_transactions: z
    .array(z.object({ custom: z.string().optional(), seller_transaction_id: z.string().optional() }))
    .default([]),
});

const merchantResource = z.object({ merchant_id: z.string().min(1), tracking_id: z.string().optional() });

const payoutResource = z.object({ custom: z.string().optional(), custom_id: z.string().optional() });

/**
 * Asks PayPal to verify a webhook's signature, and returns the subject of the event.
 * @param rawBody the unchanged body: PayPal verifies these bytes
 * @throws ProviderRefusal invalid_signature, ProviderUnreachable
 */
export async function readEvent(
  ask: PaypalClient,
  { webhookId }: PaypalClientSettings,
  rawBody: string,
  headers: Headers,
): Promise<ProviderEvent> {
  const signature = signatureSchema.safeParse(headers).data;
  if (!signature) throw invalid('The event is not signed');
  const age = Date.now() - Date.parse(signature['paypal-transmission-time']);
  if (age > MAX_AGE_MS || age < -MAX_AHEAD_MS) throw invalid('The event is not of these days');
  const event = parseEvent(rawBody);
  const { verification_status } = await ask(
    {
      method: 'POST',
      path: '/v1/notifications/verify-webhook-signature',
      rawBody: verificationBody(signature, webhookId, rawBody),
    },
    verdictSchema,
  );
  if (verification_status !== 'SUCCESS') throw invalid('The signature does not fit the event');
  return { id: event.id, type: event.event_type, subject: await subjectOf(ask, event) };
}

/** Splices the raw event into the request: parsing and serialising it would change the signed bytes. */
function verificationBody(
  signature: z.infer<typeof signatureSchema>,
  webhookId: string,
  rawBody: string,
): string {
  const question = JSON.stringify({
    auth_algo: signature['paypal-auth-algo'],
    cert_url: signature['paypal-cert-url'],
    transmission_id: signature['paypal-transmission-id'],
    transmission_sig: signature['paypal-transmission-sig'],
    transmission_time: signature['paypal-transmission-time'],
    webhook_id: webhookId,
  });
  return `${question.slice(0, -1)},"webhook_event":${rawBody}}`;
}

/** Accepts exactly one JSON value: anything else could break out of the request that it is spliced into. */
function parseEvent(rawBody: string): z.infer<typeof eventSchema> {
  try {
    return eventSchema.parse(JSON.parse(rawBody));
  } catch (error) {
    throw new ProviderRefusal('invalid_signature', 'The event cannot be read', error);
  }
}

type Subject = ProviderEvent['subject'];

const OTHER: Subject = { kind: 'other' };

async function subjectOf(
  ask: PaypalClient,
  { event_type, resource }: z.infer<typeof eventSchema>,
): Promise<Subject> {
  const isAbout = (...families: string[]) => families.some((family) => event_type.startsWith(`${family}.`));
  if (isAbout('CHECKOUT.ORDER')) {
    const order = orderResource.safeParse(resource).data;
    return order ? payment(order.id, order.purchase_units[0]?.custom_id) : OTHER;
  }
  if (isAbout('PAYMENT.CAPTURE', 'PAYMENT.REFUND')) return captureSubject(ask, resource);
  if (isAbout('CUSTOMER.DISPUTE')) return disputeSubject(ask, resource);
  if (isAbout('MERCHANT')) {
    const merchant = merchantResource.safeParse(resource).data;
    if (!merchant) return OTHER;
    const userId = userOfTrackingId(merchant.tracking_id ?? '');
    return { kind: 'account', accountRef: merchant.merchant_id, userId };
  }
  const payout = payoutResource.safeParse(resource).data;
  return payment(null, payout?.custom_id ?? payout?.custom);
}

async function captureSubject(ask: PaypalClient, resource: unknown): Promise<Subject> {
  const capture = captureResource.safeParse(resource).data;
  if (!capture) return OTHER;
  const subject = payment(orderOf(capture), capture.custom_id);
  if (subject.kind !== 'other') return subject;
  // A refund made on PayPal's own pages names only its capture.
  const up = capture.links.find(({ rel }) => rel === 'up')?.href;
  return subjectOfCapture(ask, /\/captures\/([A-Z0-9]+)$/i.exec(up ?? '')?.[1]);
}

async function disputeSubject(ask: PaypalClient, resource: unknown): Promise<Subject> {
  const disputed = disputeResource.safeParse(resource).data?.disputed_transactions[0];
  const subject = payment(null, disputed?.custom);
  return subject.kind === 'other' ? subjectOfCapture(ask, disputed?.seller_transaction_id) : subject;
}

/** Reads the capture that an event names only by its id. */
async function subjectOfCapture(ask: PaypalClient, captureId: string | undefined): Promise<Subject> {
  const capture = captureId === undefined ? null : await readCapture(ask, captureId);
  return capture ? payment(orderOf(capture), capture.custom_id) : OTHER;
}

function orderOf(capture: Pick<z.infer<typeof captureSchema>, 'supplementary_data'>): string | null {
  return capture.supplementary_data?.related_ids?.order_id ?? null;
}

function payment(ref: string | null, customId: string | undefined): Subject {
  const publicId = uuidOrNull(customId);
  return ref === null && publicId === null ? OTHER : { kind: 'payment', ref, publicId };
}

function invalid(text: string): ProviderRefusal {
  return new ProviderRefusal('invalid_signature', text);
}
