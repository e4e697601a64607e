import { type Kysely, sql } from 'kysely';

/** What refunds of a payment have failed, so that each failure asks a person once and is not repeated. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payment_transactions add column refund_failed numeric(10, 2) not null default 0
      constraint payment_transactions_refund_failed check (refund_failed >= 0);
    comment on column payment_transactions.refund_failed is
      'the sum of the refunds that the provider or a bank has sent back'`.execute(db);
}
