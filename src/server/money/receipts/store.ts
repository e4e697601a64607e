import { sql } from 'kysely';
import type { PaymentStatus } from '#contract/money/payments.ts';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { JournalKind } from '#server/money/books/rules.ts';

/** A paid payment with its parties, coupon and card; undefined if there is none. */
export async function findSale(db: Database | Trx, paymentId: number) {
  return db
    .selectFrom('paymentTransactions as payment')
    .innerJoin('bids', 'bids.id', 'payment.bidId')
    .innerJoin('coupons', 'coupons.id', 'bids.couponId')
    .innerJoin('users as buyer', 'buyer.id', 'payment.senderId')
    .innerJoin('users as seller', 'seller.id', 'payment.receiverId')
    .leftJoin('paymentMethods as card', 'card.id', 'payment.paymentMethodId')
    .select(['payment.id', 'payment.bidId', 'bids.exchangeId', 'payment.paidAt'])
    .select(['payment.senderId', 'payment.receiverId'])
    .select(['payment.amount', 'payment.buyerFee', 'payment.sellerFee', 'payment.netAmount'])
    .select(['payment.provider', 'payment.status', 'payment.isDisputed'])
    .select([
      'bids.buyerFeePercent',
      'bids.buyerFeeMinimum',
      'bids.sellerFeePercent',
      'bids.sellerFeeMinimum',
    ])
    .select(['buyer.username as buyerUsername', 'seller.username as sellerUsername'])
    .select(['coupons.title as couponTitle', 'coupons.merchant'])
    .select(['card.brand', 'card.lastFour'])
    .where('payment.id', '=', paymentId)
    .where('payment.paidAt', 'is not', null)
    .$narrowType<{ paidAt: Date; status: PaymentStatus; provider: PaymentProviderName }>()
    .executeTakeFirst();
}

export type SaleRow = NonNullable<Awaited<ReturnType<typeof findSale>>>;

/** What a journal has moved. Amounts are cents of the base currency; what a party receives is positive. */
export interface Movement {
  /** Of the journal. */
  readonly id: number;
  readonly kind: JournalKind;
  /** Whether the journal's total rises. */
  readonly isRise: boolean;
  readonly at: Date;
  /** Out of the provider's account: to the buyer, for a refund. */
  readonly paidBack: number;
  readonly seller: number;
}

/** The journals of a payment, oldest first. */
export async function listMovements(db: Database | Trx, paymentId: number): Promise<Movement[]> {
  const found = await sql<Movement>`
    select journal.id, journal.kind, journal.amount > 0 as is_rise, journal.created_at as at,
      (100 * coalesce(-sum(entry.amount) filter (where account.kind = 'provider_clearing'), 0))::integer as paid_back,
      (100 * coalesce(-sum(entry.amount) filter (where account.kind = 'seller_payable'), 0))::integer as seller
    from ledger_journals journal
    join ledger_entries entry on entry.journal_id = journal.id
    join ledger_accounts account on account.id = entry.account_id
    where journal.payment_id = ${paymentId}
    group by journal.id order by journal.id`.execute(db);
  return found.rows;
}
