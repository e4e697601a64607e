import type { Bid } from '#contract/bids.ts';
import { type BidSide, turnOf } from '#contract/deals.ts';
import type { FeeRates } from '#contract/fees.ts';
import type { Protection } from '#contract/payments.ts';
import type { Standing } from '#contract/standing.ts';
import { notFound } from '#server/core/errors.ts';
import { picturesFor } from '../claim-pictures.ts';
import { sideOf } from './rules.ts';
import { type BidRow, feeRatesOf } from './store.ts';

/**
 * A bid for one of its parties. Only the seller sees whether it is the highest, or below the lowest price.
 * @param ratesNow those of a bid that was not accepted yet
 * @throws AppError not_found for others
 */
export function toBid(row: BidRow, viewerId: number, ratesNow: FeeRates): Bid {
  const side = sideOf(row, viewerId);
  if (side === null) throw notFound('Bid');
  return {
    id: row.id,
    couponId: row.couponId,
    bidderId: row.bidderId,
    bidderUsername: row.bidderUsername,
    ownerId: row.ownerId,
    bidderStanding: toStanding(row.bidderStanding),
    ownerUsername: row.ownerUsername,
    ownerStanding: toStanding(row.ownerStanding),
    amount: row.amount,
    round: row.round,
    counterAmount: row.counterAmount,
    counters: row.counters.map((counter) => ({ ...counter, by: turnOf(counter.round - 1) })),
    feeRates: row.acceptedAt === null ? ratesNow : feeRatesOf(row),
    status: row.status,
    reason: row.reason,
    isAutomatic: row.isAutomatic,
    message: row.message,
    coupon: row.coupon,
    isHighest: side === 'owner' ? row.isHighest : null,
    isBelowFloor: side === 'owner' ? row.isBelowFloor : null,
    isSellerReady: row.isSellerReady,
    protection: toProtection(row, side, viewerId),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    acceptedAt: row.acceptedAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
    deadlineAt: row.deadlineAt?.toISOString() ?? null,
  };
}

/** The instant as PostgreSQL writes it in JSON. */
function toStanding({ memberSince, ...standing }: Standing): Standing {
  return { ...standing, memberSince: new Date(memberSince).toISOString() };
}

function toProtection(row: BidRow, side: BidSide, viewerId: number): Protection | null {
  const { paymentId, paymentStatus: status, provider, holdUntil, isDisputed } = row;
  if (paymentId === null || status === null || provider === null) return null;
  const { claimId, claimStatus, claimReason, claimedAt, claimAnswer, claimNote } = row;
  return {
    paymentId,
    status,
    provider,
    holdUntil: holdUntil?.toISOString() ?? null,
    claim:
      claimId === null || claimStatus === null || claimReason === null || claimedAt === null
        ? null
        : {
            id: claimId,
            status: claimStatus,
            reason: claimReason,
            createdAt: claimedAt.toISOString(),
            answer: claimAnswer,
            note: claimNote,
            ...picturesFor(
              { ...row, claimantId: row.bidderId, giverId: row.ownerId, status: claimStatus },
              viewerId,
            ),
          },
    isDisputed: isDisputed === true,
    refunded: row.refunded ?? '0.00',
    takenByBank: row.takenByBank ?? '0.00',
    sellerShare: side === 'owner' ? row.sellerShare : null,
    keptBack: side === 'owner' && row.offset !== null && Number(row.offset) > 0 ? row.offset : '0.00',
    waitsFor: side === 'owner' ? row.waitsFor : null,
  };
}
