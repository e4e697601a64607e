import { type Kysely, sql } from 'kysely';

/** A mail about a passkey whose counter went back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table mail_outbox drop constraint mail_outbox_kind_check;
    alter table mail_outbox add constraint mail_outbox_kind_check check (kind in
      ('notification', 'verify_email', 'reset_password', 'password_changed', 'email_changed', 'account_deleted',
       'status_changed', 'new_browser', 'second_factor', 'second_factor_tries', 'passkey', 'passkey_copied'))`.execute(
    db,
  );
}
