import { type Kysely, sql } from 'kysely';

/** Ratings and points, reports and what moderators do about them, and how the clock's jobs fare. */
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
      is_counted boolean not null default false,
      visible_at timestamptz not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint user_ratings_two_people check (rater_id <> rated_user_id),
      constraint user_ratings_once unique (related_entity_type, related_entity_id, rater_id)
    );
    comment on column user_ratings.visible_at is 'when both have rated, or seven days after it was given';
    comment on column user_ratings.is_verified is 'given for a deal that was completed here';
    comment on column user_ratings.is_counted is 'is in total_rating and rating_count of the rated person';
    create index user_ratings_rated on user_ratings (rated_user_id, visible_at desc, id desc);
    create index user_ratings_rater on user_ratings (rater_id);
    create index user_ratings_uncounted on user_ratings (visible_at) where not is_counted;

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
    );
    comment on column leaderboard.reached_at is 'when the score was reached: ties go to the earlier';
    create index leaderboard_rank on leaderboard (category, rank, id)`.execute(db);

  await sql`
    create table user_reports (
      id integer generated always as identity primary key,
      reporter_id integer not null references users (id),
      reported_user_id integer not null references users (id),
      reason text not null check (reason in
        ('fake_coupon', 'expired_coupon', 'inappropriate_content', 'scam', 'harassment', 'other')),
      description text not null check (length(description) between 10 and 2000),
      evidence text check (length(evidence) <= 2000),
      related_entity_type text check (related_entity_type in ('coupon', 'exchange', 'bid', 'message', 'rating')),
      related_entity_id integer,
      status text not null default 'pending' check (status in ('pending', 'resolved', 'dismissed')),
      moderator_id integer references users (id),
      moderator_notes text check (length(moderator_notes) <= 1000),
      action_taken text check (action_taken in ('dismiss', 'warn', 'suspend', 'ban')),
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint user_reports_two_people check (reporter_id <> reported_user_id),
      constraint user_reports_related_whole check ((related_entity_type is null) = (related_entity_id is null)),
      constraint user_reports_decided check
        ((status = 'pending') = (action_taken is null) and (status = 'pending') = (moderator_id is null)),
      constraint user_reports_dismissed check ((status = 'dismissed') = (action_taken is not distinct from 'dismiss'))
    );
    -- One open report of a person by the same reporter.
    create unique index user_reports_one_pending on user_reports (reporter_id, reported_user_id)
      where status = 'pending';
    create index user_reports_reported on user_reports (reported_user_id, id desc);
    create index user_reports_status on user_reports (status, id desc)`.execute(db);

  await sql`
    create table audit_log (
      id integer generated always as identity primary key,
      actor_id integer references users (id),
      action text not null check (length(action) between 1 and 60),
      details text not null check (length(details) <= 2000),
      target_user_id integer references users (id),
      created_at timestamptz not null
    );
    create index audit_log_target on audit_log (target_user_id, id desc);
    create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      raise exception 'the audit log is append-only' using errcode = 'check_violation';
    end $$;
    create trigger audit_log_append_only before update or delete or truncate on audit_log
      for each statement execute function refuse_audit_change();

    create table job_runs (
      name text primary key check (length(name) between 1 and 60),
      cron text not null check (length(cron) between 9 and 60),
      started_at timestamptz,
      succeeded_at timestamptz,
      duration_ms integer check (duration_ms >= 0),
      last_error text check (length(last_error) <= 1000)
    )`.execute(db);
}
