import { type Kysely, sql } from 'kysely';

/**
 * The index of trigrams reads one word at a time precisely, and an alternation of several hardly: so each synonym is looked
 * for apart. Long ones may be a part of a word, like the words that people type: LIKE costs a tenth of an expression.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function whole_words(words text[]) returns text[] language sql immutable strict parallel safe as $$
      select array(
        -- A class that the index can read: it has few characters. A text has "lhotel" for "l'hôtel": it is folded.
        select '(?:^|' || mark || ')' || case when word ~ '^[aeiouh].{3}' then '[ld]?' else '' end || word
          || '(?:e?s|x)?(?:$|' || mark || ')'
        from (select distinct word from unnest(words) as word) as each, (values ('[ \\t\\n\\r!-/:-@[-\`{-~«»“”„•]')) as marks (mark)
        order by word)
    $$;
    comment on function whole_words is 'expressions for folded texts with a word of letters, in both numbers';

    create function synonyms_within(word text) returns text[] language sql immutable strict parallel safe as $$
      select array(select other from unnest(synonyms_of(word)) as other where length(other) >= 7)
    $$;
    comment on function synonyms_within is 'the long synonyms of a word, which a text may have within a word';

    create function synonyms_whole(word text) returns text[] language sql immutable strict parallel safe as $$
      select array(select other from unnest(synonyms_of(word)) as other where length(other) < 7)
    $$;
    comment on function synonyms_whole is 'the short synonyms of a word, which a text has as whole words';

    create or replace function word_regexes(words text[]) returns text[] language sql immutable strict parallel safe as $$
      select array(
        select array_to_string(regexp_replace(word collate "C", '([][(){}.*+?^$|\\\\])', '\\\\\\1', 'g')
          || synonyms_within(word) || whole_words(word_forms(word) || synonyms_whole(word)), '|')
        from unnest(words) with ordinality as typed (word, place) order by place)
    $$;
    drop function word_regex(text, text[]);

    create or replace function want_pieces(given text) returns text[] language sql immutable strict parallel safe as $$
      with one as materialized (
        select distinct one
        from regexp_split_to_table(given collate "C", '[^a-z0-9]+') as word,
          unnest(array[word, regexp_replace(word, '^[ld]([aeiouh].{3})', '\\1')]) as whole,
          unnest(array[whole, regexp_replace(whole, '[sx]$', ''), regexp_replace(whole, 'es$', '')]) as one
        where one <> ''
        union
        select long from unnest(words_with_synonyms()) as long where length(long) >= 7 and strpos(given, long) > 0
      ), meant as materialized (
        select distinct meant from one, unnest(words_meaning(one) || one) as meant
      ), plain as materialized (
        select distinct plain
        from meant, unnest(array[meant, meant || 's', meant || 'x', meant || 'es'] || word_forms(meant)) as plain
      )
      select array(
        select distinct want_piece(typed)
        from plain, unnest(array[plain] || case when plain ~ '^[aeiouh].{3}' then array['l' || plain, 'd' || plain] end)
          as typed)
    $$;

    alter table wants drop column search_regexes;
    alter table wants add column search_regexes text[]
      generated always as (word_regexes(typed_words(search))) stored;
    comment on column wants.search_regexes is 'a coupon matches them all'`.execute(db);
}
