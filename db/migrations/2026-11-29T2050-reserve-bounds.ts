import { type Kysely, sql } from 'kysely';

/** The reserve pays for no sale whose buyer has said early that the code works; granted claims about sales count as failed codes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payment_transactions add column confirmed_at timestamptz;
    comment on column payment_transactions.confirmed_at is
      'when the buyer has said within the hold that the code works; null: never';
    create index ledger_journals_cover on ledger_journals (created_at) where kind = 'cover';
    comment on column users.failed_codes is 'codes given in deals that did not work, by granted claims';
    -- Those about sales were not counted before.
    update users set failed_codes = failed_codes + granted.codes
    from (select giver_id, count(*)::integer as codes from claims
      where status = 'refunded' and decided_by is not null group by giver_id) as granted
    where users.id = granted.giver_id`.execute(db);
}
