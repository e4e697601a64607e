import { type Kysely, sql } from 'kysely';

/** One-time codes of an authenticator app as a second factor, and the recovery codes that replace the app. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table second_factors (
      user_id integer primary key references users (id) on delete cascade,
      secret bytea not null,
      -- 30-second steps since 1970: codes of this step and of earlier ones are spent.
      last_step bigint not null default 0,
      enabled_at timestamptz,
      created_at timestamptz not null
    );
    comment on column second_factors.secret is 'Sealed in the vault';
    comment on column second_factors.enabled_at is 'Null while it is being set up';

    create table recovery_codes (
      user_id integer not null references second_factors (user_id) on delete cascade,
      code_hash text not null check (length(code_hash) = 64),
      used_at timestamptz,
      primary key (user_id, code_hash)
    );
    comment on column recovery_codes.code_hash is 'Keyed hash of the code, never the code';

    alter table sessions add column confirmed_at timestamptz;
    comment on column sessions.confirmed_at is 'When the second factor was last given in this session, after the sign-in';

    alter table mail_outbox drop constraint mail_outbox_kind_check;
    alter table mail_outbox add constraint mail_outbox_kind_check check (kind in
      ('notification', 'verify_email', 'reset_password', 'password_changed', 'email_changed', 'account_deleted',
       'status_changed', 'new_browser', 'second_factor'))`.execute(db);
}
