import { type RawBuilder, sql } from 'kysely';
import { COUNT_CAP } from '#contract/bounds.ts';
import type { Database } from '#server/database/client.ts';
import { hasWords } from '#server/database/search-words.ts';
import { isShortTerm } from './rules.ts';

/** With more names than this, a walk through all coupons soon finds enough of them. */
const MOST_MERCHANTS = 20;
/** A part of a word that stands for more words than this says little. */
const MOST_WORDS = 100;
/** The longest words of a text are looked up; the others are only compared. */
const MOST_LOOKED_UP = 4;
/** The rarest of a text's conditions leave few coupons; more only take time. */
const MOST_CONDITIONS = 3;
/** What `search_terms` writes for a word that is too long for an index. */
const LONG_WORD = '~';

/** What only few coupons meet, and all with the text; an index finds them. */
export type Condition = RawBuilder<boolean>;

/** What is typed into the two text fields of a search, as folded words (`typedWords`). No words match all. */
export interface SearchTexts {
  readonly merchant: readonly string[];
  readonly search: readonly string[];
}

/** How to find the coupons of a search. */
export interface LookedUp {
  /** Whether few coupons have a text, but no index leads to them alone: all may have to be read. */
  readonly isCostly: boolean;
  /** The number of listed coupons; 0 where it was not needed. */
  readonly listed: number;
  /** The folded names that the merchant stands for; their index leads to each one's coupons. Null: many. */
  readonly merchants: readonly string[] | null;
  /**
   * The conditions by which an index finds the few coupons that may have the texts, rarest first; none where so many
   * have them that a walk in the order of the list soon finds `wanted` of them.
   */
  conditionsFor(wanted: number): readonly Condition[];
}

/**
 * Whether so few of the listed coupons match that an index leads to `wanted` of them at less cost than a walk through
 * all: it reads `count`, the walk `listed / count * wanted`.
 */
export function isFew(count: number, wanted: number, listed: number): boolean {
  return count * count < wanted * listed;
}

/** Whether a coupon's title, merchant and description have all these words in them. */
export const mentions = (words: readonly string[]) => hasWords(sql`coupons.search_text`, words);

/** Whether a coupon's merchant has all these words. */
export const isSoldBy = (words: readonly string[]) => hasWords(sql`coupons.merchant_text`, words);

/** Whether a text has no trigram: the search then looks only at the newest live coupons. */
export function isShort({ merchant, search }: SearchTexts): boolean {
  return [merchant, search].some((words) => words.length > 0 && words.every(isShortTerm));
}

/** The folded name of a coupon's merchant. */
export const NAME = sql<string>`merchant_text`;

/** One name as a plain comparison, which an index answers in order. */
export function isOf(merchants: readonly string[]) {
  return merchants.length === 1
    ? sql<boolean>`${NAME} = ${merchants[0]}`
    : sql<boolean>`${NAME} = any(${merchants}::text[])`;
}

export const TERMS = sql<string[]>`search_terms(search_text)`;

/** Whether a coupon has at least one of these, as `search_terms` writes them. */
export function hasTerm(terms: readonly string[]) {
  return sql<boolean>`${TERMS} && ${terms}::text[]`;
}

/**
 * Looks up what coupons must have to have the texts of a search. LIKE alone, with an index of trigrams, reads all coupons
 * with those trigrams: nearly all, if each is common.
 */
export async function lookUp(db: Database, typed: SearchTexts): Promise<LookedUp> {
  const merchants = await merchantsWith(db, typed.merchant);
  const texts = [typed.search, ...(merchants === null ? [typed.merchant] : [])].filter(
    ({ length }) => length > 0,
  );
  if (isShort(typed)) return { merchants, listed: 0, isCostly: false, conditionsFor: () => [] };
  const found = await Promise.all(texts.map((words) => analyse(db, words)));
  return {
    merchants,
    listed: Math.max(0, ...found.map(({ listed }) => listed)),
    isCostly: found.some(({ isCostly }) => isCostly),
    conditionsFor: (wanted) => found.flatMap(({ conditionsFor }) => conditionsFor(wanted)),
  };
}

/** The merchants with all these words in their names; null for many, and for words without a trigram. */
async function merchantsWith(db: Database, words: readonly string[]): Promise<string[] | null> {
  if (words.every(isShortTerm)) return null;
  const rows = await db
    .selectFrom('merchants')
    .select('name')
    .where(hasWords(sql`name`, words))
    .limit(sql.lit(MOST_MERCHANTS + 1))
    .execute();
  return rows.length > MOST_MERCHANTS ? null : rows.map(({ name }) => name);
}

async function analyse(db: Database, words: readonly string[]): Promise<Omit<LookedUp, 'merchants'>> {
  const number = numberIn(words);
  const longest = [...new Set(words)]
    .sort((one, other) => other.length - one.length)
    .slice(0, MOST_LOOKED_UP);
  const [terms, [listed = 0, found = 0, withNumber = 0]] = await Promise.all([
    Promise.all(longest.map((word) => termsOf(db, word))),
    // The coupons with one trigram are what the index reads at most: those with the number may be fewer.
    estimate(db, [mentions(words), ...(number ? [mentions([number.slice(-3)])] : [])]),
  ]);
  if (!isFew(found, COUNT_CAP, listed)) return { listed, isCostly: false, conditionsFor: () => [] };
  const shareOf = await commonTerms(db);
  const rarestFirst = terms
    .flat()
    .map((ones) => ({
      condition: hasTerm(ones),
      share: ones.reduce((share, term) => share + (shareOf.get(term) ?? 0), 0),
    }))
    .concat(number ? [{ condition: mentions([number]), share: withNumber / Math.max(1, listed) }] : [])
    .sort((one, other) => one.share - other.share)
    .slice(0, MOST_CONDITIONS);
  const rarest = listed * (rarestFirst[0]?.share ?? 1);
  // The index intersects its lists without reading a coupon.
  const together = rarestFirst.reduce((count, { share }) => count * Math.min(1, share), listed);
  return {
    listed,
    isCostly: !isFew(rarest, COUNT_CAP, listed),
    conditionsFor: (wanted) =>
      isFew(found, wanted, listed) && isFew(together, wanted, listed)
        ? rarestFirst.map(({ condition }) => condition)
        : [],
  };
}

async function findTerms(db: Database, word: string) {
  // The planner replaces all of this by constants: the functions are immutable.
  const terms = sql`search_terms(${word})`;
  const count = sql`cardinality(${terms})`;
  const [first, last] = [sql`(${terms})[1]`, sql`(${terms})[${count}]`];
  const before = sql`case when starts_with(${word}, ${first}) then '%' else '' end`;
  const after = sql`case when right(${word}, length(${last})) = ${last} then '%' else '' end`;
  // One letter at an end stands for too many.
  const found = (term: RawBuilder<unknown>, pattern: RawBuilder<unknown>) => sql`
    case when length(${term}) > 1 or ${pattern} = ${term} then
      array(select word from coupon_words where word like ${pattern} limit ${sql.lit(MOST_WORDS + 1)}) end`;
  const { rows } = await sql<{ terms: string[]; first: string[] | null; last: string[] | null }>`
    select ${terms} as terms,
      ${found(first, sql`(${before} || ${first} || case when ${count} = 1 then ${after} else '' end)`)} as first,
      ${found(last, sql`(${last} || ${after})`)} as last`.execute(db);
  return rows;
}

/**
 * The terms that each part of a typed word stands for, without parts that stand for too many. Digits separate parts:
 * those inside are whole terms, those at the ends may be parts of others.
 */
async function termsOf(db: Database, typed: string): Promise<(readonly string[])[]> {
  const [found] = await findTerms(db, typed);
  const { terms, first: firsts, last: lasts } = found ?? { terms: [], first: null, last: null };
  const known = (found: string[] | null) =>
    found && found.length <= MOST_WORDS ? [...new Set([...found, LONG_WORD])] : null;
  return terms.flatMap((term, place) => {
    const ones = place === 0 ? known(firsts) : place === terms.length - 1 ? known(lasts) : [term];
    return ones === null ? [] : [ones];
  });
}

/** The longest number in some words, if it has trigrams: numbers are no terms. */
function numberIn(words: readonly string[]): string | undefined {
  const numbers = words.flatMap((word) => word.match(/\d{3,}/g) ?? []);
  return numbers.sort((one, other) => other.length - one.length)[0];
}

/** The number of listed coupons, and of those that meet each condition, as the planner estimates them without reading any. */
export async function estimate(db: Database, conditions: readonly RawBuilder<boolean>[]): Promise<number[]> {
  // Above a limit, the planner's number is that of all processes together.
  const counted = [sql`true`, ...conditions].map(
    (condition) => sql`(select from coupons where is_active and ${condition} limit 2000000000)`,
  );
  const explained = await sql<{ 'QUERY PLAN': [{ Plan: { Plans: { 'Plan Rows': number }[] } }] }>`
    explain (format json) ${sql.join(counted, sql` union all `)}`.execute(db.withoutPlugins());
  return (explained.rows[0]?.['QUERY PLAN'][0].Plan.Plans ?? []).map((plan) => plan['Plan Rows']);
}

type Shares = ReadonlyMap<string, number>;

/** The statistics change as seldom, and only decide which way to the same coupons is tried. */
const SHARES_KEPT_MS = 60_000;
const keptShares = new WeakMap<Database, { readonly at: number; readonly shares: Promise<Shares> }>();

/** The terms that many coupons have, each with their share of all coupons; up to a minute old. */
function commonTerms(db: Database): Promise<Shares> {
  const kept = keptShares.get(db);
  if (kept && performance.now() - kept.at < SHARES_KEPT_MS) return kept.shares;
  const shares = readCommonTerms(db);
  keptShares.set(db, { at: performance.now(), shares });
  shares.catch(() => keptShares.delete(db));
  return shares;
}

async function readCommonTerms(db: Database): Promise<Shares> {
  // Behind the shares of the terms come three numbers about them all.
  const { rows } = await sql<{ shares: Record<string, number> | null }>`
    select json_object_agg(term, share) as shares from pg_stats_ext_exprs,
      unnest(most_common_elems::text::text[], most_common_elem_freqs) as common (term, share)
    where statistics_name = 'coupons_search_terms' and term is not null`.execute(db.withoutPlugins());
  return new Map(Object.entries(rows[0]?.shares ?? {}));
}
