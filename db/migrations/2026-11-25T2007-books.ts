import { type Kysely, sql } from 'kysely';

/** The double-entry ledger: every cent that moved, append-only, each journal adding up to nothing. Amounts are CAD. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ledger_accounts (
      id integer generated always as identity primary key,
      kind text not null check (kind in ('provider_clearing', 'seller_payable', 'platform_fees', 'provider_fees',
        'disputes', 'losses', 'offsets')),
      provider text check (provider in ('stripe', 'paypal')),
      user_id integer references users (id),
      constraint ledger_accounts_owner check ((kind = 'seller_payable') = (user_id is not null)),
      constraint ledger_accounts_provider check ((kind = 'provider_clearing') = (provider is not null)),
      constraint ledger_accounts_one unique nulls not distinct (kind, provider, user_id)
    );

    -- A journal books how one total of a payment has changed.
    create table ledger_journals (
      id integer generated always as identity primary key,
      kind text not null check (kind in ('capture', 'provider_fee', 'refund', 'withdrawal', 'loss', 'payout',
        'payout_reversal', 'offset', 'collection', 'write_off')),
      payment_id integer not null references payment_transactions (id),
      other_payment_id integer references payment_transactions (id),
      amount numeric(10, 2) not null,
      fee_amount numeric(10, 2) not null default 0,
      sequence integer not null,
      created_at timestamptz not null,
      -- What a provider tells twice is booked once.
      constraint ledger_journals_once unique (payment_id, kind, sequence),
      constraint ledger_journals_amount check (amount <> 0 or fee_amount <> 0),
      constraint ledger_journals_offset check ((kind = 'offset') = (other_payment_id is not null))
    );
    comment on column ledger_journals.other_payment_id is
      'for an offset: the payment whose debt was covered, or whose payout was lowered';
    comment on column ledger_journals.amount is 'how much the total has changed';
    comment on column ledger_journals.fee_amount is 'for a refund: how much of it ClipSwap has given back of its fees';
    comment on column ledger_journals.sequence is 'counts the changes of this total from 1';
    create index ledger_journals_payment on ledger_journals (payment_id, id);
    create index ledger_journals_newest on ledger_journals (created_at);
    -- Finds the payments for which a seller may owe something without reading the whole ledger.
    create index ledger_journals_debts on ledger_journals (payment_id)
      where kind in ('refund', 'loss') or sequence > 1;

    create table ledger_entries (
      id bigint generated always as identity primary key,
      journal_id integer not null references ledger_journals (id),
      account_id integer not null references ledger_accounts (id),
      amount numeric(10, 2) not null check (amount <> 0)
    );
    comment on column ledger_entries.amount is 'positive is debit, negative is credit';
    create index ledger_entries_journal on ledger_entries (journal_id);
    create index ledger_entries_account on ledger_entries (account_id, id);

    create function refuse_ledger_change() returns trigger language plpgsql as $$
    begin
      raise exception 'the ledger is append-only: book a journal that corrects it' using errcode = 'check_violation';
    end $$;
    create trigger ledger_accounts_append_only before update or delete or truncate on ledger_accounts
      for each statement execute function refuse_ledger_change();
    create trigger ledger_journals_append_only before update or delete or truncate on ledger_journals
      for each statement execute function refuse_ledger_change();
    create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
      for each statement execute function refuse_ledger_change();

    -- At the end of each transaction, when the journal is whole. A journal without entries does not balance either.
    create function refuse_unbalanced_journal() returns trigger language plpgsql as $$
    declare
      journal integer;
    begin
      if tg_table_name = 'ledger_entries' then journal := new.journal_id; else journal := new.id; end if;
      if (select count(*) < 2 or sum(amount) <> 0 from ledger_entries where journal_id = journal) then
        raise exception 'journal % does not balance', journal using errcode = 'check_violation';
      end if;
      return null;
    end $$;
    create constraint trigger ledger_entries_balance after insert on ledger_entries
      deferrable initially deferred for each row execute function refuse_unbalanced_journal();
    create constraint trigger ledger_journals_balance after insert on ledger_journals
      deferrable initially deferred for each row execute function refuse_unbalanced_journal();

    -- Where our books and a provider's differ, until a later comparison finds them equal.
    create table reconciliation_differences (
      id integer generated always as identity primary key,
      provider text not null check (provider in ('stripe', 'paypal')),
      ref text not null check (length(ref) <= 200),
      payment_id integer references payment_transactions (id),
      kind text not null check (kind in
        ('capture', 'provider_fee', 'refund', 'withdrawal', 'payout', 'payout_reversal')),
      ours numeric(12, 2) not null,
      theirs numeric(12, 2) not null,
      found_at timestamptz not null,
      closed_at timestamptz,
      handled_at timestamptz,
      handled_by integer references users (id),
      note text check (length(note) between 1 and 1000),
      constraint reconciliation_differences_once unique (provider, ref),
      constraint reconciliation_differences_differ check (ours <> theirs),
      constraint reconciliation_differences_handled check ((handled_at is null) = (handled_by is null))
    );
    comment on column reconciliation_differences.ref is
      'the payment and the kind, or the provider''s transaction where we know no such payment';
    comment on column reconciliation_differences.closed_at is 'when a comparison found it gone';
    create index reconciliation_differences_open on reconciliation_differences (found_at, id)
      where closed_at is null and handled_at is null;
    create index reconciliation_differences_payment on reconciliation_differences (payment_id)
      where payment_id is not null`.execute(db);
}
