import { type Kysely, sql } from 'kysely';

/** People and their sessions. Business times are written by the program's clock, in UTC. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);

  await sql`
    create table users (
      id integer generated always as identity primary key,
      username text not null check (username ~ '^[A-Za-z0-9_.-]{3,30}$'),
      email text not null check (length(email) between 3 and 254),
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
      updated_at timestamptz not null
    )`.execute(db);
  await sql`create unique index users_username_key on users (lower(username))`.execute(db);
  await sql`create unique index users_email_key on users (lower(email))`.execute(db);
  await sql`create index users_demo on users (id) where is_demo`.execute(db);

  await sql`
    create table sessions (
      id text primary key check (length(id) = 64),
      user_id integer not null references users (id) on delete cascade,
      expires_at timestamptz not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`comment on column sessions.id is 'SHA-256 of the session token, never the token'`.execute(db);
  await sql`create index sessions_user on sessions (user_id)`.execute(db);
  await sql`create index sessions_expiry on sessions (expires_at)`.execute(db);

  // The store of rate-limiter-flexible: its own column names, created here so that it needs no DDL rights.
  await sql`
    create table rate_limits (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    )`.execute(db);
  await sql`create index rate_limits_expire on rate_limits (expire)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table rate_limits, sessions, users`.execute(db);
}
