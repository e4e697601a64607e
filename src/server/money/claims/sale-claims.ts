import { t } from '@lingui/core/macro';
import type { Claim } from '#contract/money/claims.ts';
import type { DecideClaimInput, OpenClaimInput, Protection } from '#contract/money/payments.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError } from '#server/core/errors.ts';
import { storeFailure } from '#server/coupons/codes/service.ts';
import { inTransaction } from '#server/database/client.ts';
import { findPayableBid } from '#server/deals/bids/service.ts';
import { endClaim } from '#server/deals/lifecycle/service.ts';
import {
  attemptOperation,
  findPaymentOfParty,
  follow,
  lockPaymentWithDeal,
  saleOf,
} from '#server/money/payments/service.ts';
import type { Payment } from '#server/money/payments/store.ts';
import { mailClaimIfBanned } from '#server/people/accounts/service.ts';
import { addClaim, findClaimToDecide, shownClaim } from './claims.ts';
import { claimObstacle, confirmObstacle } from './decide.ts';
import { checkLateClaim } from './guarantee.ts';
import { protectionOf } from './protection.ts';
import { stopSalesIfDue } from './sale-stop.ts';
import { hasOpenClaim } from './store.ts';
import { endSaleClaim, saleOfClaim } from './verdicts.ts';

/**
 * The buyer confirms that the code works; the seller's money is released at once.
 * @throws AppError not_found (strangers too), forbidden (the seller), payment_changed (not held, an open claim, a
 *   dispute)
 */
export async function confirmReceipt(ctx: MemberContext, bidId: number): Promise<Protection> {
  const { id } = await findOwnPurchase(ctx, bidId);
  await inTransaction(ctx.db, async (trx) => {
    const locked = await lockPaymentWithDeal(trx, id);
    refuse(confirmObstacle({ ...locked, hasOpenClaim: await hasOpenClaim(trx, bidId) }));
    await follow(trx, ctx, locked, { what: 'final', notice: 'confirmed' }, ctx.clock());
  });
  await attemptOperation(ctx, id, 'payout');
  return protectionOf(ctx, bidId);
}

/**
 * The buyer claims that the code does not work; the seller is asked for their word, and a moderator decides. The money is
 * held until then; once the sale is final, the claim is one under the guarantee.
 * @throws AppError not_found (strangers too), forbidden (the seller), payment_changed (not held and not covered, hold over,
 *   a second claim), bad_input (a picture is not theirs or gone); as `checkLateClaim`
 */
export async function openClaim(
  ctx: MemberContext,
  { bidId, reason, pictures = [], shopAnswer }: OpenClaimInput,
): Promise<Protection> {
  const { id } = await findOwnPurchase(ctx, bidId);
  await inTransaction(ctx.db, async (trx) => {
    const locked = await lockPaymentWithDeal(trx, id);
    const at = ctx.clock();
    const isLate = saleOf(locked.payment.status) === 'final';
    if (isLate) await checkLateClaim(trx, ctx, locked, { shopAnswer, pictures });
    else refuse(claimObstacle(locked.payment, at));
    const late = isLate ? { shopAnswer: shopAnswer ?? null } : undefined;
    await addClaim(
      trx,
      { about: { bidId }, reason, late, pictures, claimantId: ctx.actor.id, at },
      (cause) => new AppError('payment_changed', t`You can make only one claim for each sale.`, { cause }),
    );
    await storeFailure(trx, { couponId: locked.bid.couponId, userId: ctx.actor.id, at });
    await follow(trx, ctx, locked, { what: 'claimed', notice: isLate ? 'late_claimed' : 'answer_asked' }, at);
    await mailClaimIfBanned(trx, locked.payment.receiverId, at);
    await stopSalesIfDue(trx, locked.payment.receiverId, at);
  });
  return protectionOf(ctx, bidId);
}

/** The buyer withdraws the claim. @throws AppError not_found, forbidden, payment_changed (decided already) */
export async function withdrawClaim(ctx: MemberContext, bidId: number): Promise<Protection> {
  const { id } = await findOwnPurchase(ctx, bidId);
  await inTransaction(ctx.db, async (trx) => {
    const locked = await lockPaymentWithDeal(trx, id);
    const at = ctx.clock();
    const end = { claim: { bidId }, status: 'withdrawn', note: null, decidedBy: null, at } as const;
    if (!(await endClaim(trx, end))) refuse(t`There is no open claim to withdraw.`);
    await follow(trx, ctx, locked, { what: 'claim_ended', notice: 'claim_withdrawn' }, at);
  });
  return protectionOf(ctx, bidId);
}

/**
 * Decides a claim: refund the buyer and return the coupon, or pay the seller. The seller has to answer first, or let the
 * time for it pass. Under the guarantee, they have been paid.
 * @throws AppError not_found, forbidden (a party to the sale), payment_changed (decided already; the seller's answer is
 *   awaited; a refund during a dispute, which would pay the buyer twice, or without the coupon)
 */
export async function decideClaim(
  ctx: MemberContext,
  { id, decision, note }: DecideClaimInput,
): Promise<Claim> {
  const claim = await findClaimToDecide(ctx, id);
  const sale = await saleOfClaim(ctx, claim);
  const isRefund = decision === 'refund';
  const verdict = { isGranted: isRefund, note, decidedBy: ctx.actor.id };
  await inTransaction(ctx.db, (trx) => endSaleClaim(trx, ctx, { id, paymentId: sale.id, verdict }));
  if (claim.isLate && isRefund) await attemptOperation(ctx, sale.id, 'reversal');
  if (isRefund) await attemptOperation(ctx, sale.id, 'refund');
  else if (!claim.isLate) await attemptOperation(ctx, sale.id, 'payout');
  return shownClaim(ctx, id);
}

/** @throws AppError not_found, forbidden, payment_changed (the price of a leg: its claim is one about the exchange) */
async function findOwnPurchase(ctx: MemberContext, bidId: number): Promise<Payment> {
  const bid = await findPayableBid(ctx.db, bidId);
  const payment = await findPaymentOfParty(ctx, bidId);
  if (payment.senderId !== ctx.actor.id) {
    throw new AppError('forbidden', t`Only the buyer can say whether the code works.`);
  }
  if (bid?.exchangeId !== null) {
    throw new AppError(
      'payment_changed',
      t`This was paid in an exchange. You can make a claim about it there.`,
    );
  }
  return payment;
}

/** @throws AppError payment_changed unless null */
function refuse(obstacle: string | null): void {
  if (obstacle !== null) throw new AppError('payment_changed', obstacle);
}
