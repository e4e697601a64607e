import { DEADLINE_DAYS } from '#contract/deals.ts';
import type { PaymentStatus } from '#contract/payments.ts';
import { addDays } from '#server/core/clock.ts';
import { inTransaction } from '#server/database/client.ts';
import { cancelUnpaidBid, findPayableBid, listUnpaidBids, lockPayableBid } from '../bids/service.ts';
import type { Context } from '../context.ts';
import { lockCoupons } from '../deals/service.ts';
import { processEvents } from './events.ts';
import { ensureAtProvider, giveUp } from './opening.ts';
import { orLater, payBack, payOut, reverseLost } from './payouts.ts';
import { releaseDue } from './protection.ts';
import { isPayable, isUnsettled, nextTry } from './rules.ts';
import { settle, settleFromProvider } from './settlement.ts';
import * as store from './store.ts';

const AT_ONCE = 200;

/** What one run has moved on. */
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
 * Moves on all that is due, without anybody's click or webhook: events that wait, payments whose outcome is not
 * known, bids that were not paid in time, holds that are over, payouts and refunds that have not gone through.
 */
export async function reconcilePayments(ctx: Context): Promise<Reconciliation> {
  const events = await processEvents(ctx);
  const looked = await moveOn(ctx, ['created', 'open', 'processing'], (id) => look(ctx, id));
  const lapsed = await lapseUnpaidBids(ctx);
  const released = await releaseDue(ctx);
  const paidOut = await moveOn(ctx, ['releasing'], (id) => payOut(ctx, id));
  const paidBack = await moveOn(ctx, ['refunding'], (id) => payBack(ctx, id));
  return { events, looked, lapsed, released, paidOut, paidBack, reversed: await reverseLost(ctx) };
}

/** @returns how many of those that were due the act has moved on */
async function moveOn(
  ctx: Context,
  statuses: readonly PaymentStatus[],
  act: (id: number) => Promise<boolean>,
): Promise<number> {
  const now = ctx.clock();
  const due = await store.takeDue(ctx.db, { statuses, now, until: nextTry(2, now), limit: AT_ONCE });
  let count = 0;
  for (const id of due) {
    await orLater(ctx, id, async () => {
      if (await act(id)) count += 1;
    });
  }
  return count;
}

/** How long to wait between looks at a payment that waits for its buyer, in tries (`nextTry`). */
const CALM = 6;

/** Asks the provider about a payment that is not settled. */
async function look(ctx: Context, id: number): Promise<boolean> {
  const payment = await store.findPayment(ctx.db, id);
  const provider = payment && ctx.providers.payments[payment.provider];
  if (!payment || !provider || !isUnsettled(payment.status)) return false;
  const bid = await findPayableBid(ctx.db, payment.bidId);
  if (payment.ref === null && bid) {
    // The answer to its making was lost: under the same key it is given again.
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
      store.updatePayment(trx, after, { nextTryAt: nextTry(CALM, now) }, now),
    );
  }
  return after?.status !== payment.status;
}

/**
 * Ends the accepted bids that were not paid in time (decisions 3.4). A payment that waits is given up at the provider
 * first; one that is under way, or has come through in this very moment, counts.
 * @returns how many were ended
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
