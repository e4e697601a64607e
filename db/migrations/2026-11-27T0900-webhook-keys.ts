import { type Kysely, sql } from 'kysely';

const OLD = `'notification', 'verify_email', 'reset_password', 'password_changed', 'email_changed', 'account_deleted',
  'status_changed', 'new_browser', 'second_factor', 'second_factor_tries', 'passkey', 'passkey_copied', 'data_export',
  'api_key', 'webhook_off', 'identity'`;

/** Which key has added a webhook, and the mail that tells of one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table webhook_endpoints add column key_id integer references api_keys (id) on delete set null;
    comment on column webhook_endpoints.key_id is 'the key that has added it; null: a person has, or the key is gone';
    create index webhook_endpoints_key on webhook_endpoints (key_id) where key_id is not null;

    alter table mail_outbox drop constraint mail_outbox_kind_check,
      add constraint mail_outbox_kind_check check (kind in (${sql.raw(OLD)}, 'webhook'))`.execute(db);
}
