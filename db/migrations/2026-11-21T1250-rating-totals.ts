import { type Kysely, sql } from 'kysely';

/** Which ratings are in the totals of whom they were given to, and who has passed on what. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table user_ratings add column is_counted boolean not null default false`.execute(db);
  await sql`comment on column user_ratings.is_counted is 'is in total_rating and rating_count of the rated person'`.execute(
    db,
  );
  await sql`drop index user_ratings_visible`.execute(db);
  await sql`create index user_ratings_uncounted on user_ratings (visible_at) where not is_counted`.execute(
    db,
  );

  // Whoever gave a coupon away first had listed it: points are counted for one person, too.
  await sql`create index coupon_transfers_from on coupon_transfers (from_user_id, coupon_id)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index coupon_transfers_from, user_ratings_uncounted`.execute(db);
  await sql`create index user_ratings_visible on user_ratings (visible_at)`.execute(db);
  await sql`alter table user_ratings drop column is_counted`.execute(db);
}
