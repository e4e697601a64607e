import { type Kysely, sql } from 'kysely';

/** The double-entry ledger: every cent that moved, append-only, each journal adding up to nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ledger_accounts (
      id integer generated always as identity primary key,
      kind text not null check (kind in
        ('provider_clearing', 'seller_payable', 'platform_fees', 'provider_fees', 'disputes')),
      provider text check (provider in ('stripe', 'paypal')),
      user_id integer references users (id),
      constraint ledger_accounts_owner check ((kind = 'seller_payable') = (user_id is not null)),
      constraint ledger_accounts_provider check ((kind = 'provider_clearing') = (provider is not null)),
      constraint ledger_accounts_one unique nulls not distinct (kind, provider, user_id)
    )`.execute(db);

  await sql`
    create table ledger_journals (
      id integer generated always as identity primary key,
      kind text not null check (kind in ('capture', 'provider_fee', 'payout', 'payout_reversal', 'refund',
        'dispute_opened', 'dispute_won', 'dispute_lost')),
      payment_id integer not null references payment_transactions (id),
      source_ref text not null check (length(source_ref) between 1 and 200),
      created_at timestamptz not null,
      -- What a provider tells twice is booked once.
      constraint ledger_journals_once unique (kind, source_ref)
    )`.execute(db);
  await sql`create index ledger_journals_payment on ledger_journals (payment_id, id)`.execute(db);
  await sql`create index ledger_journals_newest on ledger_journals (created_at)`.execute(db);

  await sql`
    create table ledger_entries (
      id bigint generated always as identity primary key,
      journal_id integer not null references ledger_journals (id),
      account_id integer not null references ledger_accounts (id),
      amount numeric(10, 2) not null check (amount <> 0)
    )`.execute(db);
  await sql`comment on column ledger_entries.amount is 'CAD; positive is debit, negative is credit'`.execute(
    db,
  );
  await sql`create index ledger_entries_journal on ledger_entries (journal_id)`.execute(db);
  await sql`create index ledger_entries_account on ledger_entries (account_id, id)`.execute(db);

  await sql`
    create function refuse_ledger_change() returns trigger language plpgsql as $$
    begin
      raise exception 'the ledger is append-only: book a journal that corrects it' using errcode = 'check_violation';
    end $$`.execute(db);
  for (const table of ['ledger_accounts', 'ledger_journals', 'ledger_entries']) {
    await sql`create trigger ${sql.ref(`${table}_append_only`)} before update or delete or truncate on ${sql.table(table)}
      for each statement execute function refuse_ledger_change()`.execute(db);
  }

  // Looked at when the transaction ends, when the journal is whole. A journal without entries is none either.
  await sql`
    create function refuse_unbalanced_journal() returns trigger language plpgsql as $$
    declare
      journal integer;
    begin
      if tg_table_name = 'ledger_entries' then journal := new.journal_id; else journal := new.id; end if;
      if (select count(*) < 2 or sum(amount) <> 0 from ledger_entries where journal_id = journal) then
        raise exception 'journal % does not balance', journal using errcode = 'check_violation';
      end if;
      return null;
    end $$`.execute(db);
  await sql`create constraint trigger ledger_entries_balance after insert on ledger_entries
    deferrable initially deferred for each row execute function refuse_unbalanced_journal()`.execute(db);
  await sql`create constraint trigger ledger_journals_balance after insert on ledger_journals
    deferrable initially deferred for each row execute function refuse_unbalanced_journal()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table ledger_entries, ledger_journals, ledger_accounts`.execute(db);
  await sql`drop function refuse_unbalanced_journal`.execute(db);
  await sql`drop function refuse_ledger_change`.execute(db);
}
