import type { Exchange } from '#contract/exchanges.ts';
import { notFound } from '#server/core/errors.ts';
import { sideOf } from './rules.ts';
import type { ExchangeRow } from './store.ts';

/** An exchange for one of its parties. @throws AppError not_found for others */
export function toExchange(row: ExchangeRow, viewerId: number): Exchange {
  if (sideOf(row, viewerId) === null) throw notFound('Exchange');
  const { version: _, ...shown } = row;
  const toAuthor = row.legs.find(({ receiverId }) => receiverId === row.requesterId);
  const fromAuthor = row.legs.find(({ giverId }) => giverId === row.requesterId);
  if (!toAuthor || !fromAuthor) throw new Error(`The author of exchange ${row.id} gives or gets nothing`);
  return {
    ...shown,
    requesterUsername: fromAuthor.giverUsername,
    parties: row.parties.map(({ memberSince, consentedAt, ...party }) => ({
      ...party,
      memberSince: new Date(memberSince).toISOString(),
      consentedAt: consentedAt === null ? null : new Date(consentedAt).toISOString(),
    })),
    requestedCouponOwnerId: toAuthor.giverId,
    requestedCouponOwnerUsername: toAuthor.giverUsername,
    requestedCoupon: toAuthor.coupon,
    offeredCoupon: fromAuthor.coupon,
    consentBy: row.consentBy?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    acceptedAt: row.acceptedAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
    deadlineAt: row.deadlineAt?.toISOString() ?? null,
  };
}
