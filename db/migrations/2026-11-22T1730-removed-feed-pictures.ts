import { type Kysely, sql } from 'kysely';

/** Pictures of feeds that moderators have removed are not fetched again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table feed_picture_fetches add column removed_at timestamptz;
    comment on table feed_picture_fetches is 'pictures that imported coupons wait for, or that were removed';
    comment on column feed_picture_fetches.removed_at is
      'when a moderator removed it: it is never fetched again'`.execute(db);
}
