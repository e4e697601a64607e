import { type Kysely, sql } from 'kysely';

/** Keeps what of a mail could not be read: its owner is told with its drafts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table inbound_mails add column sealed bytea;
    comment on column inbound_mails.sealed is 'what was left out of it, and which of its mails had coupons in files'`.execute(
    db,
  );
}
