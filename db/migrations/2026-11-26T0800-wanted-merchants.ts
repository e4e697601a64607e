import { type Kysely, sql } from 'kysely';

/** How many people look for a merchant: its page says so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index wants_merchant on wants (merchant_patterns, user_id)
      where not is_paused and merchant_patterns is not null`.execute(db);
}
