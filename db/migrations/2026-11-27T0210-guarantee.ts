import { type Kysely, sql } from 'kysely';

/**
 * The guarantee: claims about sales after their hold, and the reserve in the ledger that pays what a seller cannot. What
 * was in force at a sale stays with its payment; sales from before have no guarantee.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payment_transactions
      add column guarantee_days integer not null default 0
        constraint payments_guarantee_days check (guarantee_days in (0, 7, 42, 100)),
      add column reserve_percent integer not null default 0
        constraint payments_reserve_percent check (reserve_percent between 0 and 100);
    comment on column payment_transactions.guarantee_days is 'days after the hold in which a claim is heard';
    comment on column payment_transactions.reserve_percent is 'the part of the fees that goes to the reserve';
    create function refuse_other_guarantee() returns trigger language plpgsql as $$
    begin
      raise exception 'the guarantee of a payment cannot change' using errcode = 'check_violation';
    end $$;
    create trigger payments_guarantee_stays before update of guarantee_days, reserve_percent on payment_transactions
      for each row when ((old.guarantee_days, old.reserve_percent) is distinct from (new.guarantee_days, new.reserve_percent))
      execute function refuse_other_guarantee();

    alter table claims
      add column is_late boolean not null default false,
      add column shop_answer text constraint claims_shop_answer_check check (length(shop_answer) between 1 and 1000),
      add constraint claims_late_about_sale check (not is_late or bid_id is not null),
      add constraint claims_late_shop_answer check (shop_answer is null or is_late);
    comment on column claims.is_late is 'made after the hold, under the guarantee';
    comment on column claims.shop_answer is 'what the merchant said about the code, as the claimant tells it';
    create index claims_late on claims (claimant_id, created_at) where is_late;

    alter table provider_operations drop constraint provider_operations_waits_for_check,
      add constraint provider_operations_waits_for_check check (waits_for in ('dispute', 'refund', 'seller_banned',
        'seller_suspended', 'account_restricted', 'report', 'seller_balance', 'seller_money'))`.execute(db);

  await sql`
    alter table ledger_accounts drop constraint ledger_accounts_kind_check,
      add constraint ledger_accounts_kind_check check (kind in ('provider_clearing', 'seller_payable', 'platform_fees',
        'provider_fees', 'disputes', 'losses', 'offsets', 'awards', 'reserve', 'advances'));
    alter table ledger_journals drop constraint ledger_journals_kind_check,
      add constraint ledger_journals_kind_check check (kind in ('capture', 'provider_fee', 'refund', 'withdrawal', 'loss',
        'payout', 'payout_reversal', 'offset', 'collection', 'write_off', 'award', 'reserve', 'cover'));
    drop index ledger_journals_debts;
    create index ledger_journals_debts on ledger_journals (payment_id)
      where kind in ('refund', 'loss', 'award') or sequence > 1;

    -- What the reserve holds. Its lock makes those who pay from it wait for each other.
    create table guarantee_reserve (
      is_only boolean primary key default true check (is_only),
      balance numeric(12, 2) not null default 0 constraint guarantee_reserve_not_below_zero check (balance >= 0)
    );
    comment on table guarantee_reserve is 'the balance of the ledger account reserve, kept by a trigger';
    insert into guarantee_reserve default values;
    create function move_guarantee_reserve() returns trigger language plpgsql as $$
    begin
      if exists (select from ledger_accounts where id = new.account_id and kind = 'reserve') then
        update guarantee_reserve set balance = balance - new.amount;
      end if;
      return null;
    end $$;
    create trigger ledger_entries_move_reserve after insert on ledger_entries
      for each row execute function move_guarantee_reserve();
    create function refuse_reserve_removal() returns trigger language plpgsql as $$
    begin
      raise exception 'the reserve has one balance' using errcode = 'check_violation';
    end $$;
    create trigger guarantee_reserve_stays before delete or truncate on guarantee_reserve
      for each statement execute function refuse_reserve_removal()`.execute(db);
}
