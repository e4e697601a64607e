import type { Context } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { inTransaction } from '#server/database/client.ts';
import { holdForReturn } from '#server/deals/bids/service.ts';
import { endClaim } from '#server/deals/lifecycle/service.ts';
import {
  askPerson,
  countInWorkers,
  lockPaymentWithDeal,
  release,
  undo,
} from '#server/money/payments/service.ts';
import { audit } from '#server/people/audit/service.ts';
import { OUR_NOTES } from '#server/texts/claim-notes.ts';
import { remindOfClaim } from './claims.ts';
import * as holds from './holds-store.ts';
import { hasOpenClaim } from './store.ts';

const AT_ONCE = 200;

/**
 * Days after the payment: moderators are reminded of an open claim, and it is granted, before PayPal pays. Stripe does not
 * pay by itself, so claims there can wait.
 */
const CLAIM_DAYS = { remind: 21, grant: 26 } as const;

/** Releases payments whose hold is over, without an open claim or dispute. @returns the number released */
export async function releaseDue(ctx: Context): Promise<number> {
  const due = await holds.listHoldsOver(ctx.db, ctx.clock(), AT_ONCE);
  return countInWorkers(ctx, 'paymentId', due, (id) =>
    inTransaction(ctx.db, async (trx) => {
      const locked = await lockPaymentWithDeal(trx, id);
      const at = ctx.clock();
      const { status, isDisputed, holdUntil } = locked.payment;
      const isOver = status === 'held' && !isDisputed && holdUntil !== null && holdUntil <= at;
      if (!isOver || (await hasOpenClaim(trx, locked.bid.id))) return false;
      await release(trx, locked, { notice: 'released', at });
      return true;
    }),
  );
}

/**
 * Claims about sales by PayPal must be decided before PayPal pays the seller by itself: reminds the moderators once, and
 * grants what nobody has decided. During a dispute PayPal pays nothing, and a refund would pay the buyer twice; so claims
 * wait for its end.
 * The hold of a buyer who is banned and could not be given their link lasts longer (deadlines.ts): at PayPal such a payment
 * is refunded at the same time, at Stripe an admin is asked.
 * @returns the number of reminders, granted claims and refunds
 */
export async function keepClaimDeadlines(ctx: Context): Promise<number> {
  const now = ctx.clock();
  const late = (days: number, isNew: boolean) =>
    holds.listLateClaims(ctx.db, { paidBefore: addDays(now, -days), isNew, limit: AT_ONCE });
  const granted = await countInWorkers(ctx, 'paymentId', await late(CLAIM_DAYS.grant, false), (id) =>
    grant(ctx, id),
  );
  const reminded = await countInWorkers(ctx, 'paymentId', await late(CLAIM_DAYS.remind, true), (id) =>
    remind(ctx, id),
  );
  const unheard = await holds.listUnheard(ctx.db, {
    now,
    paidBefore: addDays(now, -CLAIM_DAYS.grant),
    limit: AT_ONCE,
  });
  const returned = await countInWorkers(ctx, 'paymentId', unheard, (id) => endUnheard(ctx, id));
  return granted + reminded + returned;
}

function remind(ctx: Context, paymentId: number): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    const { bid, payment } = await lockPaymentWithDeal(trx, paymentId);
    return remindOfClaim(trx, {
      bidId: bid.id,
      couponTitle: bid.couponTitle,
      parties: [payment.senderId, payment.receiverId],
      decideBefore: payment.paidAt && utcDay(addDays(payment.paidAt, CLAIM_DAYS.grant)),
      at: ctx.clock(),
    });
  });
}

function grant(ctx: Context, paymentId: number): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    const at = ctx.clock();
    const locked = await lockPaymentWithDeal(trx, paymentId);
    const { status, isDisputed, receiverId } = locked.payment;
    if (status !== 'held' || isDisputed) return false;
    if (locked.bid.exchangeId !== null) {
      // Only the money cannot wait: moderators can still decide the claim.
      await undo(trx, locked, { notice: 'claim_overdue', at });
      return true;
    }
    const note = OUR_NOTES.overdue;
    const end = { claim: { bidId: locked.bid.id }, status: 'refunded', note, decidedBy: null, at } as const;
    if (!(await endClaim(trx, end))) return false;
    await undo(trx, locked, { notice: 'claim_overdue', at });
    const details = `Claim on bid ${locked.bid.id}. ${note}`;
    await audit(trx, ctx, { actorId: null, action: 'claim_refunded', details, targetUserId: receiverId, at });
    return true;
  });
}

const UNHEARD =
  'The buyer is banned, and our mail with the link to claim has not reached them. The money waits for them.';

function endUnheard(ctx: Context, paymentId: number): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    const at = ctx.clock();
    const locked = await lockPaymentWithDeal(trx, paymentId);
    const { status, isDisputed, holdUntil, provider } = locked.payment;
    const isUnheard = status === 'held' && !isDisputed && holdUntil !== null && holdUntil > at;
    if (!isUnheard || (await hasOpenClaim(trx, locked.bid.id))) return false;
    const canReturn = provider === 'paypal' && (await holdForReturn(trx, locked.bid, at)) === null;
    if (canReturn) await undo(trx, locked, { notice: 'unheard', at });
    else await askPerson(trx, locked.payment, UNHEARD, at);
    return true;
  });
}
