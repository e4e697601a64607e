import type { Context } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { holdForReturn } from '#server/deals/bids/service.ts';
import { endClaim } from '#server/deals/lifecycle/service.ts';
import { countInWorkers, follow, lockPaymentWithDeal } from '#server/money/payments/service.ts';
import { audit } from '#server/people/audit/service.ts';
import { OUR_NOTES } from '#server/texts/claim-notes.ts';
import { endOfHold, endOfUnheard, isOverdue, isUnheard } from './decide.ts';
import * as holds from './holds-store.ts';
import { hasOpenClaim } from './store.ts';

const AT_ONCE = 200;

/** Days after the payment until what nobody has decided is refunded, before PayPal pays. Stripe does not pay by itself. */
const REFUND_DAYS = 26;

/** Releases payments whose hold is over, without an open claim or dispute. @returns the number released */
export async function releaseDue(ctx: Context): Promise<number> {
  const due = await holds.listHoldsOver(ctx.db, ctx.clock(), AT_ONCE);
  return countInWorkers(ctx, 'paymentId', due, (id) =>
    inTransaction(ctx.db, async (trx) => {
      const held = await lockHeld(trx, ctx, id);
      const end = endOfHold(held);
      if (end === null) return false;
      await follow(trx, ctx, held, end, held.at);
      return true;
    }),
  );
}

async function lockHeld(trx: Trx, ctx: Context, paymentId: number) {
  const locked = await lockPaymentWithDeal(trx, paymentId);
  return { ...locked, hasOpenClaim: await hasOpenClaim(trx, locked.bid.id), at: ctx.clock() };
}

/**
 * Claims about sales by PayPal must end before PayPal pays the seller by itself: grants those that have not. During a dispute
 * PayPal pays nothing, and a refund would pay the buyer twice; so claims wait for its end.
 * The hold of a buyer who is banned and could not be given their link lasts longer (deadlines-sql.ts): at PayPal such a payment
 * is refunded at the same time, at Stripe an admin is asked.
 * @returns the number of granted claims and refunds
 */
export async function refundBeforePaypalPays(ctx: Context): Promise<number> {
  const now = ctx.clock();
  const due = { now, paidBefore: addDays(now, -REFUND_DAYS), limit: AT_ONCE };
  const late = await holds.listLateClaims(ctx.db, due);
  const granted = await countInWorkers(ctx, 'paymentId', late, (id) => grant(ctx, id));
  const unheard = await holds.listUnheard(ctx.db, due);
  const returned = await countInWorkers(ctx, 'paymentId', unheard, (id) => endUnheard(ctx, id));
  return granted + returned;
}

function grant(ctx: Context, paymentId: number): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    const held = await lockHeld(trx, ctx, paymentId);
    if (!isOverdue(held)) return false;
    const { bid, payment, at } = held;
    await follow(trx, ctx, held, { what: 'undone', notice: 'claim_overdue' }, at);
    // In an exchange, only the money cannot wait: moderators can still decide the claim.
    if (bid.exchangeId !== null) return true;
    const note = OUR_NOTES.overdue;
    await endClaim(trx, { claim: { bidId: bid.id }, status: 'refunded', note, decidedBy: null, at });
    const details = `Claim on bid ${bid.id}. ${note}`;
    const targetUserId = payment.receiverId;
    await audit(trx, ctx, { actorId: null, action: 'claim_refunded', details, targetUserId, at });
    return true;
  });
}

function endUnheard(ctx: Context, paymentId: number): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    const held = await lockHeld(trx, ctx, paymentId);
    if (!isUnheard(held)) return false;
    const { bid, payment, at } = held;
    const canReturn = payment.provider === 'paypal' && (await holdForReturn(trx, bid, at)) === null;
    await follow(trx, ctx, held, endOfUnheard(canReturn), at);
    return true;
  });
}
