import { type Kysely, sql } from 'kysely';

/** What sellers owe: kept back from later payouts, collected by the provider, or written off. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ledger_accounts drop constraint ledger_accounts_kind_check;
    alter table ledger_accounts add constraint ledger_accounts_kind_check check (kind in
      ('provider_clearing', 'seller_payable', 'platform_fees', 'provider_fees', 'disputes', 'losses', 'offsets'));

    alter table ledger_journals drop constraint ledger_journals_kind_check;
    alter table ledger_journals
      add column other_payment_id integer references payment_transactions (id),
      add constraint ledger_journals_kind_check check (kind in ('capture', 'provider_fee', 'refund', 'withdrawal',
        'loss', 'payout', 'payout_reversal', 'offset', 'collection', 'write_off')),
      add constraint ledger_journals_offset check ((kind = 'offset') = (other_payment_id is not null));
    comment on column ledger_journals.other_payment_id is
      'of an offset: the payment whose debt was covered, or whose payout was lowered';

    alter table payment_acts drop constraint payment_acts_waits_for_check;
    alter table payment_acts add constraint payment_acts_waits_for_check check (waits_for in ('dispute', 'refund',
      'seller_banned', 'seller_suspended', 'account_restricted', 'report', 'seller_balance'))`.execute(db);
}
