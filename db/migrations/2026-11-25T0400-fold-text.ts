import { type Kysely, sql } from 'kysely';

/** Letters whose small form, without accents, is one other letter; as `translate` takes them. */
function plainLetters(): { from: string; to: string } {
  const pairs: [string, string][] = [...'øđðħłŧıς'].map((letter, place) => [letter, 'oddhltiσ'[place] ?? '']);
  const known = new Map(pairs);
  for (let point = 0x80; point <= 0x1_efff; point += 1) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const letter = String.fromCodePoint(point);
    if (!/\p{L}/u.test(letter) || letter.normalize('NFKD') !== letter) continue;
    const small = letter.toLowerCase();
    const plain = known.get(small) ?? small;
    if (plain !== letter && [...plain].length === 1) known.set(letter, plain);
  }
  return { from: [...known.keys()].join(''), to: [...known.values()].join('') };
}

/**
 * Texts are searched without regard to case, accents, apostrophes, hyphens and how they are encoded, and the same in
 * every database: nothing here depends on its locale. `fold_text` alone says what is the same.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { from, to } = plainLetters();
  await sql`
    create function fold_text(given text) returns text language plpgsql immutable strict parallel safe as $$
    declare
      folded text := given;
    begin
      if octet_length(given) > length(given) then
        -- Apostrophes before the rest: some are a space and an accent otherwise.
        folded := regexp_replace(folded collate "C", '[´’‘‛ʼʻʹ′]', '''', 'g');
        folded := regexp_replace(normalize(folded, NFKD) collate "C",
          '[\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u064b-\\u0655\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe00-\\ufe0f\\ufe20-\\ufe2f]|[\\u00ad\\u058a\\u2010-\\u2015\\u2212]|[\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u2069\\ufeff]',
          '', 'g');
        if octet_length(folded) > length(folded) then
          folded := translate(folded, ${sql.lit(from)}, ${sql.lit(to)});
          folded := replace(replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
          folded := normalize(folded, NFC);
        end if;
      end if;
      return translate(lower(folded collate "C"), '''\`-', '');
    end $$;
    comment on function fold_text is 'a text as it is searched: small letters without accents, apostrophes, hyphens and invisible characters';

    create function typed_words(given text) returns text[] language sql immutable strict parallel safe as $$
      select array(
        select folded from regexp_split_to_table(
            normalize(translate(given, '´’‘‛ʼʻʹ′', ''), NFKC) collate "C", '[ \\t\\n\\r\\f\\v,;\\u0085\\u1680\\u2028\\u2029\\u00ad\\u058a\\u2010-\\u2015\\u2212-]+'
          ) with ordinality as part (word, place), fold_text(word) as folded
        where folded <> '' order by place)
    $$;
    comment on function typed_words is 'what somebody types into a search, as folded words; a text that has them all is found';

    create function word_patterns(words text[]) returns text[] language sql immutable strict parallel safe as $$
      select array(
        select '%' || regexp_replace(word collate "C", '([\\\\%_])', '\\\\\\1', 'g') || '%' from unnest(words) as word)
    $$;
    comment on function word_patterns is 'for LIKE: texts with each of the words in them'`.execute(db);

  await sql`
    drop statistics coupons_merchant_name, coupons_search_terms;
    drop index coupons_merchant, coupons_merchant_newest;
    alter table coupons
      drop column search_text,
      add column search_text text not null
        generated always as (fold_text(title || ' ' || merchant || ' ' || description)) stored,
      add column merchant_text text not null generated always as (fold_text(merchant)) stored;
    comment on column coupons.search_text is 'folded: what a search looks through';
    comment on column coupons.merchant_text is 'folded';

    create index coupons_search on coupons using gin (search_text gin_trgm_ops) with (fastupdate = off)
      where is_active;
    create index coupons_merchant on coupons using gin (merchant_text gin_trgm_ops) with (fastupdate = off)
      where is_active;
    create index coupons_merchant_newest on coupons (merchant_text, created_at desc, id desc) include (expiry_date)
      where is_active;
    alter table coupons alter column search_text set statistics 1000, alter column merchant_text set statistics 1000;

    -- Words in any order are found by each alone. Letters are named, since what a letter is depends on the locale.
    create or replace function search_terms(given text) returns text[] language plpgsql immutable strict cost 1000
    as $$
    begin
      return string_to_array(btrim(regexp_replace(
        regexp_replace(given collate "C", '[^a-z\\u00c0-\\u1fff\\u2c00-\\u2dff\\u3005-\\u3007\\u3040-\\ud7ff\\uf900-\\uffdc\\U00010000-\\U0003ffff]+',
          ' ', 'g'),
        '[^ ]{31,}', '~', 'g')), ' ');
    end $$;
    comment on function search_terms is 'the words of a folded text in order; the search looks for the coupons with each';
    create index coupons_search_terms on coupons using gin (search_terms(search_text)) with (fastupdate = off)
      where is_active;
    alter index coupons_search_terms alter column 1 set statistics 0;
    create statistics coupons_search_terms on (search_terms(search_text)) from coupons;

    create or replace function note_words() returns trigger language plpgsql as $$
    begin
      insert into coupon_words (word)
        select distinct term from listed, unnest(search_terms(search_text)) as term where is_active order by term
        on conflict do nothing;
      return null;
    end $$;
    delete from coupon_words;
    insert into coupon_words (word)
      select distinct term from coupons, unnest(search_terms(search_text)) as term where is_active;

    create or replace function note_merchant() returns trigger language plpgsql as $$
    begin
      insert into merchants (name) values (new.merchant_text) on conflict do nothing;
      return null;
    end $$;
    comment on column merchants.name is 'folded';
    delete from merchants;
    insert into merchants (name) select distinct merchant_text from coupons where is_active`.execute(db);

  await sql`
    -- Nobody keeps the same search twice, however it is spelt.
    drop index wants_one_of_a_kind;
    create temporary table want_spellings on commit drop as
      select id, first_value(id) over (
        partition by user_id, fold_text(search), fold_text(merchant), category, low, high, expiry_days, region
        order by is_paused, gives = 'nothing', id) as kept_id
      from wants;
    insert into want_finds (want_id, coupon_id, found_at)
      select kept_id, coupon_id, max(found_at) from want_finds join want_spellings on id = want_id
      where id <> kept_id group by kept_id, coupon_id
      on conflict do nothing;
    delete from wants using want_spellings where wants.id = want_spellings.id and wants.id <> kept_id;
    create unique index wants_one_of_a_kind on wants
      (user_id, fold_text(search), fold_text(merchant), category, low, high, expiry_days, region) nulls not distinct;

    -- Filed under its longest word: no other narrows it as much.
    create function longest_word(words text[]) returns text language sql immutable strict parallel safe as $$
      select word from unnest(words) with ordinality as typed (word, place) order by length(word) desc, place limit 1
    $$;
    create or replace function want_key(search text, merchant text, low integer, high integer) returns text
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
    alter table wants
      drop column search_pattern, drop column merchant_pattern, drop column key,
      add column search_patterns text[] generated always as (word_patterns(typed_words(search))) stored,
      add column merchant_patterns text[] generated always as (word_patterns(typed_words(merchant))) stored,
      add column key text not null generated always as (want_key(search, merchant,
        case when min_value is null and max_value is null then -1 else coalesce(min_value, 0) end,
        coalesce(max_value, 2147483646))) stored;
    comment on column wants.search_patterns is 'for LIKE; a coupon has them all';
    create index wants_key on wants (key, (coalesce(category, '')), low, high) where not is_paused;

    -- Public offers are found by the name of their merchant.
    alter table feed_merchants add column search_text text not null generated always as (fold_text(name)) stored;
    drop index feed_merchants_search;
    create index feed_merchants_search on feed_merchants using gin (search_text gin_trgm_ops);

    -- Names and addresses are ASCII.
    drop index users_username_key, users_email_key, users_username_search, users_email_search;
    create unique index users_username_key on users (lower(username collate "C"));
    create unique index users_email_key on users (lower(email collate "C"));
    create index users_username_search on users using gin (lower(username collate "C") gin_trgm_ops);
    create index users_email_search on users using gin (lower(email collate "C") gin_trgm_ops)`.execute(db);
}
