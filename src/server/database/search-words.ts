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

/** A folded word that somebody types into a search for coupons; with what stands for it, in English and French. */
export interface SearchedWord {
  readonly word: string;
  /** Its other numbers. A text has them as whole words. */
  readonly forms: readonly string[];
  /** Synonyms that a text may have within a word. */
  readonly within: readonly string[];
  /** The other synonyms, which a text has as whole words. */
  readonly whole: readonly string[];
  /** Regular expressions for the whole words, and for those that are forms alone. */
  readonly regexes: readonly string[];
  readonly formRegexes: readonly string[];
}

/** Splits a typed search for coupons into words. A search finds a text that has each of them, or a synonym. */
export async function searchedWords(db: Database | Trx, typed: string): Promise<SearchedWord[]> {
  if (typed === '') return [];
  const { rows } = await sql<SearchedWord>`
    select word, word_forms(word) as forms, synonyms_within(word) as within, synonyms_whole(word) as whole,
      whole_words(word_forms(word) || synonyms_whole(word)) as regexes, whole_words(word_forms(word)) as form_regexes
    from unnest(typed_words(${typed})) with ordinality as typed (word, place) order by place`.execute(db);
  return rows;
}

/** Whether a folded column has each of the words, in any number, or a synonym of it. An index of trigrams answers it. */
export function mentionsEach(
  folded: RawBuilder<unknown>,
  words: readonly SearchedWord[],
): RawBuilder<boolean> {
  const each = words.map(({ word, forms, within, whole, regexes }) => {
    const patterns = [word, ...within].map(likePattern);
    const parts = [...forms, ...whole].map(likePattern);
    if (patterns.length + parts.length === 1) return sql`${folded} like ${patterns[0]}`;
    // LIKE is several times as quick as an expression, so it goes first. As a number it leaves the planner's estimate alone.
    const isWorthALook = sql`(${folded} like any (${parts}))::integer <> 0`;
    return sql`(${folded} like any (${patterns}) or ${isWorthALook} and ${folded} ~ any (${regexes}))`;
  });
  return each.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(each, sql` and `)})`;
}

/** The same words without their synonyms. */
export function withoutSynonyms(words: readonly SearchedWord[]): SearchedWord[] {
  return words.map((word) => ({ ...word, within: [], whole: [], regexes: word.formRegexes }));
}

/** Whether a folded column has all words. An index of trigrams answers it. */
export function hasWords(folded: RawBuilder<unknown>, words: readonly string[]): RawBuilder<boolean> {
  const each = words.map((word) => sql`${folded} like ${likePattern(word)}`);
  return each.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(each, sql` and `)})`;
}

/** Whether a text has all words of a search. It folds each text, so it is for a few rows. */
export function mentionsTyped(text: RawBuilder<unknown>, typed: string): RawBuilder<boolean> {
  return sql<boolean>`searchable(${text}) like all (word_patterns(typed_words(${typed})))`;
}
