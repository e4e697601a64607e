import { t } from '@lingui/core/macro';
import type { Bid } from '#contract/deals/bids.ts';
import { turnOf } from '#contract/deals/deals.ts';
import type { Standing } from '#contract/deals/standing.ts';
import { notFound } from '#server/core/errors.ts';
import type { Terms } from '#server/deals/lifecycle/terms.ts';
import { termsOf } from './decide.ts';
import { sideOf } from './rules.ts';
import { type BidRow, feeRatesOf } from './store.ts';

/** A bid without the protection of its sale, which money/claims/protection.ts adds to the answer of a call. */
export type PlainBid = Omit<Bid, 'protection'>;

/**
 * A bid for one of its parties. Only the seller sees whether it is the highest, or below the lowest price.
 * @param now the terms in force, for a bid that was not accepted yet
 * @throws AppError not_found for others
 */
export function toBid(row: BidRow, viewerId: number, now: Terms): PlainBid {
  const side = sideOf(row, viewerId);
  if (side === null) throw notFound(t`Bid not found`);
  return {
    id: row.id,
    couponId: row.couponId,
    exchangeId: row.exchangeId,
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
    feeRates: row.acceptedAt === null ? termsOf(row, now).feeRates : feeRatesOf(row),
    status: row.status,
    reason: row.reason,
    isAutomatic: row.isAutomatic,
    message: row.message,
    coupon: row.coupon,
    isHighest: side === 'owner' ? row.isHighest : null,
    isBelowFloor: side === 'owner' ? row.isBelowFloor : null,
    isSellerReady: row.isSellerReady,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    acceptedAt: row.acceptedAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
    beginBy: row.beginBy?.toISOString() ?? null,
    deadlineAt: row.deadlineAt?.toISOString() ?? null,
  };
}

/** The instant as PostgreSQL writes it in JSON. */
function toStanding({ memberSince, ...standing }: Standing): Standing {
  return { ...standing, memberSince: new Date(memberSince).toISOString() };
}
