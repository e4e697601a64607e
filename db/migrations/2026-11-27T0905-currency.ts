import { type Kysely, sql } from 'kysely';

/** A market charges in a currency of its own; so far, every one did in Canadian dollars. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table market (
      currency text primary key check (currency in
        ('USD', 'CAD', 'EUR', 'GBP', 'INR', 'AUD', 'CNY', 'BRL', 'MXN', 'ZAR'))
    );
    create unique index market_one_row on market ((true));
    comment on table market is 'one row from the first start on: the currency of every amount in these tables';
    insert into market select 'CAD' where exists (select from coupons) or exists (select from feed_offers)
      or exists (select from payment_transactions);

    create function base_currency() returns text stable language sql as $$ select currency from market $$;
    create function refuse_other_currency() returns trigger language plpgsql as $$
    begin
      raise exception 'the amounts of this market are in %', old.currency using errcode = 'check_violation';
    end $$;
    create trigger market_currency_stays before update or delete on market
      for each row execute function refuse_other_currency();

    alter table payment_transactions drop constraint payment_transactions_currency_check,
      alter column currency set default base_currency(),
      add constraint payments_currency_of_market foreign key (currency) references market (currency);
    alter table users alter column preferred_currency set default base_currency();

    -- As wide as the currencies with the smallest units need; the calls hold the limits of the market's own.
    alter table bids drop constraint bids_amount_check,
      add constraint bids_amount_check check (amount between 3.00 and 500000.00),
      drop constraint bids_counter_amount,
      add constraint bids_counter_amount check (counter_amount between 3.00 and 500000.00),
      drop constraint bids_buyer_fee_minimum,
      add constraint bids_buyer_fee_minimum check (buyer_fee_minimum between 0 and 149.99),
      drop constraint bids_seller_fee_minimum,
      add constraint bids_seller_fee_minimum check (seller_fee_minimum between 0 and 149.99);
    alter table coupons drop constraint coupons_asking_price,
      add constraint coupons_asking_price check (asking_price between 3.00 and 500000.00);
    alter table exchange_legs drop constraint exchange_legs_price,
      add constraint exchange_legs_price check (price between 3.00 and 500000.00);

    comment on column coupons.asking_price is 'bids of it or more are accepted at once';
    comment on column coupons.price_floor is 'bids below it wait without being announced; only its owner sees it';
    comment on column bids.amount is 'what the bidder bids, or has accepted';
    comment on column bids.counter_amount is 'what the seller asks in the round that the bidder answers';
    comment on column exchange_legs.price is 'what the receiver pays the giver besides; null: nothing'`.execute(
    db,
  );
}
