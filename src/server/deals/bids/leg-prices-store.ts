import { sql } from 'kysely';
import { type Cents, centsToDecimal } from '#contract/base/money.ts';
import type { FeeRates } from '#contract/money/fees.ts';
import type { Trx } from '#server/database/client.ts';

/**
 * The bids by which the prices of an exchange's legs are paid. They are accepted with the exchange and end with it; their
 * only difference from other bids is that they move no coupon themselves.
 */

/**
 * Stores an accepted bid for each price of an exchange that has just been accepted. Lock the exchange first.
 * @param given.prices the fees of each price, by its coupon
 */
export async function insertPriceBids(
  trx: Trx,
  {
    exchangeId,
    prices,
    at,
  }: {
    exchangeId: number;
    prices: readonly { readonly couponId: number; readonly feeRates: FeeRates }[];
    at: Date;
  },
): Promise<void> {
  const each = (of: (rates: FeeRates) => Cents) =>
    sql`${prices.map(({ feeRates }) => centsToDecimal(of(feeRates)))}::numeric[]`;
  await sql`
    insert into bids (exchange_id, coupon_id, bidder_id, owner_id, amount, status, created_at, updated_at, accepted_at,
      buyer_fee_percent, buyer_fee_minimum, seller_fee_percent, seller_fee_minimum)
    select exchange_id, coupon_id, receiver_id, giver_id, price, 'accepted', ${at}, ${at}, ${at},
      buyer_percent, buyer_minimum, seller_percent, seller_minimum
    from exchange_legs join unnest(${prices.map(({ couponId }) => couponId)}::integer[],
        ${each(({ buyer }) => buyer.basisPoints)}, ${each(({ buyer }) => buyer.minimum)},
        ${each(({ seller }) => seller.basisPoints)}, ${each(({ seller }) => seller.minimum)})
      as fees (coupon_id, buyer_percent, buyer_minimum, seller_percent, seller_minimum) using (coupon_id)
    where exchange_id = ${exchangeId} and price is not null order by place`.execute(trx);
}

/** Notes that the money for a leg is held since `paidAt`, or with null that it is not any more. Lock the bid first. */
export async function setPaidAt(trx: Trx, id: number, paidAt: Date | null, at: Date): Promise<void> {
  await trx
    .updateTable('bids')
    .set({ pricePaidAt: paidAt, updatedAt: at })
    .where('id', '=', id)
    .where('exchangeId', 'is not', null)
    .where('status', '=', 'accepted')
    .execute();
}

/** Completes the prices of an exchange. The database refuses it unless all are paid. Lock the exchange first. */
export async function completePriceBids(trx: Trx, exchangeId: number, at: Date): Promise<void> {
  await trx
    .updateTable('bids')
    .set({ status: 'completed', completedAt: at, updatedAt: at })
    .where('exchangeId', '=', exchangeId)
    .where('status', '=', 'accepted')
    .execute();
}
