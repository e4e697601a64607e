import { t } from '@lingui/core/macro';
import { centsToDecimal, decimalToCents } from '#contract/base/money.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import { type FeeRates, feesOf } from '#contract/money/fees.ts';
import { notFound } from '#server/core/errors.ts';
import { feeRatesOf } from '#server/deals/bids/service.ts';
import type { LegPrice } from '#server/deals/lifecycle/exchange-legs-sql.ts';
import { sideOf } from './rules.ts';
import type { ExchangeRow } from './store.ts';

/**
 * An exchange for one of its parties.
 * @param ratesNow the fees of prices in an exchange that was not accepted yet
 * @throws AppError not_found for others
 */
export function toExchange(row: ExchangeRow, viewerId: number, ratesNow: FeeRates): Exchange {
  if (sideOf(row, viewerId) === null) throw notFound(t`Exchange not found`);
  const { version: _, ...shown } = row;
  const toAuthor = row.legs.find(({ receiverId }) => receiverId === row.requesterId);
  const fromAuthor = row.legs.find(({ giverId }) => giverId === row.requesterId);
  if (!toAuthor || !fromAuthor) throw new Error(`The author of exchange ${row.id} gives or gets nothing`);
  return {
    ...shown,
    legs: row.legs.map(({ price, ...leg }) => ({ ...leg, price: price && toPrice(price, ratesNow) })),
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

/** A price, with the fees of its acceptance or, before that, of now. */
export function toPrice(price: LegPrice, ratesNow: FeeRates): NonNullable<Exchange['legs'][number]['price']> {
  const { amount, bidId, paidAt, isGiverReady } = price;
  const { buyerTotal, netAmount } = feesOf(
    decimalToCents(amount),
    bidId === null ? ratesNow : feeRatesOf(price),
  );
  return {
    amount,
    buyerTotal: centsToDecimal(buyerTotal),
    netAmount: centsToDecimal(netAmount),
    bidId,
    paidAt: paidAt === null ? null : new Date(paidAt).toISOString(),
    isGiverReady,
  };
}
