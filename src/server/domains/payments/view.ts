import { centsToDecimal, decimalToCents } from '#contract/money.ts';
import type { Claim, PaymentMethod, Protection, WaitReason } from '#contract/payments.ts';
import { notFound } from '#server/core/errors.ts';
import { shareOfSeller, type Totals } from '../ledger/service.ts';
import type { CardRow } from './cards-store.ts';
import type { ClaimOfPayment, ClaimRow } from './claims-store.ts';
import type { Payment } from './store.ts';

/** A saved card without the provider's token. */
export function toPaymentMethod(row: CardRow): PaymentMethod {
  const { tokenizedDetails: _, createdAt, ...card } = row;
  return { ...card, type: 'card', createdAt: createdAt.toISOString() };
}

/** A claim for moderators. */
export function toClaim(row: ClaimRow): Claim {
  const { amount, buyerFee, createdAt, decidedAt, ...claim } = row;
  return {
    ...claim,
    buyerTotal: centsToDecimal(decimalToCents(amount) + decimalToCents(buyerFee)),
    createdAt: createdAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  };
}

/** The state of a payment, for one of its parties. @throws AppError not_found for others */
export function toProtection(
  payment: Payment,
  {
    claim,
    totals,
    waitsFor,
  }: { claim: ClaimOfPayment | undefined; totals: Totals; waitsFor: WaitReason | null },
  viewerId: number,
): Protection {
  if (![payment.senderId, payment.receiverId].includes(viewerId)) throw notFound('Payment');
  const isSeller = viewerId === payment.receiverId;
  return {
    paymentId: payment.id,
    status: payment.status,
    provider: payment.provider,
    holdUntil: payment.holdUntil?.toISOString() ?? null,
    claim: claim
      ? {
          status: claim.status,
          reason: claim.reason,
          note: claim.note,
          createdAt: claim.createdAt.toISOString(),
        }
      : null,
    isDisputed: payment.isDisputed,
    refunded: centsToDecimal(totals.refunded),
    takenByBank: centsToDecimal(totals.withdrawn),
    sellerShare: isSeller && totals.captured > 0 ? centsToDecimal(shareOfSeller(payment, totals)) : null,
    keptBack: centsToDecimal(isSeller ? Math.max(0, totals.offset) : 0),
    waitsFor: isSeller ? waitsFor : null,
  };
}
