import { t } from '@lingui/core/macro';
import { centsToDecimal, decimalToCents } from '#contract/base/money.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import { feesOf } from '#contract/money/fees.ts';
import { notFound } from '#server/core/errors.ts';
import { feeRatesOf } from '#server/deals/bids/service.ts';
import type { Terms } from '#server/deals/lifecycle/service.ts';
import { feeRatesOfLeg } from './decide-prices.ts';
import { sideOf } from './rules.ts';
import type { ExchangeRow } from './store.ts';

/**
 * An exchange for one of its parties.
 * @param now the terms in force, for prices in an exchange that was not accepted yet
 * @throws AppError not_found for others
 */
export function toExchange(row: ExchangeRow, viewerId: number, now: Terms): Exchange {
  if (sideOf(row, viewerId) === null) throw notFound(t`Exchange not found`);
  const { version: _, ...shown } = row;
  const toAuthor = row.legs.find(({ receiverId }) => receiverId === row.requesterId);
  const fromAuthor = row.legs.find(({ giverId }) => giverId === row.requesterId);
  if (!toAuthor || !fromAuthor) throw new Error(`The author of exchange ${row.id} gives or gets nothing`);
  return {
    ...shown,
    legs: row.legs.map((leg) => ({ ...leg, price: toPrice(row, leg, now) })),
    requesterUsername: fromAuthor.giverUsername,
    parties: row.parties.map(({ memberSince, consentedAt, depositAt, terms: _, ...party }) => ({
      ...party,
      depositAt: depositAt === null ? null : new Date(depositAt).toISOString(),
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

/** The price of a leg with its fees: those of its acceptance or, before that, those that it would be accepted at now. */
export function toPrice(
  { parties }: Pick<ExchangeRow, 'parties'>,
  leg: Pick<ExchangeRow['legs'][number], 'giverId' | 'receiverId' | 'price'>,
  now: Terms,
): Exchange['legs'][number]['price'] {
  const { price } = leg;
  if (price === null) return null;
  const { amount, bidId, paidAt, isGiverReady } = price;
  const rates = bidId === null ? feeRatesOfLeg(parties, leg, now) : feeRatesOf(price);
  const { buyerTotal, netAmount } = feesOf(decimalToCents(amount), rates);
  return {
    amount,
    buyerTotal: centsToDecimal(buyerTotal),
    netAmount: centsToDecimal(netAmount),
    bidId,
    paidAt: paidAt === null ? null : new Date(paidAt).toISOString(),
    isGiverReady,
  };
}
