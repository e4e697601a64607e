import { type Kysely, sql } from 'kysely';

const DEAL_REASONS = `'rival_completed', 'coupon_deleted', 'coupon_changed', 'coupon_expired', 'deadline'`;
const NEW_REASONS = `'party_banned', 'party_left'`;

async function allowReasons(db: Kysely<unknown>, reasons: string): Promise<void> {
  await sql
    .raw(`
    alter table exchanges drop constraint exchanges_reason_check, add constraint exchanges_reason_check
      check (reason in ('by_requester', 'by_owner', ${reasons}))`)
    .execute(db);
  await sql
    .raw(`
    alter table bids drop constraint bids_reason_check, add constraint bids_reason_check
      check (reason in ('by_bidder', 'by_owner', 'rival_accepted', ${reasons}))`)
    .execute(db);
}

/** Reports, what moderators and admins do, and how the clock's jobs fare. */
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
    )`.execute(db);
  // One open report of a person by the same reporter.
  await sql`create unique index user_reports_one_pending on user_reports (reporter_id, reported_user_id)
    where status = 'pending'`.execute(db);
  await sql`create index user_reports_reported on user_reports (reported_user_id, id desc)`.execute(db);
  await sql`create index user_reports_status on user_reports (status, id desc)`.execute(db);

  await sql`
    create table audit_log (
      id integer generated always as identity primary key,
      actor_id integer references users (id),
      action text not null check (length(action) between 1 and 60),
      details text not null check (length(details) <= 2000),
      target_user_id integer references users (id),
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index audit_log_target on audit_log (target_user_id, id desc)`.execute(db);
  await sql`
    create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      raise exception 'the audit log is append-only' using errcode = 'check_violation';
    end $$`.execute(db);
  await sql`create trigger audit_log_append_only before update or delete or truncate on audit_log
    for each statement execute function refuse_audit_change()`.execute(db);

  await allowReasons(db, `${DEAL_REASONS}, ${NEW_REASONS}`);
  // What a ban has taken off the lists, so that its end can put it back.
  await sql`alter table coupons
    add column is_hidden_by_ban boolean not null default false,
    add constraint coupons_hidden_inactive check (not (is_hidden_by_ban and is_active))`.execute(db);
  await sql`create index coupons_hidden_by_ban on coupons (owner_id) where is_hidden_by_ban`.execute(db);

  await sql`create index users_username_search on users using gin (lower(username) gin_trgm_ops)`.execute(db);
  await sql`create index users_email_search on users using gin (lower(email) gin_trgm_ops)`.execute(db);
  await sql`create index users_not_active on users (status, id desc) where status <> 'active'`.execute(db);

  await sql`
    create table job_runs (
      name text primary key check (length(name) between 1 and 60),
      started_at timestamptz not null,
      succeeded_at timestamptz,
      duration_ms integer check (duration_ms >= 0),
      last_error text check (length(last_error) <= 1000)
    )`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table job_runs`.execute(db);
  await sql`drop index users_username_search, users_email_search, users_not_active`.execute(db);
  await sql`alter table coupons drop column is_hidden_by_ban cascade`.execute(db);
  await sql`update exchanges set reason = 'deadline' where reason in ('party_banned', 'party_left')`.execute(
    db,
  );
  await sql`update bids set reason = 'deadline' where reason in ('party_banned', 'party_left')`.execute(db);
  await allowReasons(db, DEAL_REASONS);
  await sql`drop table audit_log, user_reports`.execute(db);
  await sql`drop function refuse_audit_change`.execute(db);
}
