import { type Kysely, sql } from 'kysely';

/** What people look for, and the coupons that were found for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function want_piece(given text) returns text language sql immutable strict parallel safe as $$
      select left(given, (
        select max(size) from unnest('{1,2,3,4,6,8,12}'::integer[]) as size where size <= length(given)))
    $$;
    comment on function want_piece is
      'the beginning of a text, in one of the lengths in which coupons are cut into pieces';

    -- A want is filed under its longest word: no other narrows it as much.
    create function longest_word(words text[]) returns text language sql immutable strict parallel safe as $$
      select word from unnest(words) with ordinality as typed (word, place) order by length(word) desc, place limit 1
    $$;

    -- low and high have a power of two of neighbours in common: the smallest such range that holds both.
    create function want_key(search text, merchant text, low integer, high integer) returns text
      language sql immutable parallel safe as $$
      select case
        when searched is not null and length(searched) >= coalesce(length(sold_by), 0) then 's' || want_piece(searched)
        when sold_by is not null then 'm' || want_piece(sold_by)
        when low < 0 then 'v'
        else 'v' || size || ':' || (low >> size)
      end
      from length(ltrim((low # high)::bit(32)::text, '0')) as size, longest_word(typed_words(search)) as searched,
        longest_word(typed_words(merchant)) as sold_by
    $$;
    comment on function want_key is
      'what a coupon must have to be wanted: a piece of its text, of its merchant, or a range of values';

    create table wants (
      id integer generated always as identity primary key,
      user_id integer not null references users (id),
      search text check (length(search) between 1 and 100),
      search_patterns text[] generated always as (word_patterns(typed_words(search))) stored,
      merchant text check (length(merchant) between 1 and 80),
      merchant_patterns text[] generated always as (word_patterns(typed_words(merchant))) stored,
      category text,
      min_value integer,
      max_value integer,
      low integer generated always as (
        case when min_value is null and max_value is null then -1 else coalesce(min_value, 0) end) stored,
      high integer generated always as (coalesce(max_value, 2147483646)) stored,
      key text not null generated always as (want_key(search, merchant,
        case when min_value is null and max_value is null then -1 else coalesce(min_value, 0) end,
        coalesce(max_value, 2147483646))) stored,
      expiry_days integer check (expiry_days >= 0),
      region text,
      gives text not null check (gives in ('any', 'some', 'nothing')),
      is_paused boolean not null default false,
      looked_at timestamptz(3) not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      constraint wants_something check (num_nonnulls(search, merchant, category) > 0),
      constraint wants_values_ordered check (min_value <= max_value)
    );
    comment on column wants.search_patterns is 'for LIKE; a coupon has them all';
    comment on column wants.low is 'as coupons rank by value, where percentages are -1';
    comment on column wants.region is 'ISO 3166-1 alpha-2: only coupons that are valid there';
    comment on column wants.looked_at is 'what was found later is new';
    create index wants_user on wants (user_id, id desc);
    create index wants_key on wants (key, (coalesce(category, '')), low, high) where not is_paused;
    -- Nobody keeps the same search twice, however it is spelt.
    create unique index wants_one_of_a_kind on wants
      (user_id, fold_text(search), fold_text(merchant), category, low, high, expiry_days, region) nulls not distinct;

    create table want_gifts (
      want_id integer not null references wants (id) on delete cascade,
      coupon_id integer not null references coupons (id) on delete cascade,
      primary key (want_id, coupon_id)
    );
    comment on table want_gifts is 'what somebody would give for it, where it is not any coupon of theirs';
    create index want_gifts_coupon on want_gifts (coupon_id);

    create table want_finds (
      want_id integer not null references wants (id) on delete cascade,
      coupon_id integer not null references coupons (id) on delete cascade,
      found_at timestamptz(3) not null,
      primary key (want_id, coupon_id)
    );
    create index want_finds_latest on want_finds (want_id, found_at desc, coupon_id desc);
    create index want_finds_coupon on want_finds (coupon_id);

    create table want_notifications (
      user_id integer not null references users (id),
      coupon_id integer not null references coupons (id) on delete cascade,
      notified_at timestamptz(3) not null,
      awaits_digest boolean not null,
      primary key (user_id, coupon_id)
    );
    comment on table want_notifications is 'nobody is told of a coupon twice';
    create index want_notifications_coupon on want_notifications (coupon_id);
    create index want_notifications_digest on want_notifications (user_id) where awaits_digest`.execute(db);

  await sql`
    -- A row for each listing and change: one more costs a listing nothing and waits for nobody.
    create table want_queue (
      id bigint generated always as identity primary key,
      coupon_id integer not null references coupons (id) on delete cascade,
      after_want_id integer not null default 0
    );
    comment on column want_queue.after_want_id is 'the wants up to here are done';

    create function queue_for_wants() returns trigger language plpgsql as $$
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
              present.expiry_date, present.regions) is distinct from
            (past.title, past.description, past.merchant, past.value, past.discount_type, past.category,
              past.expiry_date, past.regions));
      end if;
      return null;
    end $$;
    create trigger coupons_queue_listed after insert on coupons
      referencing new table as present for each statement execute function queue_for_wants();
    create trigger coupons_queue_changed after update on coupons
      referencing old table as past new table as present for each statement execute function queue_for_wants();
    create trigger coupon_reservations_queue_free after delete on coupon_reservations
      referencing old table as past for each statement execute function queue_for_wants()`.execute(db);
}
