import { type Kysely, sql } from 'kysely';

/** What can be bought at once: a filter and an order of the market, and of kept searches. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Only coupons with a price are written to them.
    create index coupons_price on coupons (asking_price, id) where is_active and asking_price is not null;
    create index coupons_category_price on coupons (category, asking_price, id)
      where is_active and asking_price is not null;

    alter table wants add column has_asking_price boolean constraint wants_has_asking_price check (has_asking_price);
    comment on column wants.has_asking_price is 'only coupons with an asking price; null: all';
    drop index wants_one_of_a_kind;
    create unique index wants_one_of_a_kind on wants
      (user_id, fold_text(search), fold_text(merchant), category, low, high, expiry_days, checked_days,
        has_asking_price, region)
      nulls not distinct;
    create or replace function queue_for_wants() returns trigger language plpgsql as $$
    begin
      if tg_table_name = 'coupon_reservations' then
        insert into want_queue (coupon_id)
          select past.coupon_id from past join coupons on coupons.id = past.coupon_id where coupons.is_active;
      elsif tg_op = 'INSERT' then
        insert into want_queue (coupon_id) select id from present where is_active;
      else
        insert into want_queue (coupon_id)
          select present.id from present join past using (id)
          where present.is_active and (not past.is_active or
            (present.title, present.description, present.merchant, present.value, present.discount_type, present.category,
              present.expiry_date, present.regions, present.checked_at, present.asking_price is null) is distinct from
            (past.title, past.description, past.merchant, past.value, past.discount_type, past.category,
              past.expiry_date, past.regions, past.checked_at, past.asking_price is null));
      end if;
      return null;
    end $$`.execute(db);
}
