import type { DealStatus } from '#contract/deals.ts';
import type { FeeRates } from '#contract/fees.ts';
import { type Cents, decimalToCents } from '#contract/money.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { BID_DEADLINE } from '../deadlines.ts';
import { FEE_COLUMNS, type FeeColumns, feeRatesOf } from './store.ts';

/** The part of a bid that payments need. */
export interface PayableBid {
  readonly id: number;
  readonly couponId: number;
  readonly couponTitle: string;
  readonly merchant: string;
  /** The coupon's last valid day, `YYYY-MM-DD`; null when it never expires. */
  readonly couponExpiresAt: Date | null;
  readonly bidderId: number;
  readonly bidderUsername: string;
  /** The seller: the coupon's owner when the bid was placed. */
  readonly ownerId: number;
  readonly ownerUsername: string;
  /** CAD. */
  readonly amount: Cents;
  /** Without meaning before it is accepted. */
  readonly feeRates: FeeRates;
  readonly status: DealStatus;
  readonly acceptedAt: Date | null;
  /** Until when an accepted one can be paid. */
  readonly deadlineAt: Date | null;
}

function selectPayable(db: Database | Trx) {
  return db
    .selectFrom('bids')
    .innerJoin('users as bidder', 'bidder.id', 'bids.bidderId')
    .innerJoin('users as owner', 'owner.id', 'bids.ownerId')
    .innerJoin('coupons', 'coupons.id', 'bids.couponId')
    .select(['bids.id', 'bids.couponId', 'coupons.title as couponTitle', 'coupons.merchant'])
    .select(['coupons.expiresAt as couponExpiresAt', 'bids.amount', 'bids.status', 'bids.acceptedAt'])
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

/** Locks its coupon before it. */
export async function lockPayableBid(trx: Trx, id: number): Promise<PayableBid | null> {
  await trx
    .selectFrom('coupons')
    .select('id')
    .where('id', '=', (from) => from.selectFrom('bids').select('couponId').where('bids.id', '=', id))
    .forNoKeyUpdate()
    .execute();
  const row = await selectPayable(trx).where('bids.id', '=', id).forNoKeyUpdate('bids').executeTakeFirst();
  return row ? toPayable(row) : null;
}
