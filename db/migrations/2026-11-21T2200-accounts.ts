import { type Kysely, sql } from 'kysely';

/** People, their sessions and the links mailed to them. The program's clock writes the times, in UTC. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create extension if not exists pg_trgm;

    create table users (
      id integer generated always as identity primary key,
      username text not null check (username ~ '^[A-Za-z0-9_.-]{3,30}$'),
      email text not null check (length(email) between 3 and 254),
      email_verified_at timestamptz,
      pending_email text check (length(pending_email) between 3 and 254),
      password_hash text not null,
      role text not null default 'user' check (role in ('user', 'moderator', 'admin')),
      status text not null default 'active' check (status in ('active', 'warned', 'suspended', 'banned')),
      preferred_currency text not null default 'CAD' check (preferred_currency in
        ('USD', 'CAD', 'EUR', 'GBP', 'INR', 'AUD', 'JPY', 'CNY', 'BRL', 'MXN', 'ZAR')),
      country text not null default 'Canada' check (length(country) between 1 and 100),
      bio text check (length(bio) <= 500),
      total_rating integer not null default 0 check (total_rating >= 0),
      rating_count integer not null default 0 check (rating_count >= 0),
      verified_coupons integer not null default 0 check (verified_coupons >= 0),
      successful_exchanges integer not null default 0 check (successful_exchanges >= 0),
      accepted_bids integer not null default 0 check (accepted_bids >= 0),
      report_count integer not null default 0 check (report_count >= 0),
      is_featured boolean not null default false,
      is_demo boolean not null default false,
      terms_accepted_at timestamptz not null,
      adult_confirmed_at timestamptz not null,
      last_login_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      deleted_at timestamptz
    );
    create unique index users_username_key on users (lower(username));
    create unique index users_email_key on users (lower(email));
    create index users_username_search on users using gin (lower(username) gin_trgm_ops);
    create index users_email_search on users using gin (lower(email) gin_trgm_ops);
    create index users_not_active on users (status, id desc) where status <> 'active';
    create index users_banned on users (id) where status = 'banned';
    create index users_deleted on users (id) where deleted_at is not null;
    create index users_demo on users (id) where is_demo`.execute(db);

  await sql`
    create table sessions (
      id text primary key check (length(id) = 64),
      -- Names the session to its owner, and signs nobody in.
      number integer generated always as identity unique,
      user_id integer not null references users (id) on delete cascade,
      user_agent text not null default '' check (length(user_agent) <= 500),
      expires_at timestamptz not null,
      last_seen_at timestamptz not null,
      created_at timestamptz not null
    );
    comment on column sessions.id is 'SHA-256 of the session token, never the token';
    create index sessions_user on sessions (user_id);
    create index sessions_expiry on sessions (expires_at);

    create table account_tokens (
      id integer generated always as identity primary key,
      user_id integer not null references users (id) on delete cascade,
      purpose text not null check (purpose in ('verify_email', 'reset_password')),
      token_hash text not null unique check (length(token_hash) = 64),
      email text not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      created_at timestamptz not null
    );
    comment on column account_tokens.token_hash is 'SHA-256 of the token in the mailed link, never the token';
    create index account_tokens_user on account_tokens (user_id, purpose);
    create index account_tokens_expiry on account_tokens (expires_at)`.execute(db);

  // The columns that rate-limiter-flexible expects; made here so that the program needs no DDL rights.
  await sql`
    create table rate_limits (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    );
    create index rate_limits_expire on rate_limits (expire)`.execute(db);
}
