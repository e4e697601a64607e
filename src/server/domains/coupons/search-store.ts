import { type RawBuilder, sql } from 'kysely';
import { COUNT_CAP } from '#contract/bounds.ts';
import type { Database } from '#server/database/client.ts';
import { compiledOnce } from '#server/database/compiled-once.ts';
import { likePattern } from '#server/database/like-pattern.ts';
import { ASKS } from '../coupon-filter.ts';
import { isShortTerm } from './rules.ts';

/** With more names than this, a walk through all coupons soon finds enough of them. */
const MOST_MERCHANTS = 20;
/** A part of a word that stands for more words than this says little. */
const MOST_WORDS = 100;
/** Pairs of words that one lookup takes. */
const MOST_PAIRS = 400;
/** The rarest of a text's conditions leave few coupons; more only take time. */
const MOST_CONDITIONS = 3;
/** What `search_terms` writes for a word that is too long for an index. */
const LONG_WORD = '~';

/** What only few coupons meet, and all with the text; an index finds them. */
export type Condition = RawBuilder<boolean>;

/** What is typed into the two text fields of a search. An empty text matches all. */
export interface SearchTexts {
  readonly merchant: string;
  readonly search: string;
}

/** How to find the coupons of a search. */
export interface LookedUp {
  /** Whether few coupons have a text, but no index leads to them alone: all may have to be read. */
  readonly isCostly: boolean;
  /** The number of listed coupons; 0 where it was not needed. */
  readonly listed: number;
  /** The names, in lower case, that the merchant stands for; their index leads to each one's coupons. Null: many. */
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

/** Whether a coupon's title, merchant or description has `term` in it. */
export const mentions = (term: string) => ASKS.search(sql.val(likePattern(term)));

/** Whether a text has no trigram: the search then looks only at the newest live coupons. */
export function isShort({ merchant, search }: SearchTexts): boolean {
  return [merchant, search].some((term) => term !== '' && isShortTerm(term));
}

/** The name of a coupon's merchant, as in the indexes. */
export const NAME = sql<string>`lower(merchant)`;

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
  const texts = [typed.search, ...(merchants === null ? [typed.merchant] : [])].filter(Boolean);
  if (isShort(typed)) return { merchants, listed: 0, isCostly: false, conditionsFor: () => [] };
  const found = await Promise.all(texts.map((text) => analyse(db, text)));
  return {
    merchants,
    listed: Math.max(0, ...found.map(({ listed }) => listed)),
    isCostly: found.some(({ isCostly }) => isCostly),
    conditionsFor: (wanted) => found.flatMap(({ conditionsFor }) => conditionsFor(wanted)),
  };
}

/** PostgreSQL lower-cases the pattern, like the names it is compared with. */
const findMerchants = compiledOnce((db, { pattern }: { pattern: string }) =>
  db
    .selectFrom('merchants')
    .select('name')
    .where('name', 'like', sql<string>`lower(${pattern})`)
    .limit(MOST_MERCHANTS + 1),
);

/** The merchants with `term` in their names; null for many, and for a term without a trigram. */
async function merchantsWith(db: Database, term: string): Promise<string[] | null> {
  if (term === '' || isShortTerm(term)) return null;
  const rows = await findMerchants(db, { pattern: likePattern(term) });
  return rows.length > MOST_MERCHANTS ? null : rows.map(({ name }) => name);
}

async function analyse(db: Database, text: string): Promise<Omit<LookedUp, 'merchants'>> {
  const number = numberIn(text);
  const [words, [listed = 0, found = 0, withNumber = 0]] = await Promise.all([
    wordsOf(db, text),
    // The coupons with one trigram are what the index reads at most: those with the number may be fewer.
    estimate(db, [mentions(text), ...(number ? [mentions(number.slice(-3))] : [])]),
  ]);
  if (!isFew(found, COUNT_CAP, listed)) return { listed, isCostly: false, conditionsFor: () => [] };
  const terms = combine(words);
  const shareOf = await commonTerms(db);
  const rarestFirst = terms
    .map((ones) => ({
      condition: hasTerm(ones),
      count: listed * ones.reduce((share, term) => share + (shareOf.get(term) ?? 0), 0),
    }))
    .concat(number ? [{ condition: mentions(number), count: withNumber }] : [])
    .sort((one, other) => one.count - other.count);
  const conditionsFor = (wanted: number) =>
    rarestFirst
      .filter(({ count }) => isFew(found, wanted, listed) && isFew(count, wanted, listed))
      .slice(0, MOST_CONDITIONS)
      .map(({ condition }) => condition);
  return { listed, isCostly: conditionsFor(COUNT_CAP).length === 0, conditionsFor };
}

const findWords = compiledOnce((_db, { text }: { text: string }) => {
  // The planner replaces all of this by constants: the text's functions are immutable.
  const terms = sql`search_terms(lower(${text}))`;
  const count = sql`(cardinality(${terms}) + 1) / 2`;
  const [first, last] = [sql`(${terms})[1]`, sql`(${terms})[${count}]`];
  const before = sql`case when lower(${text}) ~ '^[[:alpha:]]' then '%' else '' end`;
  const after = sql`case when lower(${text}) ~ '[[:alpha:]]$' then '%' else '' end`;
  // One letter at an end stands for too many.
  const found = (word: RawBuilder<unknown>, pattern: RawBuilder<unknown>) => sql`
    case when length(${word}) > 1 or ${pattern} = ${word} then
      array(select word from coupon_words where word like ${pattern} limit ${sql.lit(MOST_WORDS + 1)}) end`;
  return sql<{ words: string[]; first: string[] | null; last: string[] | null }>`
    select (${terms})[:${count}] as words,
      ${found(first, sql`(${before} || ${first} || case when ${count} = 1 then ${after} else '' end)`)} as first,
      ${found(last, sql`(${last} || ${after})`)} as last`;
});

/**
 * The words at each place of a text, in order; null for too many. Words inside are whole, those at the ends may be parts
 * of others.
 */
async function wordsOf(db: Database, text: string): Promise<(readonly string[] | null)[]> {
  const [found] = await findWords(db, { text });
  const { words, first: firsts, last: lasts } = found ?? { words: [], first: null, last: null };
  const known = (found: string[] | null) =>
    found && found.length <= MOST_WORDS ? [...new Set([...found, LONG_WORD])] : null;
  return words.map((word, place) => {
    if (place === 0) return known(firsts);
    return place === words.length - 1 ? known(lasts) : [word];
  });
}

/** The longest number of a text, if it has trigrams: numbers are no words. */
function numberIn(text: string): string | undefined {
  return text.match(/\d{3,}/g)?.sort((one, other) => other.length - one.length)[0];
}

/** Pairs of words where both are known, else words alone: a coupon with the text has a term of each list. */
function combine(words: readonly (readonly string[] | null)[]): (readonly string[])[] {
  const pairs = words.map((ones, place) => {
    const others = words[place + 1];
    if (!ones || !others || ones.length * others.length > MOST_PAIRS) return null;
    return ones.flatMap((one) => others.map((other) => `${one} ${other}`));
  });
  return words.flatMap((alone, place) => {
    const pair = pairs[place];
    if (pair) return [pair];
    return alone && !pairs[place - 1] ? [alone] : [];
  });
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
