import { sql } from 'kysely';
import type { Cents } from '#contract/base/money.ts';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import type { Database } from '#server/database/client.ts';

/** What a seller owes for a payment. */
export interface DebtRow {
  readonly paymentId: number;
  readonly bidId: number;
  readonly couponTitle: string;
  readonly provider: PaymentProviderName;
  readonly sellerId: number;
  readonly sellerUsername: string;
  readonly owed: Cents;
  readonly since: Date;
  /** Whether Stripe is still asked to take it back, and has not refused. */
  readonly isBeingReversed: boolean;
}

/** No reversal of this payment is on its way: it was refused and waits, was given up, or is not due. */
const IS_IDLE = sql<boolean>`not exists (
  select from provider_operations as operation where operation.payment_id = payment.id and operation.kind = 'reversal'
    and operation.next_try_at is not null and operation.waits_for is distinct from 'seller_balance')`;

/** The debts of a seller, or of all sellers, oldest first. */
export async function listDebts(
  db: Database,
  { sellerId, limit }: { sellerId: number | null; limit: number },
): Promise<DebtRow[]> {
  const found = await sql<DebtRow>`
    select payment.id as payment_id, payment.bid_id, coupons.title as coupon_title, payment.provider,
      users.id as seller_id, users.username as seller_username, debt.owed, debt.since,
      not ${IS_IDLE} as is_being_reversed
    from (
      select journal.payment_id, (100 * sum(entry.amount))::integer as owed,
        coalesce(max(journal.created_at) filter (where journal.kind in ('refund', 'loss', 'award')),
          max(journal.created_at)) as since
      from payment_transactions payment
      join ledger_journals journal on journal.payment_id = payment.id
      join ledger_entries entry on entry.journal_id = journal.id
      join ledger_accounts account on account.id = entry.account_id and account.kind = 'seller_payable'
      where (payment.receiver_id = ${sellerId} or ${sellerId}::integer is null) and payment.id in (
        -- Without money that went back or a total that changed again nobody owes: ledger:check proves it.
        select payment_id from ledger_journals where kind in ('refund', 'loss', 'award') or sequence > 1)
      group by journal.payment_id having sum(entry.amount) > 0) as debt
    join payment_transactions payment on payment.id = debt.payment_id
    join users on users.id = payment.receiver_id
    join bids on bids.id = payment.bid_id
    join coupons on coupons.id = bids.coupon_id
    order by debt.since, payment.id limit ${limit}`.execute(db);
  return found.rows;
}

/** Payments whose payout is still to come and can be lowered, in the order in which they are due. */
export async function listNextPayouts(db: Database, sellerId: number, limit: number) {
  const found = await sql<{ paymentId: number; bidId: number; couponTitle: string; due: Cents }>`
    select payment.id as payment_id, payment.bid_id, coupons.title as coupon_title,
      (100 * -sum(entry.amount))::integer as due
    from payment_transactions payment
    join bids on bids.id = payment.bid_id
    join coupons on coupons.id = bids.coupon_id
    join ledger_journals journal on journal.payment_id = payment.id
    join ledger_entries entry on entry.journal_id = journal.id
    join ledger_accounts account on account.id = entry.account_id and account.kind = 'seller_payable'
    where payment.receiver_id = ${sellerId} and payment.provider = 'stripe'
      and payment.status in ('held', 'releasing') and not payment.is_disputed
    group by payment.id, coupons.id having sum(entry.amount) < 0
    order by payment.hold_until, payment.id limit ${limit}`.execute(db);
  return found.rows;
}
