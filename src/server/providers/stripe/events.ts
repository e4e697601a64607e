import type Stripe from 'stripe';
import { z } from 'zod';
import { uuidOrNull } from '#server/core/uuid.ts';
import { type ProviderEvent, ProviderRefusal } from '../payments.ts';
import { idOf, ourId, stripeSdk } from './client.ts';

type Subject = ProviderEvent['subject'];

/** A signature older than this counts as a replay. */
const TOLERANCE_SECONDS = 300;

const OTHER: Subject = { kind: 'other' };

const frameSchema = z.object({ id: z.string().min(1), type: z.string().min(1) });

/**
 * Verifies a webhook's signature with each of our secrets and returns the subject of the event.
 * @throws ProviderRefusal invalid_signature
 */
export function readEvent(
  stripe: Stripe,
  secrets: readonly string[],
  rawBody: string,
  headers: Readonly<Record<string, string | undefined>>,
): ProviderEvent {
  const signature = headers['stripe-signature'];
  if (signature === undefined) throw invalid('unsigned');
  const isThin = looksThin(rawBody);
  for (const secret of secrets) {
    try {
      return isThin
        ? thinEvent(stripe.parseEventNotification(rawBody, signature, secret, TOLERANCE_SECONDS))
        : snapshotEvent(stripe.webhooks.constructEvent(rawBody, signature, secret, TOLERANCE_SECONDS));
    } catch (error) {
      if (!(error instanceof stripeSdk().errors.StripeSignatureVerificationError)) throw error;
    }
  }
  throw invalid('not signed with any of our secrets, or too old');
}

/** Which of the two event formats the body claims to be. Both are verified before use. */
function looksThin(rawBody: string): boolean {
  try {
    const body: unknown = JSON.parse(rawBody);
    return typeof body === 'object' && body !== null && 'object' in body && body.object === 'v2.core.event';
  } catch (error) {
    throw invalid('no JSON', error);
  }
}

/** What is signed may still be no event. @throws ProviderRefusal invalid_signature */
function checkFrame(event: unknown): void {
  if (!frameSchema.safeParse(event).success) throw invalid('no event');
}

function thinEvent(event: Stripe.V2.Core.EventNotification): ProviderEvent {
  checkFrame(event);
  const related = 'related_object' in event ? event.related_object : null;
  const id = related && 'id' in related ? related.id : null;
  const isAccount = related?.type === 'v2.core.account' && typeof id === 'string';
  const subject: Subject = isAccount ? account(id, undefined) : OTHER;
  return { id: event.id, type: event.type, subject };
}

function snapshotEvent(event: Stripe.Event): ProviderEvent {
  checkFrame(event);
  if (!z.looseObject({ object: z.looseObject({}) }).safeParse(event.data).success) throw invalid('no event');
  return { id: event.id, type: event.type, subject: subjectOf(event) };
}

function subjectOf(event: Stripe.Event): Subject {
  if (event.type === 'account.application.deauthorized') {
    return event.account === undefined ? OTHER : account(event.account, undefined);
  }
  const { object } = event.data;
  if (!('object' in object)) return OTHER;
  switch (object.object) {
    case 'payment_intent':
      return payment(object.id, object.metadata);
    case 'charge':
    case 'refund':
    case 'dispute':
      return payment(idOf(object.payment_intent), object.metadata);
    case 'transfer':
      return payment(null, object.metadata);
    case 'payout':
      // To the bank of the seller whose account the event names.
      return event.account === undefined ? OTHER : account(event.account, undefined);
    case 'account':
      return account(object.id, object.metadata?.seller_id);
    default:
      return OTHER;
  }
}

/** Disputes and refunds carry their own metadata; the payment intent identifies the payment. */
function payment(ref: string | null, metadata: Stripe.Metadata | null): Subject {
  const publicId = uuidOrNull(metadata?.payment_id);
  return ref === null && publicId === null ? OTHER : { kind: 'payment', ref, publicId };
}

function account(accountRef: string, sellerId: string | undefined): Subject {
  return { kind: 'account', accountRef, userId: ourId(sellerId) };
}

function invalid(why: string, cause?: unknown): ProviderRefusal {
  return new ProviderRefusal('invalid_signature', `The webhook is not from Stripe: ${why}`, cause);
}
