import { DEADLINE_DAYS } from '#contract/deals.ts';
import type { PaymentStatus } from '#contract/payments.ts';
import { addDays } from '#server/core/clock.ts';
import { inTransaction } from '#server/database/client.ts';
import { cancelUnpaidBid, findPayableBid, listUnpaidBids, lockPayableBid } from '../bids/service.ts';
import type { Context } from '../context.ts';
import { lockCoupons } from '../deals/service.ts';
import { processEvents } from './events.ts';
import { ensureAtProvider, giveUp } from './opening.ts';
import { payBack, payOut, reverseLost, tryOrLog } from './payouts.ts';
import { releaseDue } from './protection.ts';
import { isPayable, isUnsettled, nextTry } from './rules.ts';
import { settle, settleFromProvider } from './settlement.ts';
import * as store from './store.ts';

const AT_ONCE = 200;

/** Counts of one run. */
export interface Reconciliation {
  readonly events: number;
  readonly looked: number;
  readonly lapsed: number;
  readonly released: number;
  readonly paidOut: number;
  readonly paidBack: number;
  readonly reversed: number;
}

/**
 * Moves on everything that is due: waiting events, payments with unknown outcome, unpaid bids, holds that are over,
 * payouts and refunds.
 */
export async function reconcilePayments(ctx: Context): Promise<Reconciliation> {
  const events = await processEvents(ctx);
  const looked = await runDue(ctx, ['created', 'open', 'processing'], (id) => refreshUnsettled(ctx, id));
  const lapsed = await lapseUnpaidBids(ctx);
  const released = await releaseDue(ctx);
  const paidOut = await runDue(ctx, ['releasing'], (id) => payOut(ctx, id));
  const paidBack = await runDue(ctx, ['refunding'], (id) => payBack(ctx, id));
  return { events, looked, lapsed, released, paidOut, paidBack, reversed: await reverseLost(ctx) };
}

/** @returns the number of due payments that the action has moved on */
async function runDue(
  ctx: Context,
  statuses: readonly PaymentStatus[],
  act: (id: number) => Promise<boolean>,
): Promise<number> {
  const now = ctx.clock();
  const due = await store.claimDue(ctx.db, { statuses, now, until: nextTry(2, now), limit: AT_ONCE });
  let count = 0;
  for (const id of due) {
    await tryOrLog(ctx, id, async () => {
      if (await act(id)) count += 1;
    });
  }
  return count;
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
 * Ends accepted bids that were not paid in time (decisions 3.4). An open payment is cancelled at the provider first;
 * one that is processing or has just succeeded counts as paid.
 * @returns the number of ended bids
 */
export async function lapseUnpaidBids(ctx: Context): Promise<number> {
  const acceptedBefore = addDays(ctx.clock(), -DEADLINE_DAYS.bidAccepted);
  let count = 0;
  for (const bidId of await listUnpaidBids(ctx.db, { acceptedBefore, limit: AT_ONCE })) {
    try {
      const payment = await store.findPaymentOfBid(ctx.db, bidId);
      if (payment && isPayable(payment.status)) await giveUp(ctx, payment);
      if (await lapse(ctx, bidId)) count += 1;
    } catch (error) {
      ctx.log.warn({ err: error, bidId }, 'a bid that was not paid could not be ended yet');
    }
  }
  return count;
}

async function lapse(ctx: Context, bidId: number): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    const seen = await findPayableBid(trx, bidId);
    if (!seen) return false;
    await lockCoupons(trx, [seen.couponId]);
    const bid = await lockPayableBid(trx, bidId);
    const payment = await store.findPaymentOfBid(trx, bidId);
    const isBeingPaid = payment !== null && isUnsettled(payment.status);
    if (bid.status !== 'accepted' || isBeingPaid) return false;
    await cancelUnpaidBid(trx, bid, ctx.clock());
    return true;
  });
}
