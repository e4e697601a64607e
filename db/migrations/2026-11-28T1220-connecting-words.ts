import { type Kysely, sql } from 'kysely';

/** "Marks & Spencer", "Marks and Spencer" and "Marks et Spencer" are one search: what connects words is not looked for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function typed_words(given text) returns text[] language sql immutable strict parallel safe as $$
      with typed as materialized (
        select folded, place, folded in ('&', 'and', 'et') as connects
        from regexp_split_to_table(
            normalize(translate(given, '´’‘‛ʼʻʹ′', ''), NFKC) collate "C", '[ \\t\\n\\r\\f\\v,;\\u0085\\u1680\\u2028\\u2029\\u00ad\\u058a\\u2010-\\u2015\\u2212-]+'
          ) with ordinality as part (word, place), fold_text(word) as folded
        where folded <> ''
      )
      select array(
        select folded from typed where not connects or (select bool_and(connects) from typed) order by place)
    $$;
    comment on function typed_words is
      'the folded words that somebody types into a search, without those that connect others; a text that has them all is found';
    -- Writes what is made of it again.
    update wants set search = search where search ~* '(^|[ ,;-])(&|＆|and|et)([ ,;-]|$)'
      or merchant ~* '(^|[ ,;-])(&|＆|and|et)([ ,;-]|$)'`.execute(db);
}
