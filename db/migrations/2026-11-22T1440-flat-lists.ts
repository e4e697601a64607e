import { type Kysely, sql } from 'kysely';

/** Lists of one merchant, and counts of filters with a word, cost the same at a million coupons. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Who has ever had a coupon on a list, in lower case: a part of a name finds the few whole names.
    create table merchants (name text primary key);
    create index merchants_search on merchants using gin (name gin_trgm_ops);

    create function note_merchant() returns trigger language plpgsql as $$
    begin
      insert into merchants (name) values (lower(new.merchant)) on conflict do nothing;
      return null;
    end $$;
    create trigger coupons_note_merchant after insert or update of merchant, is_active on coupons
      for each row when (new.is_active) execute function note_merchant();
    insert into merchants (name) select distinct lower(merchant) from coupons where is_active;

    create index coupons_merchant_newest on coupons (lower(merchant), created_at desc, id desc) include (expiry_date)
      where is_active;
    create index coupons_category_value on coupons (category,
      (case when discount_type = 'fixed' then value else -1 end), (coalesce(expiry_date, 'infinity'::date)))
      where is_active`.execute(db);
}
