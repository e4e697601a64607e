import { sql } from 'kysely';
import type { Database } from '#server/database/client.ts';

/** Queues people whose day of return is within these days. */
export async function queueReturned(db: Database, given: { from: string; to: string }): Promise<void> {
  await sql`
    insert into match_queue (user_id)
    select id from users where away_until between ${given.from} and ${given.to}`.execute(db);
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
