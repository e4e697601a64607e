import { type Kysely, sql } from 'kysely';

/** What people say of each other after a deal, and the points that come of what they do. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table user_ratings (
      id integer generated always as identity primary key,
      rater_id integer not null references users (id),
      rated_user_id integer not null references users (id),
      rating integer not null check (rating between 1 and 10),
      comment text check (length(comment) <= 1000),
      related_entity_type text not null check (related_entity_type in ('exchange', 'bid')),
      related_entity_id integer not null,
      is_verified boolean not null default false,
      visible_at timestamptz not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint user_ratings_two_people check (rater_id <> rated_user_id),
      constraint user_ratings_once unique (related_entity_type, related_entity_id, rater_id)
    )`.execute(db);
  await sql`comment on column user_ratings.visible_at is 'when both have rated, or seven days after it was given'`.execute(
    db,
  );
  await sql`comment on column user_ratings.is_verified is 'given for a deal that was completed here'`.execute(
    db,
  );
  await sql`create index user_ratings_rated on user_ratings (rated_user_id, visible_at desc, id desc)`.execute(
    db,
  );
  await sql`create index user_ratings_rater on user_ratings (rater_id)`.execute(db);
  await sql`create index user_ratings_visible on user_ratings (visible_at)`.execute(db);

  await sql`
    create table leaderboard (
      id integer generated always as identity primary key,
      user_id integer not null references users (id),
      category text not null check (category in ('overall', 'coupons', 'exchanges', 'bids', 'ratings')),
      rank integer not null check (rank > 0),
      score numeric(12, 1) not null check (score >= 0),
      average_rating numeric(3, 1),
      reached_at timestamptz not null,
      updated_at timestamptz not null,
      constraint leaderboard_once unique (user_id, category)
    )`.execute(db);
  await sql`comment on column leaderboard.reached_at is 'when the score was reached: ties go to the earlier'`.execute(
    db,
  );
  await sql`create index leaderboard_rank on leaderboard (category, rank, id)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table leaderboard, user_ratings`.execute(db);
}
