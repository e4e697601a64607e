import { sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';

/** The day on which somebody who is away comes back; null if they are not away. */
export async function awayUntil(db: Database, userId: number, today: string): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .select('awayUntil')
    .where('id', '=', userId)
    .where('awayUntil', '>', today)
    .executeTakeFirst();
  return row?.awayUntil ?? null;
}

/** Whether the latest `count` proposals to somebody all ended without their answer. */
export async function hasIgnored(db: Database, userId: number, count: number): Promise<boolean> {
  const { rows } = await sql<{ ignored: number }>`
    select count(*) filter (where status = 'cancelled' and consented_at is null and exists (
      select from exchanges where id = latest.exchange_id and reason = 'deadline'))::integer as ignored
    from (
      select exchange_id, status, consented_at from exchange_parties
      where user_id = ${userId} and not is_author
      order by created_at desc, exchange_id desc limit ${count}) as latest`.execute(db);
  return rows[0]?.ignored === count;
}

/** @param given.until `today`: the person is back, if they were away */
export async function setAway(
  db: Database,
  given: { userId: number; until: string; today: string; at: Date },
): Promise<void> {
  const { userId, until, today, at } = given;
  await sql`
    update users set away_until = ${until}::date,
      away_since = case when away_until > ${today}::date then away_since else ${at}::timestamptz end
    where id = ${userId} and (away_until > ${today}::date or ${until}::date > ${today}::date)`.execute(db);
}

/** Which of these people are away. */
export async function listAway(
  trx: Trx,
  userIds: readonly number[],
  today: string,
): Promise<{ username: string; awayUntil: string | null }[]> {
  return trx
    .selectFrom('users')
    .select(['username', 'awayUntil'])
    .where('id', 'in', [...userIds])
    .where('awayUntil', '>', today)
    .orderBy('id')
    .execute();
}
