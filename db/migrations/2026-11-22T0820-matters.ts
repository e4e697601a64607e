import { type Kysely, sql } from 'kysely';

/**
 * What waits for an admin is read where it stands: acts, payments, events, sellers. Stored are only marks and notes on
 * it. A refund may be of a part, a dispute has a deadline, and a view of a code keeps where it came from, as evidence.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table matters (
      kind text not null check (kind in ('act', 'review', 'dispute', 'event', 'seller', 'difference')),
      ref text not null check (length(ref) between 1 and 300),
      handled_at timestamptz,
      handled_by integer references users (id),
      mailed_at timestamptz,
      primary key (kind, ref),
      constraint matters_handled check ((handled_at is null) = (handled_by is null))
    );
    comment on column matters.mailed_at is 'when admins were told; what has begun later is new';
    create index matters_mailed on matters (mailed_at);

    create table matter_notes (
      id integer generated always as identity primary key,
      kind text not null,
      ref text not null,
      author_id integer not null references users (id),
      text text not null check (length(text) between 1 and 1000),
      created_at timestamptz not null,
      foreign key (kind, ref) references matters (kind, ref)
    );
    create index matter_notes_matter on matter_notes (kind, ref, id);

    alter table payment_acts add column target numeric(10, 2) check (target > 0);
    comment on column payment_acts.target is
      'of a refund: how much shall be back with the buyer in the end; null: all';
    create index payment_acts_open on payment_acts (opened_at) where done_at is null;

    alter table payment_transactions add column disputed_at timestamptz, add column evidence_due_at timestamptz;
    update payment_transactions set disputed_at = updated_at where is_disputed;
    create index payments_disputed on payment_transactions (disputed_at) where is_disputed;

    create index webhook_events_failing on webhook_events (received_at) where last_error is not null;

    alter table coupon_reveals add column address text check (length(address) <= 100),
      add column user_agent text check (length(user_agent) <= 500);
    create index coupon_reveals_traced on coupon_reveals (revealed_at) where address is not null`.execute(db);
}
