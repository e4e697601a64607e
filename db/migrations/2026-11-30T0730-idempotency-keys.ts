import { type Kysely, sql } from 'kysely';

/** What a program has been answered to a call with a key of its own, so that the call can be repeated without doing it twice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table idempotency_keys (
      id text primary key,
      call_hash text not null,
      answer bytea,
      created_at timestamptz not null
    );
    comment on table idempotency_keys is 'calls of the REST API that are not done twice; kept for a day';
    comment on column idempotency_keys.id is 'a fingerprint of the caller and of the key';
    comment on column idempotency_keys.call_hash is 'of the address and the body: the same key for another call is a mistake';
    comment on column idempotency_keys.answer is 'sealed, as it may have a secret; null: the call is not done, or nobody knows';
    create index idempotency_keys_age on idempotency_keys (created_at)`.execute(db);
}
