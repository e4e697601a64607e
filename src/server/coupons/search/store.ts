import { sql } from 'kysely';
import { ENDS_AT } from '#server/coupons/core/coupon-filter-sql.ts';
import type { Database } from '#server/database/client.ts';
import { likePattern } from '#server/database/like-pattern.ts';

/** How many names are looked up for those that have a coupon now. */
const NAMES = 20;

/** Merchants that have a coupon on offer, in its spelling: names that begin with a folded text, then words that do. */
export async function listMerchants(
  db: Database,
  folded: string,
  now: Date,
  most: number,
): Promise<string[]> {
  // The pattern begins with what is typed, not with a wildcard.
  const start = likePattern(folded).slice(1);
  const { rows } = await sql<{ merchant: string }>`
    select shown.merchant from (
      select name, name like ${start} as is_first from merchants where name like ${start} or name like ${`% ${start}`}
      order by is_first desc, name limit ${NAMES}) as found
    cross join lateral (
      select merchant from coupons where is_active and merchant_text = found.name and ${ENDS_AT} >= ${now}
      order by created_at desc, id desc limit 1) as shown
    order by is_first desc, name limit ${most}`.execute(db);
  return rows.map(({ merchant }) => merchant);
}

/** Words are looked for in this many of the newest coupons: the cost does not grow with the market. */
const NEWEST = 2_000;
/** How alike, by trigrams, two words are at least: 0 to 1. */
const LIKENESS = 0.4;

/** The folded words that people search for, or only those that a coupon or a merchant has. */
export type KnownWords = 'synonyms too' | 'in coupons';

/** For each folded word, the most similar one that is known; itself where it is known, or none is alike. */
export async function nearestWords(
  db: Database,
  { words, known, now }: { words: readonly string[]; known: KnownWords; now: Date },
): Promise<string[]> {
  const { rows } = await sql<{ nearest: string | null }>`
    with known as materialized (
      select distinct word from (
        select search_text from coupons where is_active and ${ENDS_AT} >= ${now}
        order by created_at desc, id desc limit ${NEWEST}) as newest,
      regexp_split_to_table(search_text, '[^[:alnum:]]+') as word where length(word) >= 3
      union
      select word from unnest(${words}::text[]) as typed, lateral (
        select name from merchants where name %> typed limit ${NEWEST}) as alike,
      regexp_split_to_table(name, '[^[:alnum:]]+') as word where length(word) >= 3
      union
      select word from unnest(words_with_synonyms()) as word where length(word) >= 3 and ${known === 'synonyms too'})
    select nearest.word as nearest from unnest(${words}::text[]) with ordinality as typed (word, place)
    left join lateral (
      select known.word from known
      where strpos(known.word, typed.word) > 0 or similarity(known.word, typed.word) >= ${LIKENESS}
      order by strpos(known.word, typed.word) > 0 desc, similarity(known.word, typed.word) desc, known.word limit 1
    ) as nearest on true
    order by place`.execute(db);
  return rows.map(({ nearest }, at) => nearest ?? words[at] ?? '');
}

/** For each folded word all that it stands for in a search, in English and French: itself, its numbers, its synonyms. */
export async function meaningsOf(db: Database, words: readonly string[]): Promise<string[][]> {
  const { rows } = await sql<{ meanings: string[] }>`
    select word || word_forms(word) || synonyms_of(word) as meanings
    from unnest(${words}::text[]) with ordinality as given (word, place) order by place`.execute(db);
  return rows.map(({ meanings }) => meanings);
}
