import { type Kysely, sql } from 'kysely';

/** Mail that goes out, who wants which, the links in it, and what an account knows of its browsers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table notification_preferences (
      user_id integer not null references users (id) on delete cascade,
      type text not null check (type in ('exchange_request', 'exchange_accepted', 'exchange_rejected',
        'exchange_completed', 'message', 'other')),
      in_app boolean not null,
      mail boolean not null,
      primary key (user_id, type)
    )`.execute(db);
  await sql`comment on table notification_preferences is 'no row: told in both ways'`.execute(db);

  // Mail of the account itself (a link to confirm, to choose a new password) has no notification; and whoever asks
  // for a new password may be nobody we know, which must not show in what is written down.
  await sql`
    alter table mail_outbox
      alter column notification_id drop not null,
      alter column user_id drop not null,
      add column kind text not null default 'notification' check (kind in
        ('notification', 'verify_email', 'reset_password', 'password_changed', 'email_changed', 'account_deleted',
         'status_changed')),
      add column type text check (type in ('exchange_request', 'exchange_accepted', 'exchange_rejected',
        'exchange_completed', 'message', 'other')),
      add column address text check (length(address) between 3 and 254),
      add column link text check (link like '/%'),
      add column next_try_at timestamptz,
      add column last_error text check (length(last_error) <= 1000),
      add column failed_at timestamptz,
      add constraint mail_outbox_recipient check (num_nonnulls(user_id, address) >= 1),
      add constraint mail_outbox_one_end check (sent_at is null or failed_at is null)`.execute(db);
  await sql`comment on column mail_outbox.address is 'where it goes; null: to the person''s own address when it is sent'`.execute(
    db,
  );
  await sql`update mail_outbox set
      type = notifications.type, link = notifications.link, next_try_at = mail_outbox.created_at
    from notifications where notifications.id = mail_outbox.notification_id`.execute(db);
  await sql`update mail_outbox set next_try_at = created_at where next_try_at is null`.execute(db);
  await sql`alter table mail_outbox alter column next_try_at set not null`.execute(db);
  await sql`alter table mail_outbox add constraint mail_outbox_notification_typed
    check (kind <> 'notification' or (type is not null and link is not null and user_id is not null))`.execute(
    db,
  );
  await sql`drop index mail_outbox_waiting`.execute(db);
  await sql`create index mail_outbox_waiting on mail_outbox (next_try_at) where sent_at is null and failed_at is null`.execute(
    db,
  );
  await sql`create index mail_outbox_user on mail_outbox (user_id)`.execute(db);

  await sql`
    create table account_tokens (
      id integer generated always as identity primary key,
      user_id integer not null references users (id) on delete cascade,
      purpose text not null check (purpose in ('verify_email', 'reset_password')),
      token_hash text not null unique check (length(token_hash) = 64),
      email text not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      created_at timestamptz not null
    )`.execute(db);
  await sql`comment on column account_tokens.token_hash is 'SHA-256 of the token in the mailed link, never the token'`.execute(
    db,
  );
  await sql`create index account_tokens_user on account_tokens (user_id, purpose)`.execute(db);
  await sql`create index account_tokens_expiry on account_tokens (expires_at)`.execute(db);

  await sql`
    alter table users
      add column email_verified_at timestamptz,
      add column pending_email text check (length(pending_email) between 3 and 254),
      add column deleted_at timestamptz`.execute(db);
  await sql`update users set email_verified_at = created_at where is_demo`.execute(db);

  // A session's own name, which signs nobody in, and where it is used.
  await sql`
    alter table sessions
      add column number integer generated always as identity unique,
      add column user_agent text not null default '' check (length(user_agent) <= 500),
      add column last_seen_at timestamptz`.execute(db);
  await sql`update sessions set last_seen_at = created_at`.execute(db);
  await sql`alter table sessions alter column last_seen_at set not null`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sessions drop column number, drop column user_agent, drop column last_seen_at`.execute(
    db,
  );
  await sql`alter table users drop column email_verified_at, drop column pending_email, drop column deleted_at`.execute(
    db,
  );
  await sql`drop table account_tokens, notification_preferences`.execute(db);
  await sql`delete from mail_outbox where notification_id is null or user_id is null`.execute(db);
  await sql`alter table mail_outbox
      drop column kind cascade, drop column type cascade, drop column address cascade, drop column link,
      drop column next_try_at, drop column last_error, drop column failed_at cascade,
      alter column notification_id set not null, alter column user_id set not null`.execute(db);
  await sql`create index mail_outbox_waiting on mail_outbox (id) where sent_at is null`.execute(db);
  await sql`drop index mail_outbox_user`.execute(db);
}
