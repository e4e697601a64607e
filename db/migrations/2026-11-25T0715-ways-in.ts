import { type Kysely, sql } from 'kysely';

/**
 * An address belongs to whoever has confirmed it: any number of accounts may ask for one, and one has it. Claims of
 * addresses only keep those of deleted accounts from being given away. Links say whether they were used, or became
 * useless; those of the safety mails take an account back.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index users_email_key;
    create unique index users_email_key on users (lower(email collate "C")) where email_verified_at is not null;
    delete from name_claims using users
      where users.id = name_claims.user_id and users.deleted_at is null and name_claims.kind = 'email';

    alter table account_tokens drop constraint account_tokens_purpose_check;
    alter table account_tokens add constraint account_tokens_purpose_check check (purpose in
      ('verify_email', 'reset_password', 'not_me'));
    alter table account_tokens add column revoked_at timestamptz;
    update account_tokens set revoked_at = used_at, used_at = null;
    comment on column account_tokens.used_at is 'When somebody did what the link is for';
    comment on column account_tokens.revoked_at is 'When a newer link or another act made it useless';
    comment on column account_tokens.created_at is 'For not_me: when the mail was written that the link is in';

    alter table recovery_codes add column created_at timestamptz;
    comment on column recovery_codes.created_at is 'Null: made before this was stored'`.execute(db);
}
