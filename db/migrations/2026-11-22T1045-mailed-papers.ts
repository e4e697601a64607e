import { type Kysely, sql } from 'kysely';

/** The receipt or fee statement that the mail about a sale carries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table mail_outbox add column paper jsonb;
    comment on column mail_outbox.paper is '{title, lines: [{name, value}], note, link}; null: the mail carries none'`.execute(
    db,
  );
}
