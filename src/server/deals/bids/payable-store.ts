import { sql } from 'kysely';
import { type Cents, decimalToCents } from '#contract/base/money.ts';
import type { DealStatus } from '#contract/deals/deals.ts';
import type { FeeRates } from '#contract/money/fees.ts';
import { addDays } from '#server/core/clock.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { BID_DEADLINE } from '#server/deals/lifecycle/deadlines-sql.ts';
import { FEE_COLUMNS, type FeeColumns, feeRatesOf } from './store.ts';

/** The part of a bid that payments need. */
export interface PayableBid {
  readonly id: number;
  readonly couponId: number;
  /** The exchange whose leg it pays; null for a sale. */
  readonly exchangeId: number | null;
  /** The coupons that change hands with it: those of the exchange, or its own. */
  readonly couponIds: readonly number[];
  readonly couponTitle: string;
  readonly merchant: string;
  /** When the first of these coupons expires; null if none does. */
  readonly couponExpiresAt: Date | null;
  readonly bidderId: number;
  readonly bidderUsername: string;
  /** The seller: the coupon's owner when the bid was placed. */
  readonly ownerId: number;
  readonly ownerUsername: string;
  /** Of the base currency. */
  readonly amount: Cents;
  /** Without meaning before it is accepted. */
  readonly feeRates: FeeRates;
  readonly guaranteeDays: number;
  readonly status: DealStatus;
  readonly acceptedAt: Date | null;
  /** Since when the money for an exchange is held. */
  readonly pricePaidAt: Date | null;
  /** Until when an accepted one can be paid. */
  readonly deadlineAt: Date | null;
}

const COUPON_IDS = sql<number[]>`case when bids.exchange_id is null then array[bids.coupon_id] else array(
  select leg.coupon_id from exchange_legs as leg where leg.exchange_id = bids.exchange_id order by leg.place) end`;

function selectPayable(db: Database | Trx) {
  return db
    .selectFrom('bids')
    .innerJoin('users as bidder', 'bidder.id', 'bids.bidderId')
    .innerJoin('users as owner', 'owner.id', 'bids.ownerId')
    .innerJoin('coupons', 'coupons.id', 'bids.couponId')
    .select(['bids.id', 'bids.couponId', 'coupons.title as couponTitle', 'coupons.merchant'])
    .select([
      'bids.guaranteeDays',
      'bids.exchangeId',
      'bids.amount',
      'bids.status',
      'bids.acceptedAt',
      'bids.pricePaidAt',
    ])
    .select(COUPON_IDS.as('couponIds'))
    .select(
      sql<Date | null>`(select min(moved.expires_at) from coupons as moved where moved.id = any(${COUPON_IDS}))`.as(
        'couponExpiresAt',
      ),
    )
    .select(BID_DEADLINE.as('deadlineAt'))
    .select(['bids.bidderId', 'bidder.username as bidderUsername'])
    .select(['bids.ownerId', 'owner.username as ownerUsername'])
    .select(FEE_COLUMNS)
    .$narrowType<{ status: DealStatus }>();
}

function toPayable(
  row: Omit<PayableBid, 'amount' | 'feeRates'> & FeeColumns & { amount: string },
): PayableBid {
  const { buyerFeePercent, buyerFeeMinimum, sellerFeePercent, sellerFeeMinimum, ...bid } = row;
  const feeRates = feeRatesOf({ buyerFeePercent, buyerFeeMinimum, sellerFeePercent, sellerFeeMinimum });
  return { ...bid, amount: decimalToCents(row.amount), feeRates };
}

export async function findPayableBid(db: Database | Trx, id: number): Promise<PayableBid | null> {
  const row = await selectPayable(db).where('bids.id', '=', id).executeTakeFirst();
  return row ? toPayable(row) : null;
}

/** Locks its coupon before it; for the price of a leg, all coupons of the exchange and then the exchange. */
export async function lockPayableBid(trx: Trx, id: number): Promise<PayableBid | null> {
  const [locked] = await trx
    .selectFrom('coupons')
    .innerJoin('bids', (join) => join.on('bids.id', '=', id))
    .select('bids.exchangeId')
    .where('coupons.id', '=', sql<number>`any(${COUPON_IDS})`)
    .orderBy('coupons.id')
    .forNoKeyUpdate('coupons')
    .execute();
  if (locked && locked.exchangeId !== null) {
    await trx
      .selectFrom('exchanges')
      .select('id')
      .where('id', '=', locked.exchangeId)
      .forNoKeyUpdate()
      .execute();
  }
  const row = await selectPayable(trx).where('bids.id', '=', id).forNoKeyUpdate('bids').executeTakeFirst();
  return row ? toPayable(row) : null;
}

/** Takes the day's turn to ask the seller of a bid to set up payments. @returns false if they were asked less than a day ago */
export async function takeAskingTurn(trx: Trx, id: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('bids')
    .set({ sellerAskedAt: at })
    .where('id', '=', id)
    .where((where) =>
      where.or([where('sellerAskedAt', 'is', null), where('sellerAskedAt', '<=', addDays(at, -1))]),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
