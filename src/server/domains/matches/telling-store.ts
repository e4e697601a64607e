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

/**
 * Notes that a person is told of these matches.
 * @returns those of them whose swap, what for what, they have not been told of in any match
 */
export async function noteTold(trx: Trx, userId: number, matchIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ matchId: number }>`
    with swaps as (
      select gives.match_id, gives.coupon_id as given_id, gets.coupon_id as got_id
      from match_legs as gives join match_legs as gets
        on gets.match_id = gives.match_id and gets.receiver_id = gives.giver_id
      where gives.giver_id = ${userId} and gives.match_id = any(${matchIds}::integer[])
    ), told as (
      insert into match_swaps_told (user_id, given_id, got_id)
      select distinct ${userId}::integer, given_id, got_id from swaps
      on conflict do nothing returning given_id, got_id
    )
    select min(match_id) as match_id from swaps join told using (given_id, got_id) group by given_id, got_id`.execute(
    trx,
  );
  return rows.map(({ matchId }) => matchId);
}

/** The matches that await being told to a person; from now on they do not. */
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
