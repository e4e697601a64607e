import { type Kysely, sql } from 'kysely';

/** What the reserve pays for: no sale whose buyer has said early that the code works. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payment_transactions add column confirmed_at timestamptz;
    comment on column payment_transactions.confirmed_at is
      'when the buyer has said within the hold that the code works; null: never';
    create index ledger_journals_cover on ledger_journals (created_at) where kind = 'cover';
    comment on column users.failed_codes is 'codes given in deals that did not work, by granted claims'`.execute(
    db,
  );
}
