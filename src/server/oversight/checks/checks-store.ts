import { sql } from 'kysely';
import type { Database } from '#server/database/client.ts';

async function oneRow<Row>(query: ReturnType<typeof sql<Row>>, db: Database): Promise<Row> {
  const { rows } = await query.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The database has answered nothing');
  return row;
}

/** The server's version, and whether it still sorts as it did when the database was made. */
export function readServer(db: Database) {
  return oneRow(
    sql<{ version: number; name: string; madeWith: string | null; sortsWith: string | null }>`
      select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
        datcollversion as made_with, pg_database_collation_actual_version(oid) as sorts_with
      from pg_database where datname = current_database()`,
    db,
  );
}

/** How many connections there are, and may be. `roleMay` is -1 without a limit of its own. */
export function readConnections(db: Database) {
  return oneRow(
    sql<{ allowed: number; used: number; roleMay: number }>`
      select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as allowed,
        (select count(*) from pg_stat_activity where backend_type = 'client backend') as used,
        (select rolconnlimit from pg_roles where rolname = current_user) as role_may`,
    db,
  );
}

/** How far the database's clock is ahead of this machine's, in milliseconds; the question's own time is halved. */
export async function readAhead(db: Database): Promise<number> {
  const asked = Date.now();
  const { ms } = await oneRow(
    sql<{ ms: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`,
    db,
  );
  return Math.round(ms - (asked + Date.now()) / 2);
}

/** These feeds with their last reading, as far as they were read. */
export async function listFeeds(db: Database, names: readonly string[]) {
  return db
    .selectFrom('feeds')
    .select(['name', 'fetchedAt', 'problem'])
    .where('name', 'in', names)
    .orderBy('name')
    .execute();
}

/** How often a merchant's programme has answered since then, and how often it was asked in vain. */
export function countValidations(db: Database, since: Date) {
  return oneRow(
    sql<{ answered: number; unanswered: number; lastAnswerAt: Date | null }>`
      select count(*) filter (where is_confirmed) as answered,
        count(*) filter (where validated_with like '%-offline') as unanswered,
        max(created_at) filter (where is_confirmed) as last_answer_at
      from validations where created_at >= ${since}`,
    db,
  );
}

type RunName = 'backup' | 'checks';

export async function findRun(db: Database, name: RunName) {
  return db
    .selectFrom('operatorRuns')
    .select(['ranAt', 'broken', 'attention'])
    .where('name', '=', name)
    .executeTakeFirst();
}

/** Notes the last run of a program. */
export async function putRun(
  db: Database,
  run: { name: RunName; ranAt: Date; broken?: number; attention?: number },
): Promise<void> {
  const { name, ...rest } = run;
  const columns = { broken: 0, attention: 0, ...rest };
  await db
    .insertInto('operatorRuns')
    .values({ name, ...columns })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(columns))
    .execute();
}
