import { sql } from 'kysely';
import type { Trx } from '#server/database/client.ts';

const TERMS = sql<string[]>`search_terms(search_text)`;

/** How long listings may wait while words are removed. */
const LISTINGS_WAIT_MS = 250;

/** Words that no listed coupon has any more. Reads all listed coupons. */
export async function findUnusedWords(trx: Trx): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select word from coupon_words where not exists (
      select from (
        select distinct term from coupons, unnest(${TERMS}) as term where is_active
      ) as used where term = word)`.execute(trx);
  return rows.map(({ word }) => word);
}

/** Removes the `words` that are still unused. Listings wait meanwhile, so that none uses a word that is removed. */
export async function removeUnusedWords(trx: Trx, words: readonly string[]): Promise<number> {
  await sql`set local lock_timeout = ${sql.lit(LISTINGS_WAIT_MS)}`.execute(trx);
  await sql`lock table coupon_words in share row exclusive mode`.execute(trx);
  const removed = await sql`
    delete from coupon_words where word = any(${words}) and word not in (
      select term from coupons, unnest(${TERMS}) as term where is_active and ${TERMS} && ${words}::text[])`.execute(
    trx,
  );
  return Number(removed.numAffectedRows);
}
