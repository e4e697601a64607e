import { type Kysely, sql } from 'kysely';

/** Passkeys, the challenges that they sign, and mail about them and about guessed codes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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
    create index passkeys_user on passkeys (user_id, id);
    comment on column passkeys.public_key is 'COSE key; no secret';
    comment on column passkeys.counter is 'Signatures so far, as the authenticator counts them; 0 where it does not';

    create table passkey_challenges (
      challenge_hash text primary key check (length(challenge_hash) = 64),
      browser_hash text not null check (length(browser_hash) = 64),
      purpose text not null check (purpose in ('sign_in', 'confirm', 'add')),
      user_id integer references users (id) on delete cascade,
      expires_at timestamptz not null,
      check ((purpose = 'sign_in') = (user_id is null))
    );
    create index passkey_challenges_age on passkey_challenges (expires_at);
    create index passkey_challenges_user on passkey_challenges (user_id);
    comment on table passkey_challenges is 'A row is deleted by the first answer to its challenge';

    alter table mail_outbox drop constraint mail_outbox_kind_check;
    alter table mail_outbox add constraint mail_outbox_kind_check check (kind in
      ('notification', 'verify_email', 'reset_password', 'password_changed', 'email_changed', 'account_deleted',
       'status_changed', 'new_browser', 'second_factor', 'second_factor_tries', 'passkey'))`.execute(db);
}
