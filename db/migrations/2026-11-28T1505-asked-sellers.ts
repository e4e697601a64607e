import { type Kysely, sql } from 'kysely';

/** A buyer who waits may remind the seller to set up payments, at most once a day for each bid. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table bids add column seller_asked_at timestamptz;
    comment on column bids.seller_asked_at is
      'when the seller was last told that the bidder wants to pay and cannot, as the seller has no ready account'`.execute(
    db,
  );
}
