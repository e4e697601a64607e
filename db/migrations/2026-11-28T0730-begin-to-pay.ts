import { type Kysely, sql } from 'kysely';

/** A new member whose bid an asking price has accepted has to begin to pay soon. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table bids add column begin_by timestamptz,
      add constraint bids_begin_automatic check (begin_by is null or is_automatic and accepted_at is not null);
    comment on column bids.begin_by is 'until when the bidder has to begin to pay; null: they have, or have the usual time';
    create index bids_begin_by on bids (begin_by) where status = 'accepted' and begin_by is not null`.execute(
    db,
  );
}
