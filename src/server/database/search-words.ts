import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from './client.ts';
import { likePattern } from './like-pattern.ts';

/**
 * Splits typed searches into words, in the form that `fold_text` of the database gives all searched texts: without case,
 * accents, apostrophes and hyphens. A search finds a text that has all of its words, in any order.
 */
export async function typedWords(db: Database | Trx, typed: readonly string[]): Promise<string[][]> {
  if (typed.every((text) => text === '')) return typed.map(() => []);
  const { rows } = await sql<{ words: string[] }>`
    select typed_words(text) as words from unnest(${typed}::text[]) with ordinality as typed (text, place)
    order by place`.execute(db);
  return rows.map(({ words }) => words);
}

/** Whether a folded column has all words. An index of trigrams answers it. */
export function hasWords(folded: RawBuilder<unknown>, words: readonly string[]): RawBuilder<boolean> {
  const each = words.map((word) => sql`${folded} like ${likePattern(word)}`);
  return each.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(each, sql` and `)})`;
}

/** Whether a text has all words of a search. It folds each text, so it is for a few rows. */
export function mentionsTyped(text: RawBuilder<unknown>, typed: string): RawBuilder<boolean> {
  return sql<boolean>`fold_text(${text}) like all (word_patterns(typed_words(${typed})))`;
}
