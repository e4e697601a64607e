import { type Kysely, sql } from 'kysely';

/** A random id for each payment, which providers get to know. Serial ids repeat in a restored or second installation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payment_transactions add column public_id uuid not null unique default gen_random_uuid();
    comment on column payment_transactions.public_id is
      'UUIDv7: in idempotency keys, metadata, transfer groups and invoices';

    -- Waiting events are about payments that are found by the provider's id.
    update webhook_events set subject = subject - 'paymentId' || '{"publicId": null}'
    where subject ->> 'kind' = 'payment'`.execute(db);
}
