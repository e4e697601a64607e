import type { Claim } from '#contract/claims.ts';
import type { DecideClaimInput, OpenClaimInput, Protection } from '#contract/payments.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { mailClaimIfBanned } from '../accounts/defence.ts';
import { audit } from '../audit/service.ts';
import { addClaim, claimById, claimOfSale, endClaim, findClaimToDecide } from '../claims/service.ts';
import { toClaim } from '../claims/view.ts';
import type { Context, MemberContext } from '../context.ts';
import { releaseReservation } from '../deals/service.ts';
import { attemptAct, countInLanes } from './acts.ts';
import { openAct } from './acts-store.ts';
import { type LockedPayment, lockPaymentWithDeal } from './locking.ts';
import { notifyOfPayment } from './notices.ts';
import { findPaymentOfParty, protectionOf } from './service.ts';
import * as store from './store.ts';

/**
 * The buyer confirms that the code works; the seller's money is released at once.
 * @throws AppError not_found (strangers too), forbidden (the seller), payment_changed (not held, an open claim, a
 *   dispute)
 */
export async function confirmReceipt(ctx: MemberContext, bidId: number): Promise<Protection> {
  const { id } = await findOwnPurchase(ctx, bidId);
  await inTransaction(ctx.db, async (trx) => {
    const locked = await lockHeld(trx, id);
    checkUndisputed(locked);
    if ((await claimOfSale(trx, id))?.status === 'open') {
      throw new AppError('payment_changed', 'You have made a claim about this code. Withdraw it first.');
    }
    await release(trx, locked, 'confirmed', ctx.clock());
  });
  await attemptAct(ctx, id, 'payout');
  return protectionOf(ctx, bidId);
}

/**
 * The buyer claims that the code does not work; the money is held until a moderator decides.
 * @throws AppError not_found (strangers too), forbidden (the seller), payment_changed (not held, hold over, a second
 *   claim), bad_input (a picture is not theirs or gone)
 */
export async function openClaim(
  ctx: MemberContext,
  { bidId, reason, pictures = [] }: OpenClaimInput,
): Promise<Protection> {
  const { id } = await findOwnPurchase(ctx, bidId);
  await inTransaction(ctx.db, async (trx) => {
    const locked = await lockHeld(trx, id);
    const at = ctx.clock();
    if (locked.payment.holdUntil !== null && locked.payment.holdUntil <= at) {
      throw new AppError('payment_changed', 'The time to claim is over: this sale is final.');
    }
    await addClaim(
      trx,
      { about: { paymentId: id }, reason, pictures, claimantId: ctx.actor.id, at },
      (cause) => new AppError('payment_changed', 'A claim can be made once for each sale.', { cause }),
    );
    await notifyOfPayment(trx, locked, 'claimed', at);
    await mailClaimIfBanned(trx, locked.payment.receiverId, at);
  });
  return protectionOf(ctx, bidId);
}

/** The buyer withdraws the claim. @throws AppError not_found, forbidden, payment_changed (decided already) */
export async function withdrawClaim(ctx: MemberContext, bidId: number): Promise<Protection> {
  const { id } = await findOwnPurchase(ctx, bidId);
  await inTransaction(ctx.db, async (trx) => {
    const locked = await lockPaymentWithDeal(trx, id);
    const at = ctx.clock();
    const end = { claim: { paymentId: id }, status: 'withdrawn', note: null, decidedBy: null, at } as const;
    if (!(await endClaim(trx, end)))
      throw new AppError('payment_changed', 'There is no open claim to withdraw.');
    await notifyOfPayment(trx, locked, 'claim_withdrawn', at);
  });
  return protectionOf(ctx, bidId);
}

/**
 * Decides a claim: refund the buyer and return the coupon, or pay the seller.
 * @throws AppError not_found, forbidden (a party to the sale), payment_changed (decided already; a refund during a
 *   dispute, which would pay the buyer twice)
 */
export async function decideClaim(
  ctx: MemberContext,
  { id, decision, note }: DecideClaimInput,
): Promise<Claim> {
  const { paymentId, bidId, claimantId, giverId } = await findClaimToDecide(ctx, id);
  if (paymentId === null) throw notFound('Claim');
  const isRefund = decision === 'refund';
  await inTransaction(ctx.db, async (trx) => {
    const locked = await lockPaymentWithDeal(trx, paymentId);
    const at = ctx.clock();
    if (isRefund) checkUndisputed(locked);
    const status = isRefund ? 'refunded' : 'released';
    const isEnded =
      locked.payment.status === 'held' &&
      (await endClaim(trx, { claim: { id }, status, note, decidedBy: ctx.actor.id, at }));
    if (!isEnded) throw new AppError('payment_changed', 'This claim is not open any more.');
    if (isRefund) {
      await undo(trx, locked, 'claim_refunded', at);
    } else if (locked.payment.isDisputed) {
      // The job releases it as soon as the bank confirms the payment.
      await store.updatePayment(trx, locked.payment, { holdUntil: at }, at);
      await notifyOfPayment(trx, locked, 'claim_released', at);
    } else {
      await release(trx, locked, 'claim_released', at);
    }
    await audit(trx, {
      actorId: ctx.actor.id,
      action: `claim_${status}`,
      details: `Claim ${id} on bid ${bidId}. ${note}`,
      targetUserId: isRefund ? giverId : claimantId,
      at,
    });
  });
  await attemptAct(ctx, paymentId, isRefund ? 'refund' : 'payout');
  return toClaim(await claimById(ctx.db, id), ctx.actor.id);
}

const RELEASED_AT_ONCE = 200;

/** Releases payments whose hold is over, without an open claim or dispute. @returns the number released */
export async function releaseDue(ctx: Context): Promise<number> {
  const due = await store.listHoldsOver(ctx.db, ctx.clock(), RELEASED_AT_ONCE);
  return countInLanes(ctx, 'paymentId', due, (id) =>
    inTransaction(ctx.db, async (trx) => {
      const locked = await lockPaymentWithDeal(trx, id);
      const at = ctx.clock();
      const { status, isDisputed, holdUntil } = locked.payment;
      const isOver = status === 'held' && !isDisputed && holdUntil !== null && holdUntil <= at;
      if (!isOver || (await claimOfSale(trx, id))?.status === 'open') return false;
      await release(trx, locked, 'released', at);
      return true;
    }),
  );
}

/** Makes the sale final: frees the coupon and releases the seller's money. */
async function release(
  trx: Trx,
  locked: LockedPayment,
  notice: 'confirmed' | 'released' | 'claim_released',
  at: Date,
): Promise<void> {
  await store.updatePayment(trx, locked.payment, { status: 'releasing' }, at);
  await openAct(trx, locked.payment, 'payout', at);
  await releaseReservation(trx, { bidId: locked.bid.id });
  await notifyOfPayment(trx, locked, notice, at);
}

/** Undoes the sale: the buyer is refunded. */
export async function undo(
  trx: Trx,
  locked: LockedPayment,
  notice: 'claim_refunded' | 'claim_overdue' | 'unheard',
  at: Date,
): Promise<void> {
  await store.updatePayment(trx, locked.payment, { status: 'refunding' }, at);
  await openAct(trx, locked.payment, 'refund', at);
  await notifyOfPayment(trx, locked, notice, at);
}

async function findOwnPurchase(ctx: MemberContext, bidId: number): Promise<store.Payment> {
  const payment = await findPaymentOfParty(ctx, bidId);
  if (payment.senderId !== ctx.actor.id) {
    throw new AppError('forbidden', 'Only the buyer can say whether the code works.');
  }
  return payment;
}

/** @throws AppError payment_changed when the money is not held */
async function lockHeld(trx: Trx, paymentId: number): Promise<LockedPayment> {
  const locked = await lockPaymentWithDeal(trx, paymentId);
  if (locked.payment.status !== 'held') {
    throw new AppError('payment_changed', 'The money of this sale is not held any more.');
  }
  return locked;
}

function checkUndisputed({ payment }: LockedPayment): void {
  if (payment.isDisputed) {
    const text =
      'The buyer’s bank questions this payment. Until it has decided, nothing can be released or refunded.';
    throw new AppError('payment_changed', text);
  }
}
