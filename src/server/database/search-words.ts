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

/** A folded word that somebody types into a search for coupons. */
export interface SearchedWord {
  readonly word: string;
  /** A regular expression for texts with the word, its singular or its plural; null: only the word itself. */
  readonly own: string | null;
  /** The same with its synonyms in English and French. */
  readonly any: string | null;
}

/** Splits a typed search for coupons into words. A search finds a text that has each of them, or a synonym. */
export async function searchedWords(db: Database | Trx, typed: string): Promise<SearchedWord[]> {
  if (typed === '') return [];
  const { rows } = await sql<SearchedWord>`
    select word, nullif(word_regex(word, word_forms(word)), plain) as own,
      nullif((word_regexes(array[word]))[1], plain) as any
    from unnest(typed_words(${typed})) with ordinality as typed (word, place), word_regex(word, '{}') as plain
    order by place`.execute(db);
  return rows;
}

/** Whether a folded column has each of the words, or, unless they must be its own, a synonym. An index of trigrams answers it. */
export function mentionsEach(
  folded: RawBuilder<unknown>,
  words: readonly SearchedWord[],
  which: 'own' | 'any' = 'any',
): RawBuilder<boolean> {
  const each = words.map(({ word, [which]: regex }) =>
    regex === null ? sql`${folded} like ${likePattern(word)}` : sql`${folded} ~ ${regex}`,
  );
  return each.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(each, sql` and `)})`;
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
