import { type Kysely, sql } from 'kysely';

/** Records who saw the code of a draft. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table draft_views (
      draft_id integer not null references coupon_drafts (id) on delete cascade,
      key_name text check (length(key_name) between 1 and 60),
      address text check (length(address) <= 100),
      user_agent text check (length(user_agent) <= 500),
      revealed_at timestamptz not null
    );
    comment on table draft_views is 'as coupon_reveals, which they become when the draft becomes a coupon';
    create index draft_views_draft on draft_views (draft_id, revealed_at)`.execute(db);
}
