import { t } from '@lingui/core/macro';
import { centsToDecimal } from '#contract/base/money.ts';
import type { Page } from '#contract/base/primitives.ts';
import type { Bid } from '#contract/deals/bids.ts';
import type { Claim, ListClaimsInput } from '#contract/money/claims.ts';
import type { DecideClaimInput, OpenClaimInput, Protection, WaitReason } from '#contract/money/payments.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { type Database, inTransaction, type Trx } from '#server/database/client.ts';
import { findPayableBid, type PlainBid } from '#server/deals/bids/service.ts';
import * as claims from '#server/deals/claims/service.ts';
import { toClaim, toSaleClaim } from '#server/deals/claims/service.ts';
import type { Totals } from '#server/money/books/ledger.ts';
import { NO_TOTALS, readTotalsOf, shareOfSeller, waitingAward } from '#server/money/books/service.ts';
import { mailClaimIfBanned } from '#server/people/accounts/service.ts';
import { audit } from '#server/people/audit/service.ts';
import { checkLateClaim, coversOf, grantLateClaim } from './guarantee.ts';
import { release, undo } from './holds.ts';
import { notifyOfPayment } from './notices.ts';
import { attemptOperation } from './operations.ts';
import { listWaits } from './operations-store.ts';
import { saleOf } from './rules.ts';
import { type LockedPayment, lockPaymentWithDeal, releaseClaimed } from './sales.ts';
import * as store from './store.ts';

/** Adds the protection of their sales to a page of the caller's bids. */
export async function bidsWithProtection(
  ctx: MemberContext,
  plain: Promise<Page<PlainBid>>,
): Promise<Page<Bid>> {
  const { items, ...page } = await plain;
  return { items: await withProtection(ctx, items), ...page };
}

/** Like bidsWithProtection, for one bid. */
export async function bidWithProtection(ctx: MemberContext, plain: Promise<PlainBid>): Promise<Bid> {
  const [bid] = await withProtection(ctx, [await plain]);
  if (!bid) throw notFound(t`Bid not found`);
  return bid;
}

/** Adds the protection of their sales to the caller's bids. */
export async function withProtection(ctx: MemberContext, bids: readonly PlainBid[]): Promise<Bid[]> {
  const protections = await readProtections(
    ctx,
    bids.map(({ id }) => id),
  );
  return bids.map((bid) => ({ ...bid, protection: protections.get(bid.id) ?? null }));
}

/** The state of a bid's payment, for one of its parties. @throws AppError not_found for others */
export async function protectionOf(ctx: MemberContext, bidId: number): Promise<Protection> {
  const protection = (await readProtections(ctx, [bidId])).get(bidId);
  if (!protection) throw notFound(t`Payment not found`);
  return protection;
}

/** By bid. Those without a payment are left out. @throws AppError not_found when the caller is no party to a payment */
async function readProtections(
  ctx: MemberContext,
  bidIds: readonly number[],
): Promise<ReadonlyMap<number, Protection>> {
  const { db, actor } = ctx;
  const payments = await store.listPaymentsOfBids(db, bidIds);
  if (payments.length === 0) return new Map();
  const ids = payments.map(({ id }) => id);
  const saleClaims = await claims.claimsOfSales(db, bidIds);
  const [totals, waits, covers] = await Promise.all([
    readTotalsOf(db, ids),
    listWaits(db, ids),
    coversOf(ctx, payments, saleClaims),
  ]);
  return new Map(
    payments.map((payment) => {
      const claim = saleClaims.get(payment.bidId);
      const facts = {
        claim: claim ? toSaleClaim(claim, actor.id) : null,
        totals: totals.get(payment.id) ?? NO_TOTALS,
        waitsFor: waits.get(payment.id) ?? null,
        seen: covers.get(payment.id) ?? { cover: null, mayClaimLate: false },
      };
      return [payment.bidId, toProtection(payment, facts, actor.id)];
    }),
  );
}

/** @throws AppError not_found unless the viewer is a party to the payment */
function toProtection(
  payment: store.Payment,
  {
    claim,
    totals,
    waitsFor,
    seen,
  }: {
    claim: Protection['claim'];
    totals: Totals;
    waitsFor: WaitReason | null;
    seen: Pick<Protection, 'cover' | 'mayClaimLate'>;
  },
  viewerId: number,
): Protection {
  if (![payment.senderId, payment.receiverId].includes(viewerId)) throw notFound(t`Payment not found`);
  const isSeller = viewerId === payment.receiverId;
  return {
    paymentId: payment.id,
    status: payment.status,
    provider: payment.provider,
    holdUntil: payment.holdUntil?.toISOString() ?? null,
    claim,
    ...seen,
    waiting: centsToDecimal(waitingAward(totals)),
    isDisputed: payment.isDisputed,
    refunded: centsToDecimal(totals.refunded),
    takenByBank: centsToDecimal(totals.withdrawn),
    sellerShare: isSeller && totals.captured > 0 ? centsToDecimal(shareOfSeller(payment, totals)) : null,
    keptBack: centsToDecimal(isSeller ? Math.max(0, totals.offset) : 0),
    waitsFor: isSeller ? waitsFor : null,
  };
}

/** The latest payment of a bid, for its buyer or seller. @throws AppError not_found, for strangers too */
export async function findPaymentOfParty(ctx: MemberContext, bidId: number): Promise<store.Payment> {
  const payment = await store.findPaymentOfBid(ctx.db, bidId);
  if (!payment || ![payment.senderId, payment.receiverId].includes(ctx.actor.id))
    throw notFound(t`Payment not found`);
  return payment;
}

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
    if ((await claims.claimOfSale(trx, bidId))?.status === 'open') {
      throw new AppError('payment_changed', t`You made a claim about this code. Withdraw it first.`);
    }
    await release(trx, locked, 'confirmed', ctx.clock());
  });
  await attemptOperation(ctx, id, 'payout');
  return protectionOf(ctx, bidId);
}

/**
 * The buyer claims that the code does not work, and a moderator decides. The money is held until then; once the sale is
 * final, the claim is one under the guarantee.
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
    else checkHeld(locked);
    if (!isLate && locked.payment.holdUntil !== null && locked.payment.holdUntil <= at) {
      throw new AppError('payment_changed', t`It is too late for a claim: this sale is final.`);
    }
    const late = isLate ? { shopAnswer: shopAnswer ?? null } : undefined;
    await claims.addClaim(
      trx,
      { about: { bidId }, reason, late, pictures, claimantId: ctx.actor.id, at },
      (cause) => new AppError('payment_changed', t`You can make only one claim for each sale.`, { cause }),
    );
    await notifyOfPayment(trx, locked, isLate ? 'late_claimed' : 'claimed', at);
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
    const end = { claim: { bidId }, status: 'withdrawn', note: null, decidedBy: null, at } as const;
    if (!(await claims.endClaim(trx, end)))
      throw new AppError('payment_changed', t`There is no open claim to withdraw.`);
    await releaseClaimed(trx, locked);
    await notifyOfPayment(trx, locked, 'claim_withdrawn', at);
  });
  return protectionOf(ctx, bidId);
}

/** Claims about sales and exchanges of others, for moderators. @throws AppError bad_input on `page` beyond the counted rows */
export async function listClaims(ctx: MemberContext, input: ListClaimsInput): Promise<Page<Claim>> {
  const { items, ...page } = await claims.listClaims(ctx, input);
  return { items: await withSales(ctx.db, items), ...page };
}

/** Adds what a refund would return to the buyer, and whether the buyer's bank disputes the payment. */
async function withSales(db: Database, found: readonly Claim[]): Promise<Claim[]> {
  const payments = await store.listPaymentsOfBids(
    db,
    found.flatMap(({ bidId }) => bidId ?? []),
  );
  const sales = new Map(
    payments.map(({ bidId, buyerTotal, isDisputed }) => [
      bidId,
      { buyerTotal: centsToDecimal(buyerTotal), isDisputed },
    ]),
  );
  return found.map((claim) => ({ ...claim, ...(claim.bidId !== null && sales.get(claim.bidId)) }));
}

/**
 * Decides a claim: refund the buyer and return the coupon, or pay the seller. Under the guarantee, the seller has been paid,
 * and has to answer first or let the time for it pass.
 * @throws AppError not_found, forbidden (a party to the sale), payment_changed (decided already; the seller's answer is
 *   awaited; a refund during a dispute, which would pay the buyer twice, or without the coupon)
 */
export async function decideClaim(
  ctx: MemberContext,
  { id, decision, note }: DecideClaimInput,
): Promise<Claim> {
  const { bidId, claimantId, giverId, isLate } = await claims.findClaimToDecide(ctx, id);
  const sale = bidId === null ? null : await store.findPaymentOfBid(ctx.db, bidId);
  if (!sale) throw notFound(t`Claim not found`);
  const isRefund = decision === 'refund';
  await inTransaction(ctx.db, async (trx) => {
    const locked = await lockPaymentWithDeal(trx, sale.id);
    const at = ctx.clock();
    if (isRefund) checkUndisputed(locked);
    const status = isRefund ? 'refunded' : 'released';
    if (isLate) await checkAnswerTime(trx, id, at);
    const isEnded =
      saleOf(locked.payment.status) === (isLate ? 'final' : 'held') &&
      (await claims.endClaim(trx, { claim: { id }, status, note, decidedBy: ctx.actor.id, at }));
    if (!isEnded) throw new AppError('payment_changed', t`This claim is no longer open.`);
    if (isLate) {
      if (isRefund) await grantLateClaim(trx, locked, at);
      else {
        await releaseClaimed(trx, locked);
        await notifyOfPayment(trx, locked, 'late_refused', at);
      }
    } else if (isRefund) {
      await undo(trx, locked, 'claim_refunded', at);
    } else if (locked.payment.isDisputed) {
      // The job releases it as soon as the bank confirms the payment.
      await store.updatePayment(trx, locked.payment, { holdUntil: at }, at);
      await notifyOfPayment(trx, locked, 'claim_released', at);
    } else {
      await release(trx, locked, 'claim_released', at);
    }
    await audit(trx, ctx, {
      actorId: ctx.actor.id,
      action: `claim_${status}`,
      details: `Claim ${id} on bid ${bidId}. ${note}`,
      targetUserId: isRefund ? giverId : claimantId,
      at,
    });
  });
  if (isLate && isRefund) await attemptOperation(ctx, sale.id, 'reversal');
  if (isRefund) await attemptOperation(ctx, sale.id, 'refund');
  else if (!isLate) await attemptOperation(ctx, sale.id, 'payout');
  const [claim] = await withSales(ctx.db, [toClaim(await claims.claimById(ctx.db, id))]);
  if (!claim) throw notFound(t`Claim not found`);
  return claim;
}

/** @throws AppError not_found, forbidden, payment_changed (the price of a leg: its claim is one about the exchange) */
async function findOwnPurchase(ctx: MemberContext, bidId: number): Promise<store.Payment> {
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

/** @throws AppError payment_changed when the money is not held */
async function lockHeld(trx: Trx, paymentId: number): Promise<LockedPayment> {
  const locked = await lockPaymentWithDeal(trx, paymentId);
  checkHeld(locked);
  return locked;
}

function checkHeld({ payment }: LockedPayment): void {
  if (payment.status !== 'held') {
    throw new AppError('payment_changed', t`We no longer hold the money of this sale.`);
  }
}

/** @throws AppError payment_changed while the seller's answer is awaited */
async function checkAnswerTime(trx: Trx, claimId: number, at: Date): Promise<void> {
  const { answerBy } = await claims.claimById(trx, claimId);
  if (answerBy !== null && at < answerBy) {
    throw new AppError(
      'payment_changed',
      t`The other person can still answer. Please wait for their answer.`,
    );
  }
}

function checkUndisputed({ payment }: LockedPayment): void {
  if (payment.isDisputed) {
    const text = t`The buyer’s bank disputes this payment. We cannot pay out or refund anything until it has decided.`;
    throw new AppError('payment_changed', text);
  }
}
