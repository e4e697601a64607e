import { type Kysely, sql } from 'kysely';

/** What coupons have sold for. The coupon itself may be edited or sold again after the sale. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sold_prices (
      bid_id integer primary key references bids (id),
      merchant_text text not null,
      percent integer not null check (percent > 0),
      sold_at timestamptz not null
    );
    comment on column sold_prices.merchant_text is 'folded';
    comment on column sold_prices.percent is 'the bid as a share of the value of the coupon';
    create index sold_prices_merchant on sold_prices (merchant_text, sold_at desc, bid_id desc)`.execute(db);
}
