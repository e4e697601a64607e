import { type Kysely, sql } from 'kysely';

/** The latest payout from a seller's balance to the bank, while it has failed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table seller_accounts add column failed_payout jsonb;
    comment on column seller_accounts.failed_payout is '{ref, amount in cents, reason}; null when the latest went well'`.execute(
    db,
  );
}
