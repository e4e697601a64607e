import { type Kysely, sql } from 'kysely';

/** Whether somebody has paid for the coupon whose code is replaced: they are told if it keeps its old one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table reissues add column is_paid boolean not null default false;
    comment on column reissues.is_paid is 'whether its receiver has paid for the coupon'`.execute(db);
}
