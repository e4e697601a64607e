import { t } from '@lingui/core/macro';
import { centsToDecimal } from '#contract/base/money.ts';
import type { Page } from '#contract/base/primitives.ts';
import type { Bid } from '#contract/deals/bids.ts';
import type { Checkout, Protection, WaitReason } from '#contract/money/payments.ts';
import type { MemberContext } from '#server/context/context.ts';
import { notFound } from '#server/core/errors.ts';
import type { PlainBid } from '#server/deals/bids/service.ts';
import type { Totals } from '#server/money/books/ledger.ts';
import { NO_TOTALS, readTotalsOf, shareOfSeller, waitingAward } from '#server/money/books/service.ts';
import { checkout, listPaymentsOfBids, listWaits } from '#server/money/payments/service.ts';
import type { Payment } from '#server/money/payments/store.ts';
import { coverIfPaidNow, coversOf } from './guarantee.ts';
import { listSaleClaims } from './store.ts';
import { toSaleClaim } from './view.ts';

/** What buyer and seller see of a sale: its payment, the claim about it, and the guarantee. */

/**
 * What the buyer has to pay, the providers to pay through, and the guarantee of the sale.
 * @throws AppError as the checkout of payments
 */
export async function checkoutWithCover(ctx: MemberContext, bidId: number): Promise<Checkout> {
  const { bid, ...plain } = await checkout(ctx, bidId);
  const { exchangeId, couponId, bidderId: buyerId, ownerId: sellerId, guaranteeDays: days } = bid;
  const cover = exchangeId === null ? await coverIfPaidNow(ctx, { couponId, buyerId, sellerId, days }) : null;
  return { ...plain, cover };
}

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
  const payments = await listPaymentsOfBids(db, bidIds);
  if (payments.length === 0) return new Map();
  const ids = payments.map(({ id }) => id);
  const saleClaims = new Map((await listSaleClaims(db, bidIds)).map((claim) => [claim.bidId, claim]));
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
  payment: Payment,
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
    refundFailed: centsToDecimal(payment.refundFailed),
    sellerShare: isSeller && totals.captured > 0 ? centsToDecimal(shareOfSeller(payment, totals)) : null,
    keptBack: centsToDecimal(isSeller ? Math.max(0, totals.offset) : 0),
    waitsFor: isSeller ? waitsFor : null,
  };
}
