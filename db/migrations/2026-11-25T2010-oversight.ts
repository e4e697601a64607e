import { type Kysely, sql } from 'kysely';

/** Reports and what moderators do about them, the leaderboard, and how the program itself fares. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
      picture_id text,
      is_of_stranger boolean not null default false,
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
    comment on column user_reports.picture_id is 'no foreign key: pictures are removed, reports are kept';
    comment on column user_reports.is_of_stranger is
      'no deal or message between the two when it was written: it counts once a moderator finds it right';
    -- One open report of a person by the same reporter.
    create unique index user_reports_one_pending on user_reports (reporter_id, reported_user_id)
      where status = 'pending';
    create index user_reports_reported on user_reports (reported_user_id, id desc);
    create index user_reports_status on user_reports (status, id desc);

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
    create table denied_requests (
      id integer generated always as identity primary key,
      hour timestamptz not null,
      kind text not null check (kind in ('forbidden', 'sign_in', 'second_factor', 'password', 'link', 'origin', 'limit')),
      user_id integer references users (id) on delete cascade,
      address text not null,
      call text not null,
      count integer not null check (count > 0),
      last_at timestamptz not null,
      unique nulls not distinct (hour, kind, user_id, address, call)
    );
    comment on table denied_requests is
      'denied requests; an empty address and call count those above the bound of an hour';
    create index denied_requests_latest on denied_requests (last_at desc, id desc);
    create index denied_requests_user on denied_requests (user_id) where user_id is not null;

    create table rate_limits (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    );
    create index rate_limits_expire on rate_limits (expire);

    create table job_runs (
      name text primary key check (length(name) between 1 and 60),
      cron text not null check (length(cron) between 9 and 60),
      started_at timestamptz,
      succeeded_at timestamptz,
      duration_ms integer check (duration_ms >= 0),
      last_error text check (length(last_error) <= 1000)
    );

    create table vault_keys (
      name text primary key,
      sealed bytea not null
    );
    comment on table vault_keys is 'keys that outlive a change of SECRET_KEY, sealed under it';

    -- A replica that lacks the latest timeline has another history than the primary.
    create table timelines (
      system text,
      timeline integer,
      primary key (system, timeline)
    );
    comment on table timelines is 'the timelines on which this database has been the primary';
    comment on column timelines.system is 'the identifier of its server'`.execute(db);
}
