import { type Kysely, sql } from 'kysely';

const OLD = `'notification', 'verify_email', 'reset_password', 'password_changed', 'email_changed', 'account_deleted',
  'status_changed', 'new_browser', 'second_factor', 'second_factor_tries', 'passkey', 'passkey_copied', 'data_export',
  'api_key', 'webhook_off'`;

/** Signing in with a provider of OpenID. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table identities (
      id integer generated always as identity primary key,
      user_id integer not null references users (id) on delete cascade,
      issuer text not null check (length(issuer) between 1 and 500),
      subject text not null check (length(subject) between 1 and 255),
      created_at timestamptz not null,
      last_used_at timestamptz,
      constraint identities_subject_key unique (issuer, subject),
      constraint identities_one_each unique (user_id, issuer)
    );
    comment on table identities is 'what a provider of OpenID calls a person, whom it signs in';

    create table identity_requests (
      state_hash text primary key check (length(state_hash) = 64),
      browser_hash text not null check (length(browser_hash) = 64),
      user_id integer references users (id) on delete cascade,
      return_path text check (length(return_path) <= 2000),
      nonce text not null check (length(nonce) <= 100),
      verifier text not null check (length(verifier) <= 128),
      answered_at timestamptz,
      issuer text check (length(issuer) between 1 and 500),
      subject text check (length(subject) between 1 and 255),
      email text check (length(email) between 3 and 254),
      is_email_verified boolean not null default false,
      proved_at timestamptz,
      expires_at timestamptz not null,
      constraint identity_requests_proved check
        (num_nulls(issuer, subject, proved_at) in (0, 3) and (proved_at is null or answered_at is not null))
    );
    comment on table identity_requests is 'a sign-in at the provider: one answer each, and one use of it';
    comment on column identity_requests.user_id is 'who links an identity to their account; null: a sign-in';
    comment on column identity_requests.verifier is 'of PKCE: worth nothing without the code and our secret';
    create index identity_requests_browser on identity_requests (browser_hash);
    create index identity_requests_user on identity_requests (user_id);
    create index identity_requests_age on identity_requests (expires_at);

    alter table mail_outbox drop constraint mail_outbox_kind_check,
      add constraint mail_outbox_kind_check check (kind in (${sql.raw(OLD)}, 'identity'))`.execute(db);
}
