import { t } from '@lingui/core/macro';
import type { Context } from '#server/context/context.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { storeFailure } from '#server/coupons/codes/service.ts';
import { lockCoupons } from '#server/coupons/core/service.ts';
import type { Trx } from '#server/database/client.ts';
import { endClaim } from '#server/deals/lifecycle/service.ts';
import { hurryDeposits } from '#server/money/deposits/service.ts';
import { findPaymentOfBid, follow, lockPaymentWithDeal } from '#server/money/payments/service.ts';
import { audit } from '#server/people/audit/service.ts';
import { claimById, tellOfClaim } from './claims.ts';
import { answerObstacle, endOfLegClaim, endOfSaleClaim, verdictObstacle } from './decide.ts';
import { isDefaultDue } from './defaults.ts';
import { countFailedCode } from './sale-stop.ts';
import * as store from './store.ts';

/* The end of a claim by a decision: a moderator's, or the one that was announced, as nobody has decided. */

export interface Verdict {
  readonly isGranted: boolean;
  /** Shown to both sides. */
  readonly note: string;
  /** Null: nobody, so it ends as announced. */
  readonly decidedBy: number | null;
}

/**
 * Ends a claim about a sale: the buyer gets the money and the seller the coupon, or the sale stands.
 * @throws AppError not_found, payment_changed (decided already, or not due; the answer is awaited; a refund during a dispute,
 *   or without the coupon)
 */
export async function endSaleClaim(
  trx: Trx,
  ctx: Context,
  { id, paymentId, verdict }: { id: number; paymentId: number; verdict: Verdict },
): Promise<void> {
  const { isGranted, note } = verdict;
  const locked = await lockPaymentWithDeal(trx, paymentId);
  const at = ctx.clock();
  const claim = await claimById(trx, id);
  const { isLate, answerBy, giverId } = claim;
  const isOpen = claim.status === 'open' && isDue(claim, verdict, at);
  const given = { isLate, isRefund: isGranted };
  const obstacle = verdictObstacle(locked.payment, given, { isOpen, answerBy, at });
  if (obstacle !== null) throw new AppError('payment_changed', obstacle);
  await end(trx, ctx, { claim, status: isGranted ? 'refunded' : 'released', verdict, at });
  await follow(trx, ctx, locked, endOfSaleClaim(given, note), at);
  if (isGranted) await countFailedCode(trx, giverId, at);
}

/**
 * Ends a claim about an exchange. A granted one counts on the giver's profile, and as an answer to "Does the code work?". What
 * the claimant paid for the coupon goes back to them, and the coupon with it; other coupons stay where they are.
 * @throws AppError not_found, deal_changed (not open, or not due; the answer is awaited), payment_changed (the coupon cannot go
 *   back with the money)
 */
export async function endExchangeClaim(
  trx: Trx,
  ctx: Context,
  { id, exchangeId, verdict }: { id: number; exchangeId: number; verdict: Verdict },
): Promise<void> {
  const { isGranted, decidedBy } = verdict;
  await lockLegs(trx, exchangeId);
  const at = ctx.clock();
  const claim = await claimById(trx, id);
  const { paidBidId, couponId, claimantId, giverId } = claim;
  const obstacle = answerObstacle(claim.answerBy, at) ?? (isDue(claim, verdict, at) ? null : notOpen());
  if (obstacle !== null) throw new AppError('deal_changed', obstacle);
  const hasEnded = await end(trx, ctx, { claim, status: isGranted ? 'upheld' : 'refused', verdict, at });
  if (!hasEnded) throw new AppError('deal_changed', notOpen());
  await hurryDeposits(trx, exchangeId, at);
  const transition = !isGranted ? 'refuse' : paidBidId === null ? 'uphold' : 'upholdPaid';
  await tellOfClaim(trx, { transition, claim: { id }, actorId: decidedBy, at });
  if (paidBidId !== null) await settlePrice(trx, ctx, { bidId: paidBidId, isUpheld: isGranted, at });
  if (!isGranted) return;
  await storeFailure(trx, { couponId, userId: claimantId, at });
  await countFailedCode(trx, giverId, at);
}

const notOpen = () => t`This claim is no longer open.`;

/** A moderator decides at any time, nobody only once the announced end has come. */
const isDue = (claim: store.ClaimRow, { decidedBy }: Verdict, at: Date) =>
  decidedBy !== null || isDefaultDue(claim, at);

/** @returns false when the claim is no longer open */
async function end(
  trx: Trx,
  ctx: Context,
  given: {
    claim: store.ClaimRow;
    status: 'refunded' | 'released' | 'upheld' | 'refused';
    verdict: Verdict;
    at: Date;
  },
): Promise<boolean> {
  const { claim, status, verdict, at } = given;
  const { isGranted, note, decidedBy } = verdict;
  const { id, bidId, exchangeId, giverId, claimantId } = claim;
  const isDefault = decidedBy === null;
  const hasEnded = await endClaim(trx, { claim: { id }, status, note, decidedBy, isDefault, at });
  if (!hasEnded) return false;
  await audit(trx, ctx, {
    actorId: decidedBy,
    action: `claim_${status}`,
    details: `Claim ${id} on ${exchangeId === null ? `bid ${bidId}` : `exchange ${exchangeId}`}. ${note}`,
    targetUserId: isGranted ? giverId : claimantId,
    at,
  });
  return true;
}

/**
 * Settles what was paid for a coupon in an exchange after a claim about it: an upheld one gives the payer all of it back, and
 * the giver the coupon; after another one the coupon is free again. Does nothing if the payer has the money back.
 * @throws AppError payment_changed when the payer no longer has the coupon
 */
export async function settlePrice(
  trx: Trx,
  ctx: Context,
  { bidId, isUpheld, at }: { bidId: number; isUpheld: boolean; at: Date },
): Promise<void> {
  const payment = await findPaymentOfBid(trx, bidId);
  if (!payment) return;
  const locked = await lockPaymentWithDeal(trx, payment.id);
  const after = endOfLegClaim(locked.payment, isUpheld);
  if (after !== null) await follow(trx, ctx, locked, after, at);
}

/** Locks the coupons of a completed exchange: its price locks them all, in id order. */
export async function lockLegs(trx: Trx, exchangeId: number): Promise<void> {
  const legs = await store.listLegs(trx, exchangeId);
  await lockCoupons(
    trx,
    legs.map(({ couponId }) => couponId),
  );
}

/** The payment of the sale that a claim is about. @throws AppError not_found where it is about an exchange */
export async function saleOfClaim(ctx: Context, { bidId }: store.ClaimRow): Promise<{ readonly id: number }> {
  const sale = bidId === null ? null : await findPaymentOfBid(ctx.db, bidId);
  if (!sale) throw notFound(t`Claim not found`);
  return sale;
}
