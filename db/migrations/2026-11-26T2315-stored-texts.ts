import { type Kysely, sql } from 'kysely';

/**
 * What is told to people, by kind and parameters, so that each reads it in their own language. The English words stay
 * beside it: old rows have nothing else, and an older version that still runs reads and writes them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table transaction_logs add column text jsonb;
    alter table notifications add column text jsonb;
    alter table push_outbox add column text jsonb;
    alter table mail_outbox add column subject_text jsonb, add column body_text jsonb,
      add column receipt_facts jsonb, add column language text check (language ~ '^[a-z]{2}$');
    comment on column transaction_logs.text is 'details as {kind, parameters}; null: only its English words are known';
    comment on column notifications.text is 'content as {kind, parameters}; null: only its English words are known';
    comment on column push_outbox.text is 'title as {kind, parameters}; null: only its English words are known';
    comment on column mail_outbox.subject_text is 'subject as {kind, parameters}; null: only its English words are known';
    comment on column mail_outbox.body_text is 'body as {kind, parameters}; null: body is no text of ours, or only its words are known';
    comment on column mail_outbox.receipt_facts is 'what receipt is made of; null: there is none, or only its English lines are known';
    comment on column mail_outbox.language is 'the language of the mail where it has no person; null: the person''s'`.execute(
    db,
  );
}
