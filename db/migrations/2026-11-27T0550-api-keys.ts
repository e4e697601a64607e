import { type Kysely, sql } from 'kysely';

const MAILS = `'notification', 'verify_email', 'reset_password', 'password_changed', 'email_changed', 'account_deleted',
  'status_changed', 'new_browser', 'second_factor', 'second_factor_tries', 'passkey', 'passkey_copied', 'data_export'`;

const GROUPS = [
  'coupons',
  'deals',
  'messages',
  'payments',
  'notifications',
  'profile',
  'webhooks',
  'moderation',
  'admin',
];
const SCOPES = [...GROUPS.flatMap((group) => [`${group}:read`, `${group}:write`]), 'codes:read'];

/** The keys with which programs act for people. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table api_keys (
      id integer generated always as identity primary key,
      user_id integer not null references users (id) on delete cascade,
      name text not null check (length(name) between 1 and 60),
      token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
      hint text not null check (length(hint) = 4),
      scopes text[] not null
        check (cardinality(scopes) > 0 and scopes <@ ${sql.raw(`array['${SCOPES.join("','")}']`)}),
      created_at timestamptz not null,
      expires_at timestamptz not null,
      last_used_at timestamptz,
      constraint api_keys_expire check (expires_at > created_at and expires_at <= created_at + interval '366 days')
    );
    comment on column api_keys.token_hash is 'SHA-256: the key itself is nowhere';
    comment on column api_keys.hint is 'the last characters of the key, so that its owner recognises it';
    comment on column api_keys.last_used_at is 'written at most once a minute';
    create index api_keys_user on api_keys (user_id, id);

    alter table coupon_reveals add column key_name text check (length(key_name) between 1 and 60);
    comment on column coupon_reveals.key_name is
      'of the key with which a program of the owner got the code; null: the owner looked at it';

    alter table mail_outbox drop constraint mail_outbox_kind_check,
      add constraint mail_outbox_kind_check check (kind in (${sql.raw(MAILS)}, 'api_key'))`.execute(db);
}
