import { sql } from 'kysely';
import type { Database } from '#server/database/client.ts';

/** Deletes matches that a crash left between the claim and the exchange: they are found again. */
export async function deleteLeftClaims(db: Database, before: Date): Promise<void> {
  await db
    .deleteFrom('matches')
    .where('state', '=', 'proposed')
    .where('exchangeId', 'is', null)
    .where('updatedAt', '<', before)
    .execute();
}

/** The next person, in id order, who is in a match of any state. */
export async function nextPerson(db: Database, after: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('matchLegs')
    .select('giverId')
    .where('giverId', '>', after)
    .orderBy('giverId')
    .limit(1)
    .executeTakeFirst();
  return row?.giverId;
}

/** The people in open and waiting matches with these. */
export async function listPartners(
  db: Database,
  userIds: readonly number[],
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ giverId: number }>`
    select distinct partner.giver_id
    from match_legs as own
    join matches on matches.id = own.match_id and matches.state in ('open', 'waiting')
    join match_legs as partner on partner.match_id = own.match_id
    where own.giver_id = any(${userIds}::integer[])
    limit ${limit}`.execute(db);
  return rows.map(({ giverId }) => giverId);
}
