import { DEADLINE_DAYS } from '#contract/deals.ts';
import type { Exchange } from '#contract/exchanges.ts';
import { addDays } from '#server/core/clock.ts';
import { notFound } from '#server/core/errors.ts';
import { sideOf } from './rules.ts';
import type { ExchangeRow } from './store.ts';

/** An exchange for one of its parties. @throws AppError not_found for others */
export function toExchange(row: ExchangeRow, viewerId: number): Exchange {
  if (sideOf(row, viewerId) === null) throw notFound('Exchange');
  return {
    id: row.id,
    status: row.status,
    reason: row.reason,
    message: row.message,
    requesterId: row.requesterId,
    requesterUsername: row.requesterUsername,
    requestedCouponOwnerId: row.ownerId,
    requestedCouponOwnerUsername: row.ownerUsername,
    requestedCoupon: row.requestedCoupon,
    offeredCoupon: row.offeredCoupon,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    acceptedAt: row.acceptedAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
    deadlineAt: deadlineOf(row)?.toISOString() ?? null,
  };
}

/** When it ends by itself (decisions 3.6). */
function deadlineOf({ status, createdAt, acceptedAt }: ExchangeRow): Date | null {
  if (status === 'pending') return addDays(createdAt, DEADLINE_DAYS.exchangePending);
  if (status === 'accepted' && acceptedAt) return addDays(acceptedAt, DEADLINE_DAYS.exchangeAccepted);
  return null;
}
