import { sql } from 'kysely';
import type { Trx } from '#server/database/client.ts';

/** Takes people who were not told of any match since `quietSince` and have not been told of one; notes that they are now. */
export async function takeTurn(
  trx: Trx,
  given: { at: Date; quietSince: Date; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ userId: number }>`
    insert into match_tellings (user_id, told_at)
    select giver_id, ${given.at}::timestamptz from (
      select distinct giver_id from match_legs
      where awaits_telling and not exists (
        select from match_tellings where user_id = giver_id and told_at > ${given.quietSince}::timestamptz)
      order by giver_id limit ${given.limit}) as waiting
    on conflict (user_id) do update set told_at = excluded.told_at
      where match_tellings.told_at <= ${given.quietSince}::timestamptz
    returning user_id`.execute(trx);
  return rows.map(({ userId }) => userId);
}

/** The matches that a person has not been told of; from now on they have. */
export async function takeUntold(trx: Trx, userId: number): Promise<number[]> {
  const rows = await trx
    .updateTable('matchLegs')
    .set({ awaitsTelling: false })
    .where('giverId', '=', userId)
    .where('awaitsTelling', '=', true)
    .returning('matchId')
    .execute();
  return rows.map(({ matchId }) => matchId);
}
