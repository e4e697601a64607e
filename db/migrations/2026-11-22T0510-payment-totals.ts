import { type Kysely, sql } from 'kysely';

/** The ledger books how a payment's totals change; what is still to be done for a payment is one row an act. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ledger_accounts drop constraint ledger_accounts_kind_check;
    alter table ledger_accounts add constraint ledger_accounts_kind_check check (kind in
      ('provider_clearing', 'seller_payable', 'platform_fees', 'provider_fees', 'disputes', 'losses'));

    alter table ledger_journals disable trigger ledger_journals_append_only;
    alter table ledger_journals drop constraint ledger_journals_kind_check, drop constraint ledger_journals_once;
    alter table ledger_journals
      add column amount numeric(10, 2), add column fee_amount numeric(10, 2) not null default 0,
      add column sequence integer;
    update ledger_journals j set fee_amount = booked.fees,
      kind = case j.kind when 'dispute_opened' then 'withdrawal' when 'dispute_won' then 'withdrawal'
        when 'dispute_lost' then 'loss' else j.kind end,
      amount = case when j.kind in ('capture', 'payout_reversal') then booked.clearing
        when j.kind = 'dispute_lost' then -booked.disputes else -booked.clearing end
    from (
      select e.journal_id, coalesce(sum(e.amount) filter (where a.kind = 'provider_clearing'), 0) as clearing,
        coalesce(sum(e.amount) filter (where a.kind = 'disputes'), 0) as disputes,
        coalesce(sum(e.amount) filter (where a.kind = 'platform_fees' and o.kind = 'refund'), 0) as fees
      from ledger_entries e join ledger_accounts a on a.id = e.account_id join ledger_journals o on o.id = e.journal_id
      group by e.journal_id) as booked
    where booked.journal_id = j.id;
    update ledger_journals j set sequence = numbered.sequence
    from (select id, row_number() over (partition by payment_id, kind order by id) as sequence
      from ledger_journals) as numbered
    where numbered.id = j.id;
    alter table ledger_journals drop column source_ref,
      alter column amount set not null, alter column sequence set not null,
      add constraint ledger_journals_kind_check check (kind in ('capture', 'provider_fee', 'refund', 'withdrawal',
        'loss', 'payout', 'payout_reversal')),
      add constraint ledger_journals_once unique (payment_id, kind, sequence),
      add constraint ledger_journals_amount check (amount <> 0 or fee_amount <> 0);
    comment on column ledger_journals.amount is 'how much the total has changed';
    comment on column ledger_journals.fee_amount is 'of a refund: how much of it ClipSwap has given back of its fees';
    comment on column ledger_journals.sequence is 'the how-manieth change of this total: a change is booked once';
    alter table ledger_journals enable trigger ledger_journals_append_only`.execute(db);

  await sql`
    create table payment_acts (
      payment_id integer not null references payment_transactions (id),
      act text not null check (act in ('capture', 'payout', 'refund', 'reversal', 'review')),
      provider text not null check (provider in ('stripe', 'paypal')),
      amount numeric(10, 2) check (amount > 0),
      attempts integer not null default 0 check (attempts >= 0),
      last_error text check (length(last_error) <= 1000),
      waits_for text check (waits_for in
        ('dispute', 'refund', 'seller_banned', 'seller_suspended', 'account_restricted', 'report')),
      next_try_at timestamptz,
      given_up_at timestamptz,
      done_at timestamptz,
      opened_at timestamptz not null,
      primary key (payment_id, act),
      constraint payment_acts_one_state check (num_nonnulls(next_try_at, given_up_at, done_at) = 1),
      constraint payment_acts_person check (act <> 'review' or next_try_at is null)
    );
    comment on column payment_acts.amount is 'what the provider was last asked for; null where it decides';
    comment on column payment_acts.given_up_at is 'since when a person has to decide; review is for a person from the start';
    create index payment_acts_due on payment_acts (provider, act, next_try_at) where next_try_at is not null;
    create index payment_acts_given_up on payment_acts (given_up_at) where given_up_at is not null;

    insert into payment_acts (payment_id, act, provider, attempts, next_try_at, opened_at)
    select id, case status when 'releasing' then 'payout' else 'refund' end, provider,
      case status when 'releasing' then payout_attempts else refund_attempts end, coalesce(next_try_at, updated_at),
      updated_at
    from payment_transactions where status in ('releasing', 'refunding');
    alter table payment_transactions drop column payout_attempts, drop column refund_attempts`.execute(db);

  // A sale is held, final or undone; within each, the money may still move both ways.
  await sql`
    drop index payments_due;
    create index payments_due on payment_transactions (next_try_at) where status in ('created', 'open', 'processing');
    create or replace function refuse_backward_payment() returns trigger language plpgsql as $$
    begin
      if new.status is distinct from old.status and not (
        (old.status in ('created', 'open', 'processing') and new.status not in ('created', 'releasing', 'completed')) or
        (old.status = 'held' and new.status in
          ('releasing', 'completed', 'refunding', 'refunded', 'charged_back')) or
        (old.status in ('releasing', 'completed') and new.status in
          ('releasing', 'completed', 'refunding', 'refunded', 'charged_back')) or
        (old.status in ('refunding', 'refunded', 'charged_back') and new.status in
          ('refunding', 'refunded', 'charged_back')) or
        -- Money that came although the payment was given up goes straight back.
        (old.status in ('cancelled', 'failed') and new.status in ('refunding', 'refunded', 'charged_back'))
      ) then
        raise exception 'a payment cannot go from % to %', old.status, new.status using errcode = 'check_violation';
      end if;
      if (old.bid_id, old.sender_id, old.receiver_id, old.provider, old.receiver_account, old.amount, old.buyer_fee,
          old.seller_fee, old.public_id) is distinct from (new.bid_id, new.sender_id, new.receiver_id, new.provider,
          new.receiver_account, new.amount, new.buyer_fee, new.seller_fee, new.public_id) then
        raise exception 'what a payment is about cannot change' using errcode = 'check_violation';
      end if;
      return new;
    end $$`.execute(db);
}
