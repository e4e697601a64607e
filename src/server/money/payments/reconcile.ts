import { PAYMENT_PROVIDERS, type PaymentProviderName } from '#contract/people/sellers.ts';
import type { Context } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import {
  cancelUnpaidBid,
  findPayableBid,
  lockPayableBid,
  type PayableBid,
} from '#server/deals/bids/service.ts';
import { cancelAcceptedExchange } from '#server/deals/lifecycle/service.ts';
import { processEvents } from './events.ts';
import { ensureAtProvider, giveUp } from './opening.ts';
import { attemptDue, countInWorkers } from './operations.ts';
import { OPERATIONS_AT } from './operations-store.ts';
import { settlePrices } from './price-refunds.ts';
import { endOfPayable, isPayable, isUnsettled, nextTry } from './rules.ts';
import { settle, settleFromProvider } from './settlement.ts';
import * as store from './store.ts';
import { listUnpaidBids } from './unpaid-bids-store.ts';

const AT_ONCE = 200;

/** Moves on what needs no user. @returns how many payments, events or bids */
export type Worker = (ctx: Context) => Promise<number>;

/**
 * The work on payments that needs no user: a worker for each provider and operation, so that a provider that hangs delays
 * nothing of the other.
 */
export const PAYMENT_WORKERS: Readonly<Record<string, Worker>> = {
  'leg-prices': settlePrices,
  ...Object.fromEntries(
    PAYMENT_PROVIDERS.flatMap((provider) => [
      [`events-${provider}`, (ctx: Context) => processEvents(ctx, { provider })],
      [`payments-${provider}`, (ctx: Context) => refreshDue(ctx, provider)],
      [`unpaid-bids-${provider}`, (ctx: Context) => lapseUnpaidBids(ctx, provider)],
      ...OPERATIONS_AT[provider].map((kind) => [
        `${kind}s-${provider}`,
        (ctx: Context) => attemptDue(ctx, provider, kind),
      ]),
    ]),
  ),
};

/** Refreshes a provider's payments whose outcome is not known. @returns the number whose status changed */
async function refreshDue(ctx: Context, provider: PaymentProviderName): Promise<number> {
  const now = ctx.clock();
  const due = await store.takeUnsettled(ctx.db, { provider, now, until: nextTry(2, now), limit: AT_ONCE });
  return countInWorkers(ctx, 'paymentId', due, (id) => refreshUnsettled(ctx, id));
}

/** The wait between checks of a payment that waits for its buyer, in tries (`nextTry`). */
const CALM_TRIES = 6;

/** Refreshes an unsettled payment from the provider. @returns whether its status changed */
async function refreshUnsettled(ctx: Context, id: number): Promise<boolean> {
  const payment = await store.findPayment(ctx.db, id);
  const provider = payment && ctx.providers.payments[payment.provider];
  if (!payment || !provider || !isUnsettled(payment.status)) return false;
  const bid = await findPayableBid(ctx.db, payment.bidId);
  if (payment.ref === null && bid) {
    // The answer to its creation was lost; the same key returns it again.
    if (bid.status === 'accepted') await settle(ctx, id, await ensureAtProvider(provider, payment, bid));
    else await giveUp(ctx, payment);
  } else if (bid && bid.status !== 'accepted' && isPayable(payment.status)) {
    await giveUp(ctx, payment);
  } else {
    await settleFromProvider(ctx, payment);
  }
  const after = await store.findPayment(ctx.db, id);
  if (after && isPayable(after.status)) {
    const now = ctx.clock();
    await inTransaction(ctx.db, (trx) =>
      store.updatePayment(trx, after, { nextTryAt: nextTry(CALM_TRIES, now) }, now),
    );
  }
  return after?.status !== payment.status;
}

/**
 * Ends accepted bids that were not paid in time (decisions 3.4), and exchanges whose prices were not, or whose coupon has
 * expired before all have paid. An open payment is cancelled at the provider first; one that is processing or has just
 * succeeded counts as paid.
 * @param provider only bids with a payment under way there; null: only those without one
 * @returns the number of ended bids
 */
export async function lapseUnpaidBids(ctx: Context, provider?: PaymentProviderName | null): Promise<number> {
  const given = { now: ctx.clock(), limit: AT_ONCE, ...(provider !== undefined && { provider }) };
  return countInWorkers(ctx, 'bidId', await listUnpaidBids(ctx.db, given), async (bidId) => {
    const payment = await store.findPaymentOfBid(ctx.db, bidId);
    if (payment && isPayable(payment.status)) {
      // The buyer may have begun to pay, and has more time then.
      await settleFromProvider(ctx, payment);
      if (!isOver(await findPayableBid(ctx.db, bidId), ctx)) return false;
      await giveUp(ctx, payment);
    }
    return lapse(ctx, bidId);
  });
}

const isOver = (bid: PayableBid | null, { clock }: Context) =>
  bid !== null && endOfPayable(bid, clock()) !== null;

async function lapse(ctx: Context, bidId: number): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    const bid = await lockPayableBid(trx, bidId);
    const at = ctx.clock();
    const reason = endOfPayable(bid, at);
    if (reason === null) return false;
    if (bid.exchangeId !== null) {
      const payments = await store.lockPaymentsOfExchange(trx, bid.exchangeId);
      if (payments.some(({ status }) => isUnsettled(status))) return false;
      return cancelAcceptedExchange(trx, { id: bid.exchangeId, couponIds: bid.couponIds, reason, at });
    }
    const payment = await store.findPaymentOfBid(trx, bidId);
    if (payment !== null && isUnsettled(payment.status)) return false;
    await cancelUnpaidBid(trx, bid, at);
    return true;
  });
}
