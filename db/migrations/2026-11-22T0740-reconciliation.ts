import { type Kysely, sql } from 'kysely';

/** Where our books and a provider's differ, until a later comparison finds them equal. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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
