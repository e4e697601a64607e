import type { Database, Trx } from '#server/database/client.ts';
import type { Side } from './defaults.ts';
import type { Finding } from './redemptions.ts';

/** Open claims about which no programme has told anything, and none was asked since `askedBefore`; the oldest first. */
export async function listToAsk(
  db: Database,
  { askedBefore, limit }: { askedBefore: Date; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('claims')
    .select('id')
    .where('status', '=', 'open')
    .where('finding', 'is', null)
    .where(({ eb, or }) => or([eb('askedAt', 'is', null), eb('askedAt', '<=', askedBefore)]))
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Notes that the programme is asked now. @returns false when the claim is not open any more, or another process asks */
export async function noteAsked(
  db: Database,
  id: number,
  { at, askedBefore }: { at: Date; askedBefore: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('claims')
    .set({ askedAt: at })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .where(({ eb, or }) => or([eb('askedAt', 'is', null), eb('askedAt', '<=', askedBefore)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Stores a finding about an open claim that has none. @returns false where there is one, or the claim has ended */
export async function storeFinding(
  trx: Trx,
  id: number,
  finding: Finding & { readonly winner: Side | null; readonly at: Date },
): Promise<boolean> {
  const { kind, redeemedAt, place, comparedAt, winner, at } = finding;
  const { numUpdatedRows } = await trx
    .updateTable('claims')
    .set({ finding: kind, findingAt: at, findingFor: winner, redeemedAt, redeemedPlace: place, comparedAt })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .where('finding', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Compare-and-set. @returns false when the claim does not end by a finding any more */
export async function contest(trx: Trx, id: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('claims')
    .set({ contestedAt: at, defaultFor: null, defaultAt: null })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .where('findingFor', 'is not', null)
    .where('defaultFor', 'is not', null)
    .where('contestedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
