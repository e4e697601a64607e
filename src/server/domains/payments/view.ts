import { centsToDecimal } from '#contract/money.ts';
import type { PaymentMethod, Protection, WaitReason } from '#contract/payments.ts';
import { notFound } from '#server/core/errors.ts';
import { picturesFor } from '../claim-pictures.ts';
import type { SaleClaim } from '../claims/service.ts';
import { shareOfSeller, type Totals } from '../ledger/service.ts';
import type { CardRow } from './cards-store.ts';
import type { Payment } from './store.ts';

/** A saved card without the provider's token. */
export function toPaymentMethod(row: CardRow): PaymentMethod {
  const { tokenizedDetails: _, createdAt, ...card } = row;
  return { ...card, type: 'card', createdAt: createdAt.toISOString() };
}

function toSaleClaim(claim: SaleClaim, viewerId: number): NonNullable<Protection['claim']> {
  const { claimantId: _, giverId: __, createdAt, ...rest } = claim;
  return { ...rest, ...picturesFor(claim, viewerId), createdAt: createdAt.toISOString() };
}

/** The state of a payment, for one of its parties. @throws AppError not_found for others */
export function toProtection(
  payment: Payment,
  { claim, totals, waitsFor }: { claim: SaleClaim | undefined; totals: Totals; waitsFor: WaitReason | null },
  viewerId: number,
): Protection {
  if (![payment.senderId, payment.receiverId].includes(viewerId)) throw notFound('Payment');
  const isSeller = viewerId === payment.receiverId;
  return {
    paymentId: payment.id,
    status: payment.status,
    provider: payment.provider,
    holdUntil: payment.holdUntil?.toISOString() ?? null,
    claim: claim ? toSaleClaim(claim, viewerId) : null,
    isDisputed: payment.isDisputed,
    refunded: centsToDecimal(totals.refunded),
    takenByBank: centsToDecimal(totals.withdrawn),
    sellerShare: isSeller && totals.captured > 0 ? centsToDecimal(shareOfSeller(payment, totals)) : null,
    keptBack: centsToDecimal(isSeller ? Math.max(0, totals.offset) : 0),
    waitsFor: isSeller ? waitsFor : null,
  };
}
