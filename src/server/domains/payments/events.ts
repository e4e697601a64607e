import type { PaymentProviderName } from '#contract/sellers.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { type ProviderEvent, ProviderRefusal } from '#server/providers/payments.ts';
import type { Context } from '../context.ts';
import { refreshAccount, unavailable } from '../sellers/service.ts';
import * as events from './events-store.ts';
import { nextTry } from './rules.ts';
import { settleFromProvider } from './settlement.ts';
import * as store from './store.ts';

/** An event about something we do not know of is asked about so often: its payment may be written down later. */
const EVENT_TRIES = 12;
const EVENTS_AT_ONCE = 200;

/**
 * Takes a provider's event: checks its signature against the body as it came, writes it down once, and acts on it.
 * The provider is told that we have it even where acting on it fails: it is tried again from here.
 * @throws AppError not_found (not set up here), bad_input (unsigned, tampered with, too old), payments_unavailable
 *   (its signature cannot be checked now)
 */
export async function receiveEvent(
  ctx: Context,
  given: { provider: PaymentProviderName; body: string; headers: Readonly<Record<string, string>> },
): Promise<void> {
  const { provider: name, body, headers } = given;
  const provider = ctx.providers.payments[name];
  if (!provider) throw notFound('Payment provider');
  let event: ProviderEvent;
  try {
    event = await provider.readEvent(body, headers);
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw unavailable(error);
    ctx.log.warn({ provider: name, reason: error.code }, 'refused an event that its provider has not signed');
    throw new AppError('bad_input', 'The signature of this event is not valid', { cause: error });
  }
  await events.insertEvent(ctx.db, { provider: name, event, body, at: ctx.clock() });
  await processEvents(ctx, { provider: name, eventId: event.id });
}

/** Acts on the events that wait. @returns how many have had their effect */
export async function processEvents(
  ctx: Context,
  only?: { provider: PaymentProviderName; eventId: string },
): Promise<number> {
  const now = ctx.clock();
  const taken = await events.takeEvents(ctx.db, {
    now,
    until: nextTry(1, now),
    limit: EVENTS_AT_ONCE,
    ...(only && { only }),
  });
  let count = 0;
  for (const event of taken) {
    try {
      const isKnown = await act(ctx, event);
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

/** Reads anew what the event is about: what it says itself may be old. @returns whether it is known here */
async function act(ctx: Context, { provider, subject }: events.StoredEvent): Promise<boolean> {
  if (subject.kind === 'other') return true;
  if (subject.kind === 'account') {
    const { userId, accountRef } = subject;
    await refreshAccount(ctx, { provider, userId, accountRef });
    return true;
  }
  const byRef = subject.ref === null ? null : await store.findPaymentByRef(ctx.db, provider, subject.ref);
  const payment =
    byRef ?? (subject.paymentId === null ? null : await store.findPayment(ctx.db, subject.paymentId));
  if (!payment || payment.provider !== provider) return false;
  return settleFromProvider(ctx, payment, subject.ref);
}
