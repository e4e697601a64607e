import { type Kysely, sql } from 'kysely';

/** What the finder makes of the whole market each night, and the coupons that would bring more swaps. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table market_days (
      day date primary key,
      suggested integer not null check (suggested >= 0),
      possible integer not null check (possible between 0 and suggested),
      coupons integer not null check (coupons >= 2 * possible)
    )`.execute(db);
  await sql`
    comment on column market_days.suggested is 'open matches; many share a coupon';
    comment on column market_days.possible is 'those of them that can all happen together';
    comment on column market_days.coupons is 'how many coupons would change hands in these'`.execute(db);
  await sql`
    create table market_invitations (
      merchant text primary key,
      people integer not null check (people > 0)
    )`.execute(db);
  await sql`
    comment on table market_invitations is 'replaced each night: merchants for whose coupons most people would swap';
    comment on column market_invitations.merchant is 'as its newest coupon spells it'`.execute(db);
}
