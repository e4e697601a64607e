import { type Kysely, sql } from 'kysely';

/**
 * A swap or ring may ask that each of its people puts up a deposit by card. It is authorised, captured by a claim alone, and
 * else voided. The ledger books what was captured.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table exchanges add column deposit numeric(10, 2)
      constraint exchanges_deposit check (deposit between 2.00 and 20.00);
    comment on column exchanges.deposit is 'CAD: what each party puts up; null: nothing';
    alter table exchange_parties add column deposit_at timestamptz;
    comment on column exchange_parties.deposit_at is 'since when the deposit of the party is authorised; null: it is not';

    -- What was agreed stays, and no coupon moves before all deposits are there.
    create function check_exchange_deposits() returns trigger language plpgsql as $$
    begin
      if new.deposit is distinct from old.deposit and old.status <> 'pending' then
        raise exception 'the deposit of exchange % stays', new.id using errcode = 'check_violation';
      end if;
      if new.status = 'completed' and old.status <> 'completed' and new.deposit is not null and exists (
        select from exchange_parties where exchange_id = new.id and deposit_at is null) then
        raise exception 'a deposit of exchange % is missing', new.id using errcode = 'check_violation';
      end if;
      return new;
    end $$;
    create trigger exchanges_deposits_sound before update of status, deposit on exchanges
      for each row execute function check_exchange_deposits();

    create table deposits (
      id integer generated always as identity primary key,
      public_id uuid not null unique,
      exchange_id integer not null references exchanges (id),
      user_id integer not null references users (id),
      amount numeric(10, 2) not null constraint deposits_amount check (amount between 2.00 and 20.00),
      status text not null default 'open' constraint deposits_status check (status in
        ('open', 'authorised', 'captured', 'voided', 'refunded', 'paid_out', 'charged_back')),
      ref text unique,
      charge_ref text unique,
      receiver_id integer references users (id),
      authorised_at timestamptz,
      captured_at timestamptz,
      ended_at timestamptz,
      waits_for text constraint deposits_waits_for check (waits_for in ('account', 'dispute', 'refund')),
      attempts integer not null default 0,
      last_error text check (length(last_error) <= 1000),
      next_try_at timestamptz,
      given_up_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint deposits_one_each unique (exchange_id, user_id),
      constraint deposits_ended check ((ended_at is not null) = (status in ('voided', 'refunded', 'paid_out', 'charged_back'))),
      constraint deposits_captured check (captured_at is null or authorised_at is not null),
      constraint deposits_over check (ended_at is null or next_try_at is null)
    );
    comment on table deposits is 'what somebody puts up by card for a swap or ring: authorised, captured by a claim alone';
    comment on column deposits.ref is 'the id of the payment at the card provider; null: it has not answered yet';
    comment on column deposits.receiver_id is 'who gets it, as their claim was granted';
    comment on column deposits.waits_for is 'why the last attempt led to nothing, if that is known';
    comment on column deposits.next_try_at is 'when it is looked at again; null: it has ended, or waits for a person';
    comment on column deposits.given_up_at is 'since when a person has to decide';
    create index deposits_due on deposits (next_try_at) where next_try_at is not null;
    create index deposits_person on deposits (user_id);
    create index deposits_receiver on deposits (receiver_id) where receiver_id is not null;

    alter table ledger_accounts drop constraint ledger_accounts_kind_check,
      add constraint ledger_accounts_kind_check check (kind in ('provider_clearing', 'seller_payable', 'platform_fees',
        'provider_fees', 'disputes', 'losses', 'offsets', 'awards', 'reserve', 'advances', 'deposits'));
    alter table ledger_journals alter column payment_id drop not null,
      add column deposit_id integer references deposits (id),
      add constraint ledger_journals_subject check ((payment_id is null) <> (deposit_id is null)),
      add constraint ledger_journals_of_deposit check (deposit_id is null or fee_amount = 0
        and kind in ('capture', 'provider_fee', 'refund', 'withdrawal', 'loss', 'payout')),
      add constraint ledger_journals_deposit_once unique (deposit_id, kind, sequence);
    comment on column ledger_journals.deposit_id is 'the deposit that has moved, where it is none of a payment'`.execute(
    db,
  );
}
