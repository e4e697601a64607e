import { sql } from 'kysely';
import { centsToDecimal } from '#contract/base/money.ts';
import type { FeeRates } from '#contract/money/fees.ts';
import type { Trx } from '#server/database/client.ts';

/**
 * The bids by which the prices of an exchange's legs are paid. They are accepted with the exchange and end with it; their
 * only difference from other bids is that they move no coupon themselves.
 */

/** Stores an accepted bid for each price of an exchange that has just been accepted. Lock the exchange first. */
export async function insertPriceBids(
  trx: Trx,
  { exchangeId, rates, at }: { exchangeId: number; rates: FeeRates; at: Date },
): Promise<void> {
  const { buyer, seller } = rates;
  await sql`
    insert into bids (exchange_id, coupon_id, bidder_id, owner_id, amount, status, created_at, updated_at, accepted_at,
      buyer_fee_percent, buyer_fee_minimum, seller_fee_percent, seller_fee_minimum)
    select exchange_id, coupon_id, receiver_id, giver_id, price, 'accepted', ${at}, ${at}, ${at},
      ${centsToDecimal(buyer.basisPoints)}::numeric, ${centsToDecimal(buyer.minimum)}::numeric,
      ${centsToDecimal(seller.basisPoints)}::numeric, ${centsToDecimal(seller.minimum)}::numeric
    from exchange_legs where exchange_id = ${exchangeId} and price is not null order by place`.execute(trx);
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
