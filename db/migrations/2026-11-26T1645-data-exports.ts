import { type Kysely, sql } from 'kysely';

const OLD = `'notification', 'verify_email', 'reset_password', 'password_changed', 'email_changed', 'account_deleted',
  'status_changed', 'new_browser', 'second_factor', 'second_factor_tries', 'passkey', 'passkey_copied'`;

/** The copies of their own data that people ask for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table data_exports (
      id text primary key check (length(id) between 20 and 40),
      user_id integer not null references users (id),
      has_codes boolean not null,
      attempts integer not null default 0 check (attempts >= 0),
      next_try_at timestamptz not null,
      parts integer not null default 0 check (parts >= 0),
      size bigint check (size > 0),
      requested_at timestamptz not null,
      ready_at timestamptz,
      failed_at timestamptz,
      discarded_at timestamptz,
      constraint data_exports_one_end check (ready_at is null or failed_at is null),
      constraint data_exports_ready_sized check ((ready_at is null) = (size is null))
    );
    comment on column data_exports.parts is 'how many files the storage has of it, sealed: its id and a number name each';
    comment on column data_exports.size is 'of the archive, in bytes';
    create unique index data_exports_one_each on data_exports (user_id) where discarded_at is null;
    create index data_exports_waiting on data_exports (next_try_at)
      where ready_at is null and failed_at is null and discarded_at is null;
    create index data_exports_discarded on data_exports (id) where discarded_at is not null;

    alter table mail_outbox drop constraint mail_outbox_kind_check,
      add constraint mail_outbox_kind_check check (kind in (${sql.raw(OLD)}, 'data_export'))`.execute(db);
}
