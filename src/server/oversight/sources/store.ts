import { sql } from 'kysely';
import { PERSONAL_CATEGORIES } from '#contract/coupons/choices.ts';
import { ENDS_AT } from '#server/coupons/core/coupon-filter-sql.ts';
import type { Database } from '#server/database/client.ts';

/** What is known of the readings of these feeds. */
export async function listReadings(db: Database, names: readonly string[]) {
  return db
    .selectFrom('feeds')
    .select(['name', 'triedAt', 'fetchedAt', 'problem', 'offers', 'refused'])
    .where('name', 'in', names)
    .execute();
}

/** Marks these feeds as those of admins. */
export async function noteOwnFeeds(db: Database, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await db
    .insertInto('feeds')
    .values(names.map((name) => ({ name, isOwn: true })))
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ isOwn: true }).where('feeds.isOwn', '=', false),
    )
    .execute();
}

/** Has a feed read at once. */
export async function readAgain(db: Database, name: string): Promise<void> {
  await db.updateTable('feeds').set({ triedAt: null }).where('name', '=', name).execute();
}

/** The feeds of admins without these: they were removed. */
export async function listRemovedFeeds(db: Database, names: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('feeds')
    .select('name')
    .where('isOwn', '=', true)
    .$if(names.length > 0, (feeds) => feeds.where('name', 'not in', names))
    .execute();
  return rows.map(({ name }) => name);
}

/** Ends the readings of a feed that are under way. */
export async function endReadings(db: Database, name: string): Promise<void> {
  await sql`update feeds set run = run + 1 where name = ${name}`.execute(db);
}

/** Removes up to `limit` offers of a feed. @returns how many */
export async function deleteOffers(db: Database, name: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from feed_offers where id in (select id from feed_offers where feed = ${name} limit ${limit})`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}

/** Removes a feed, unless it was set up again meanwhile. */
export async function deleteFeed(db: Database, name: string): Promise<void> {
  await db.deleteFrom('feeds').where('name', '=', name).where('isOwn', '=', true).execute();
}

/** How many coupons of these merchants are on offer. */
export async function countCoupons(
  db: Database,
  { merchants, now }: { merchants: readonly string[]; now: Date },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from coupons
    where is_active and ${ENDS_AT} >= ${now} and category <> all(${PERSONAL_CATEGORIES}::text[])
      and merchant_text = any(array(select fold_text(name) from unnest(${merchants}::text[]) as name))`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** How often the accounts with a provider have answered since then, and how often they were asked in vain. */
export async function countAnswers(db: Database, source: string, since: Date) {
  const { rows } = await sql<{ answered: number; unanswered: number; lastAnswerAt: Date | null }>`
    select count(*) filter (where is_confirmed)::integer as answered,
      count(*) filter (where validated_with = ${`${source}-offline`})::integer as unanswered,
      max(created_at) filter (where is_confirmed) as last_answer_at
    from validations where created_at >= ${since} and validated_with in (${source}, ${`${source}-offline`})`.execute(
    db,
  );
  return rows[0] ?? { answered: 0, unanswered: 0, lastAnswerAt: null };
}
