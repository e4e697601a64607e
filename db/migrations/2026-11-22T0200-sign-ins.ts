import { type Kysely, sql } from 'kysely';

/** The sign-ins of each person, and which sessions began in a browser that their account did not know. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sign_ins (
      id integer generated always as identity primary key,
      user_id integer not null references users (id) on delete cascade,
      user_agent text not null check (length(user_agent) <= 500),
      is_new_browser boolean not null,
      created_at timestamptz not null
    );
    create index sign_ins_user on sign_ins (user_id, id desc);
    create index sign_ins_age on sign_ins (created_at);

    alter table sessions add column is_new_browser boolean not null default false;

    alter table mail_outbox drop constraint mail_outbox_kind_check;
    alter table mail_outbox add constraint mail_outbox_kind_check check (kind in
      ('notification', 'verify_email', 'reset_password', 'password_changed', 'email_changed', 'account_deleted',
       'status_changed', 'new_browser'))`.execute(db);
}
