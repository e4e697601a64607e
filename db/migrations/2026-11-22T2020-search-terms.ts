import { type Kysely, sql } from 'kysely';

/**
 * Finds a rare text in coupons even if all its trigrams are common: first the words that it may be part of, then the
 * coupons with those words, or with two of them next to each other.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Digits separate words: each code or number would be a word of its own. A word that is too long for an index is
    -- '~'. The cost is high so that the planner prefers the index. Not parallel safe: to start processes takes longer
    -- than to find few coupons.
    create function search_terms(given text) returns text[] language plpgsql immutable strict cost 1000
    as $$
    declare
      words text[] := string_to_array(btrim(regexp_replace(
        regexp_replace(given, '[^[:alpha:]]+', ' ', 'g'), '[[:alpha:]]{31,}', '~', 'g')), ' ');
    begin
      return words || array(
        select one || ' ' || next from unnest(words, words[2:]) as pair (one, next) where next is not null);
    end $$;
    comment on function search_terms is 'the words of a text in order, then each two that follow each other';

    create index coupons_search_terms on coupons using gin (search_terms(search_text)) with (fastupdate = off)
      where is_active;
    -- As for the other partial indexes, the planner uses the statistics of the whole table.
    alter index coupons_search_terms alter column 1 set statistics 0;
    create statistics coupons_search_terms on (search_terms(search_text)) from coupons;

    -- At least all words of the listed coupons: a part of a word finds the whole words.
    create table coupon_words (word text primary key);
    create index coupon_words_search on coupon_words using gin (word gin_trgm_ops);

    -- All words of a statement in one order, so that two listings with the same new words do not deadlock.
    create function note_words() returns trigger language plpgsql as $$
    begin
      insert into coupon_words (word)
        select distinct term from listed, unnest(search_terms(search_text)) as term
        where is_active and position(' ' in term) = 0 order by term
        on conflict do nothing;
      return null;
    end $$;
    create trigger coupons_note_words after insert on coupons
      referencing new table as listed for each statement execute function note_words();
    create trigger coupons_note_changed_words after update on coupons
      referencing new table as listed for each statement execute function note_words();
    insert into coupon_words (word)
      select distinct term from coupons, unnest(search_terms(search_text)) as term
      where is_active and position(' ' in term) = 0`.execute(db);
}
