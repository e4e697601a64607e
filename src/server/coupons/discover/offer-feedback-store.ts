import type { Database, Trx } from '#server/database/client.ts';

/** Locks a code's score until the transaction ends, so that simultaneous answers are counted one after another. */
export async function lockScore(trx: Trx, codeHash: string): Promise<void> {
  await trx
    .insertInto('offerScores')
    .values({ codeHash })
    .onConflict((conflict) => conflict.column('codeHash').doUpdateSet({ codeHash }))
    .execute();
}

/** The answers after `since`, and when the latest of all said that it worked. */
export async function countFeedback(trx: Trx, codeHash: string, since: Date) {
  const said = trx.selectFrom('codeFeedback').where('codeHash', '=', codeHash).where('couponId', 'is', null);
  const counted = await said
    .where('givenAt', '>', since)
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('worked', '=', true).as('worked'),
      fn.countAll<number>().filterWhere('worked', '=', false).as('failed'),
      fn.min('givenAt').as('first'),
    ])
    .executeTakeFirstOrThrow();
  const last = await said
    .where('worked', '=', true)
    .select('givenAt')
    .orderBy('givenAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { ...counted, lastWorkedAt: last?.givenAt ?? null };
}

export interface OfferScore {
  readonly worked: number;
  readonly failed: number;
  readonly lastWorkedAt: Date | null;
  readonly doubt: number;
  readonly lapsesAt: Date | null;
}

/** Stores a score, and its doubt with the offer that the lists are ordered by. */
export async function putScore(trx: Trx, codeHash: string, score: OfferScore): Promise<void> {
  await trx.updateTable('offerScores').set(score).where('codeHash', '=', codeHash).execute();
  await trx
    .updateTable('feedOffers')
    .set({ doubt: score.doubt })
    .where('identity', '=', codeHash)
    .where('doubt', '<>', score.doubt)
    .execute();
}

/** Up to `limit` codes of which a counted answer has become too old. */
export async function lapsed(db: Database, at: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('offerScores')
    .select('codeHash')
    .where('lapsesAt', '<=', at)
    .orderBy('lapsesAt')
    .limit(limit)
    .execute();
  return rows.map(({ codeHash }) => codeHash);
}
