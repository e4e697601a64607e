import { t } from '@lingui/core/macro';
import type { WebhookInput } from '#contract/money/payments.ts';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import type { Context } from '#server/context/context.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { addressKey, type RateLimit } from '#server/core/rate-limit.ts';
import { paymentsUnavailable, refreshAccount } from '#server/people/sellers/service.ts';
import { type ProviderEvent, ProviderRefusal } from '#server/providers/payments.ts';
import * as events from './events-store.ts';
import { nextTry } from './rules.ts';
import { settleFromProvider } from './settlement.ts';
import * as store from './store.ts';

/** Tries for an event about an unknown payment, which may be stored later. */
const EVENT_TRIES = 12;
const EVENTS_AT_ONCE = 200;

/** Forged events of one address: checking one can cost a call to its provider. */
const FORGERIES: RateLimit = { name: 'forged-events', points: 30, seconds: 600 };

/** Without it an event is not signed at all. */
const SIGNATURE_HEADERS: Readonly<Record<PaymentProviderName, string>> = {
  stripe: 'stripe-signature',
  paypal: 'paypal-transmission-sig',
};

/**
 * Receives a webhook: verifies the signature over the raw body, stores the event once, and processes it. Succeeds even
 * if processing fails, as the stored event is retried. The body of what is not signed at all is not read.
 * @throws AppError not_found (provider not set up), bad_input (no, bad or expired signature), rate_limited (too many of
 *   those), payments_unavailable (the signature cannot be checked now)
 */
export async function receiveEvent(ctx: Context, given: WebhookInput): Promise<void> {
  const { provider: name, headers, read } = given;
  const provider = ctx.providers.payments[name];
  if (!provider) throw notFound(t`Payment provider not found`);
  const wait = await ctx.limiter.waitFor(FORGERIES, addressKey(ctx.ip));
  if (wait > 0)
    throw new AppError('rate_limited', t`Too many events without a signature`, { retryAfter: wait });
  if (!headers[SIGNATURE_HEADERS[name]]) throw await forged(ctx, name, 'unsigned');
  const body = await read();
  let event: ProviderEvent;
  try {
    event = await provider.readEvent(body, headers);
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw paymentsUnavailable(error);
    throw await forged(ctx, name, error.code, error);
  }
  await events.insertEvent(ctx.db, { provider: name, event, body, at: ctx.clock() });
  await processEvents(ctx, { provider: name, eventId: event.id });
}

/** Counts a forgery. @returns the refusal */
async function forged(ctx: Context, provider: PaymentProviderName, reason: string, cause?: Error) {
  await ctx.limiter.consume(FORGERIES, addressKey(ctx.ip));
  ctx.log.warn({ provider, reason }, 'refused an event that its provider has not signed');
  return new AppError('bad_input', t`The signature of this event is not valid`, { cause });
}

/** Processes a provider's waiting events, or one of them. @returns the number of events that are done */
export async function processEvents(
  ctx: Context,
  only: { provider: PaymentProviderName; eventId?: string },
): Promise<number> {
  const now = ctx.clock();
  const taken = await events.takeEvents(ctx.db, {
    now,
    until: nextTry(1, now),
    limit: EVENTS_AT_ONCE,
    only,
  });
  let count = 0;
  for (const event of taken) {
    try {
      const isKnown = await processEvent(ctx, event);
      if (isKnown || event.attempts >= EVENT_TRIES) {
        await events.finishEvent(ctx.db, event, ctx.clock(), isKnown ? null : 'It is about nothing of ours');
        count += 1;
      } else {
        await events.putOffEvent(ctx.db, event, nextTry(event.attempts, now), 'Its subject is not known yet');
      }
    } catch (error) {
      ctx.log.warn(
        { err: error, provider: event.provider, event: event.eventId },
        'an event waits for another try',
      );
      const text = error instanceof Error ? error.message : String(error);
      await events.putOffEvent(ctx.db, event, nextTry(event.attempts, now), text);
    }
  }
  return count;
}

/**
 * Refreshes the event's subject from the provider; the event's own content may be stale.
 * @returns whether the subject is known
 */
async function processEvent(ctx: Context, { provider, subject }: events.StoredEvent): Promise<boolean> {
  if (subject.kind === 'other') return true;
  if (subject.kind === 'account') {
    const { userId, accountRef } = subject;
    await refreshAccount(ctx, { provider, userId, accountRef });
    return true;
  }
  const { ref } = subject;
  const byRef = ref === null ? null : await store.findPaymentByRef(ctx.db, provider, ref);
  if (byRef) return (await settleFromProvider(ctx, byRef)) !== null;
  const publicId = subject.publicId ?? (await readPublicId(ctx, provider, ref));
  // Something else on the same account at the provider: none of our business.
  if (publicId === null) return true;
  const payment = await store.findPaymentByPublicId(ctx.db, publicId);
  if (payment?.provider !== provider) return false;
  return (await settleFromProvider(ctx, payment, ref)) !== null;
}

/** Our id of a payment that an event names by the provider's id only. */
async function readPublicId(ctx: Context, name: PaymentProviderName, ref: string | null) {
  const state = ref === null ? null : await ctx.providers.payments[name]?.readPayment(ref);
  return state?.publicId ?? null;
}

/** Processes an event again that was given up or fails. */
export async function retryEvent(
  ctx: Context,
  provider: PaymentProviderName,
  eventId: string,
): Promise<void> {
  await events.reopenEvent(ctx.db, { provider, eventId }, ctx.clock());
  await processEvents(ctx, { provider, eventId });
}
