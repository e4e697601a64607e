import { type Kysely, sql } from 'kysely';

/** Whoever has given codes that failed sells nothing more until a moderator has looked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users
      add column sales_stopped_at timestamptz,
      add column sales_checked_at timestamptz;
    comment on column users.sales_stopped_at is
      'since when the person cannot sell, because of claims about what they gave; null: they can';
    comment on column users.sales_checked_at is
      'when a moderator last let the person sell again: earlier claims stop nothing any more';
    create index users_sales_stopped on users (sales_stopped_at) where sales_stopped_at is not null`.execute(
    db,
  );
}
