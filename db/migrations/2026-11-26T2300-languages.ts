import { type Kysely, sql } from 'kysely';

/** Everybody has a language, in which we write to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users add column language text not null default 'en' check (language ~ '^[a-z]{2}$');
    comment on column users.language is 'ISO 639-1; English where its texts are no longer there'`.execute(db);
}
