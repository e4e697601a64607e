import { PAYMENT_PROVIDERS, type PaymentProviderName } from '#contract/sellers.ts';
import { notFound } from '#server/core/errors.ts';
import { inTransaction } from '#server/database/client.ts';
import type { Context } from '../context.ts';
import { refreshAccount } from '../sellers/service.ts';
import { attemptAct } from './acts.ts';
import { ACTS_AT, type ActName, hurryAct, listWaitingPayouts } from './acts-store.ts';
import { processEvents } from './events.ts';
import { reopenEvent } from './events-store.ts';
import { settleFromProvider, translateErrors } from './settlement.ts';
import { findPayment } from './store.ts';

export { markHandled as markDifferenceHandled } from './differences-store.ts';

const ACTS: readonly string[] = PAYMENT_PROVIDERS.flatMap((provider) => ACTS_AT[provider]);
const isAct = (name: string): name is ActName => ACTS.includes(name);

/** Makes one attempt at an open act now, under a new key, also at one that was given up. A failure is stored with it. */
export async function retryAct(ctx: Context, paymentId: number, act: string): Promise<void> {
  if (!isAct(act)) return;
  const isOpen = await inTransaction(ctx.db, (trx) => hurryAct(trx, paymentId, act, ctx.clock()));
  if (isOpen) await attemptAct(ctx, paymentId, act);
}

/** Reads a payment from its provider and settles it. @throws AppError not_found, payments_unavailable */
export async function retryPayment(ctx: Context, paymentId: number): Promise<void> {
  const payment = await findPayment(ctx.db, paymentId);
  if (!payment) throw notFound('Payment');
  await translateErrors(settleFromProvider(ctx, payment));
}

/** Processes an event again that was given up or fails. */
export async function retryEvent(
  ctx: Context,
  provider: PaymentProviderName,
  eventId: string,
): Promise<void> {
  await reopenEvent(ctx.db, { provider, eventId }, ctx.clock());
  await processEvents(ctx, { provider, eventId });
}

const PAYOUTS_AT_ONCE = 20;

/** Reads a seller's account from its provider, and tries the payouts that wait for the seller. @throws AppError payments_unavailable */
export async function retryPayoutsOf(
  ctx: Context,
  sellerId: number,
  provider: PaymentProviderName,
): Promise<void> {
  await translateErrors(refreshAccount(ctx, { provider, userId: sellerId, accountRef: null }));
  const waiting = await listWaitingPayouts(ctx.db, { sellerId, provider, limit: PAYOUTS_AT_ONCE });
  for (const paymentId of waiting) await retryAct(ctx, paymentId, 'payout');
}
