import type { Database, Trx } from '#server/database/client.ts';

/** Locks a code's standing until the transaction ends, so that simultaneous answers are counted one after another. */
export async function lockStanding(trx: Trx, codeHash: string): Promise<void> {
  await trx
    .insertInto('offerScores')
    .values({ codeHash })
    .onConflict((conflict) => conflict.column('codeHash').doUpdateSet({ codeHash }))
    .execute();
}

/** The answers after `since`, and when the latest of all said that it worked. */
export async function countAnswers(trx: Trx, codeHash: string, since: Date) {
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

export interface Standing {
  readonly worked: number;
  readonly failed: number;
  readonly lastWorkedAt: Date | null;
  readonly doubt: number;
  readonly lapsesAt: Date | null;
}

/** Stores a standing, and its doubt with the offer that the lists are ordered by. */
export async function putStanding(trx: Trx, codeHash: string, standing: Standing): Promise<void> {
  await trx.updateTable('offerScores').set(standing).where('codeHash', '=', codeHash).execute();
  await trx
    .updateTable('feedOffers')
    .set({ doubt: standing.doubt })
    .where('identity', '=', codeHash)
    .where('doubt', '<>', standing.doubt)
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
