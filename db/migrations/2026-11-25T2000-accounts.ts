import { type Kysely, sql } from 'kysely';

/** People, how they sign in, and whom they do not deal with. The program's clock writes all times, in UTC. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create extension if not exists pg_trgm;

    create table users (
      id integer generated always as identity primary key,
      username text not null check (username ~ '^[A-Za-z0-9_.-]{3,30}$'),
      -- No two names look alike (core/fold.ts).
      skeleton text constraint users_skeleton_key unique,
      email text not null check (length(email) between 3 and 254),
      email_verified_at timestamptz,
      pending_email text check (length(pending_email) between 3 and 254),
      password_hash text not null,
      role text not null default 'user' check (role in ('user', 'moderator', 'admin')),
      status text not null default 'active' check (status in ('active', 'warned', 'suspended', 'banned')),
      status_reason text check (length(status_reason) <= 1000),
      status_until timestamptz,
      preferred_currency text not null default 'CAD' check (preferred_currency in
        ('USD', 'CAD', 'EUR', 'GBP', 'INR', 'AUD', 'JPY', 'CNY', 'BRL', 'MXN', 'ZAR')),
      country text not null default 'Canada' check (length(country) between 1 and 100),
      bio text check (length(bio) <= 500),
      picture_id text,
      total_rating integer not null default 0 check (total_rating >= 0),
      rating_count integer not null default 0 check (rating_count >= 0),
      verified_coupons integer not null default 0 check (verified_coupons >= 0),
      successful_exchanges integer not null default 0 check (successful_exchanges >= 0),
      accepted_bids integer not null default 0 check (accepted_bids >= 0),
      deal_partners integer not null default 0 check (deal_partners >= 0),
      failed_codes integer not null default 0 check (failed_codes >= 0),
      report_count integer not null default 0 check (report_count >= 0),
      is_featured boolean not null default false,
      is_demo boolean not null default false,
      terms_accepted_at timestamptz not null,
      adult_confirmed_at timestamptz not null,
      established_at timestamptz,
      away_since timestamptz(3),
      away_until date,
      last_login_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      deleted_at timestamptz,
      constraint users_only_suspensions_end check (status_until is null or status = 'suspended'),
      constraint users_away check ((away_since is null) = (away_until is null))
    );
    comment on column users.skeleton is 'what the username looks like; null: the account is deleted';
    comment on column users.status_until is 'when a suspension ends by itself; null: when somebody lifts it';
    comment on column users.deal_partners is 'with how many people they have completed deals that count';
    comment on column users.failed_codes is 'codes given in exchanges that did not work, by upheld claims';
    comment on column users.report_count is
      'reports by people who had dealt with them, and those of strangers that a moderator found right';
    comment on column users.established_at is
      'when enough deals had gone well: the limit of open deals of new people no longer applies';
    comment on column users.away_until is
      'the day of return; kept after it, because deadlines of that time run on from it';

    -- Usernames and addresses are ASCII: the locale of the database must not matter.
    create unique index users_username_key on users (lower(username collate "C"));
    -- An address belongs to the account that has confirmed it; any number of accounts may ask for it.
    create unique index users_email_key on users (lower(email collate "C")) where email_verified_at is not null;
    create index users_username_search on users using gin (lower(username collate "C") gin_trgm_ops);
    create index users_email_search on users using gin (lower(email collate "C") gin_trgm_ops);
    create index users_not_active on users (status, id desc) where status <> 'active';
    create index users_banned on users (id) where status = 'banned';
    create index users_suspensions_end on users (status_until) where status_until is not null;
    create index users_away_until on users (away_until) where away_until is not null;
    create index users_deleted on users (id) where deleted_at is not null;
    create index users_demo on users (id) where is_demo;
    create unique index users_picture on users (picture_id) where picture_id is not null;

    -- Public pictures of people and of coupons.
    create table pictures (
      id text primary key check (id ~ '^[A-Za-z0-9_-]{22}-[1-9][0-9]{0,3}x[1-9][0-9]{0,3}$'),
      uploader_id integer references users (id),
      kind text not null check (kind in ('offer', 'profile')),
      files text[] not null check (cardinality(files) > 0),
      source_url text,
      created_at timestamptz not null,
      attached_at timestamptz,
      discarded_at timestamptz
    );
    comment on column pictures.id is
      'a random name and the size in pixels, so that lists reserve the room without a join';
    comment on column pictures.uploader_id is 'null: somebody who was not signed in, or the feed of a merchant';
    comment on column pictures.files is 'their names in the file storage';
    comment on column pictures.source_url is
      'where the feed has it: all coupons made of such offers share the picture; null: uploaded';
    create index pictures_uploader on pictures (uploader_id);
    create index pictures_source on pictures using hash (source_url) where source_url is not null;
    create index pictures_loose on pictures (created_at) where attached_at is null and discarded_at is null;
    create index pictures_discarded on pictures (id) where discarded_at is not null;
    -- Not in the table above, because pictures name their uploader.
    alter table users add foreign key (picture_id) references pictures (id);

    -- Keeps the names and addresses of deleted accounts from being given to others.
    create table reserved_names (
      kind text not null check (kind in ('username', 'email')),
      fingerprint text not null check (length(fingerprint) = 64),
      user_id integer not null references users (id) on delete cascade,
      constraint reserved_names_once primary key (kind, fingerprint)
    );
    comment on column reserved_names.fingerprint is
      'keyed hash of the name in lower case, or of what a username looks like; never the name';
    create index reserved_names_user on reserved_names (user_id)`.execute(db);

  await sql`
    create table sessions (
      id text primary key check (length(id) = 64),
      number integer generated always as identity unique,
      user_id integer not null references users (id) on delete cascade,
      user_agent text not null default '' check (length(user_agent) <= 500),
      is_new_browser boolean not null default false,
      is_defence boolean not null default false,
      confirmed_at timestamptz,
      expires_at timestamptz not null,
      last_seen_at timestamptz not null,
      created_at timestamptz not null
    );
    comment on column sessions.id is 'SHA-256 of the session token, never the token';
    comment on column sessions.number is 'names the session to its owner, and signs nobody in';
    comment on column sessions.is_defence is
      'opened by the mailed link of a banned person; valid only while they are banned (decisions 5.2)';
    comment on column sessions.confirmed_at is
      'when the second factor was last given in this session, after the sign-in';
    create index sessions_user on sessions (user_id);
    create index sessions_expiry on sessions (expires_at);

    create table sign_ins (
      id integer generated always as identity primary key,
      user_id integer not null references users (id) on delete cascade,
      user_agent text not null check (length(user_agent) <= 500),
      is_new_browser boolean not null,
      network_hash text check (length(network_hash) = 64),
      created_at timestamptz not null
    );
    comment on column sign_ins.network_hash is
      'keyed hash of the IPv4 address or the /64 of the IPv6 address; null: this machine itself';
    create index sign_ins_user on sign_ins (user_id, id desc);
    create index sign_ins_age on sign_ins (created_at);

    create table account_tokens (
      id integer generated always as identity primary key,
      user_id integer not null references users (id) on delete cascade,
      purpose text not null check (purpose in ('verify_email', 'reset_password', 'not_me')),
      token_hash text not null unique check (length(token_hash) = 64),
      email text not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      revoked_at timestamptz,
      created_at timestamptz not null
    );
    comment on column account_tokens.token_hash is 'SHA-256 of the token in the mailed link, never the token';
    comment on column account_tokens.used_at is 'when somebody did what the link is for';
    comment on column account_tokens.revoked_at is 'when a newer link or another event made it useless';
    comment on column account_tokens.created_at is 'for not_me: when the mail with the link was written';
    create index account_tokens_user on account_tokens (user_id, purpose);
    create index account_tokens_expiry on account_tokens (expires_at)`.execute(db);

  await sql`
    create table second_factors (
      user_id integer primary key references users (id) on delete cascade,
      secret bytea not null,
      last_step bigint not null default 0,
      enabled_at timestamptz,
      created_at timestamptz not null
    );
    comment on column second_factors.secret is 'sealed';
    comment on column second_factors.last_step is
      '30-second steps since 1970: codes of this step and of earlier ones are spent';
    comment on column second_factors.enabled_at is 'null while it is being set up';

    create table recovery_codes (
      user_id integer not null references second_factors (user_id) on delete cascade,
      code_hash text not null check (length(code_hash) = 64),
      used_at timestamptz,
      created_at timestamptz not null,
      primary key (user_id, code_hash)
    );
    comment on column recovery_codes.code_hash is 'keyed hash of the code, never the code';

    create table passkeys (
      id integer generated always as identity primary key,
      user_id integer not null references users (id) on delete cascade,
      credential_id text not null unique check (length(credential_id) between 1 and 1400),
      public_key bytea not null,
      counter bigint not null check (counter >= 0),
      transports text[] not null,
      name text not null check (length(name) between 1 and 60),
      last_used_at timestamptz,
      created_at timestamptz not null
    );
    comment on column passkeys.public_key is 'COSE key; no secret';
    comment on column passkeys.counter is 'signatures so far, as the authenticator counts them; 0: it does not count';
    create index passkeys_user on passkeys (user_id, id);

    create table passkey_challenges (
      challenge_hash text primary key check (length(challenge_hash) = 64),
      browser_hash text not null check (length(browser_hash) = 64),
      purpose text not null check (purpose in ('sign_in', 'confirm', 'add')),
      user_id integer references users (id) on delete cascade,
      expires_at timestamptz not null,
      check ((purpose = 'sign_in') = (user_id is null))
    );
    comment on table passkey_challenges is 'a row is deleted by the first answer to its challenge';
    create index passkey_challenges_age on passkey_challenges (expires_at);
    create index passkey_challenges_user on passkey_challenges (user_id)`.execute(db);

  await sql`
    create table user_blocks (
      blocker_id integer not null references users (id),
      blocked_id integer not null references users (id),
      created_at timestamptz(3) not null,
      primary key (blocker_id, blocked_id),
      check (blocker_id <> blocked_id)
    );
    create index user_blocks_blocked on user_blocks (blocked_id);

    create table uncounted_pairs (
      lower_id integer not null references users (id),
      higher_id integer not null references users (id),
      primary key (lower_id, higher_id),
      constraint uncounted_pairs_order check (lower_id < higher_id)
    );
    comment on table uncounted_pairs is
      'pairs who may be one person, seen in one browser or at one internet address when they dealt: their deals count for nothing';
    create index uncounted_pairs_higher on uncounted_pairs (higher_id);

    -- Deadlines wait for people who cannot act, and for everybody after an outage (decisions 4.3).
    create table clock_stops (
      id integer generated always as identity primary key,
      user_id integer references users (id) on delete cascade,
      cause text not null check (cause in ('suspended', 'banned', 'outage')),
      since timestamptz not null,
      clear_at timestamptz not null,
      check (clear_at > since),
      check ((user_id is null) = (cause = 'outage'))
    );
    comment on table clock_stops is
      'no deadline of this person (null: of anybody) that was to pass after since passes before clear_at';
    create index clock_stops_user on clock_stops (user_id, cause);

    create table market_pulse (
      is_only boolean primary key default true check (is_only),
      beat_at timestamptz not null
    );
    comment on table market_pulse is 'when deadlines were last looked at: a long gap is an outage'`.execute(
    db,
  );
}
