import { sql } from 'kysely';
import type { Database } from '#server/database/client.ts';

/**
 * Stores the jobs and deletes those that no longer exist. Writes them ordered by name, so that processes that do this
 * at once do not deadlock.
 */
export async function putJobs(
  db: Database,
  jobs: readonly { readonly name: string; readonly cron: string }[],
): Promise<void> {
  const rows = jobs
    .map(({ name, cron }) => ({ name, cron }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  if (rows.length === 0) return;
  await db
    .insertInto('jobRuns')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet(({ ref }) => ({ cron: ref('excluded.cron') })),
    )
    .execute();
  const names = rows.map(({ name }) => name);
  await db.deleteFrom('jobRuns').where('name', 'not in', names).execute();
}

export async function noteStart(db: Database, name: string, at: Date): Promise<void> {
  await db.updateTable('jobRuns').set({ startedAt: at }).where('name', '=', name).execute();
}

/** @param run `lastError` is null if the run succeeded */
export async function noteEnd(
  db: Database,
  run: { name: string; at: Date; durationMs: number | null; lastError: string | null },
): Promise<void> {
  const { name, at, ...columns } = run;
  await db
    .updateTable('jobRuns')
    .set({ ...columns, ...(run.lastError === null && { succeededAt: at }) })
    .where('name', '=', name)
    .execute();
}

export async function listJobs(db: Database) {
  return db.selectFrom('jobRuns').selectAll().orderBy('name').execute();
}

/** Event counts per payment provider. */
export async function countEvents(db: Database, since: Date) {
  const counted = await sql<{
    provider: string;
    received24h: number;
    waiting: number;
    failing: number;
    lastReceivedAt: Date | null;
    lastError: string | null;
  }>`
    select provider,
      (select count(*) from webhook_events e where e.provider = named.provider and received_at >= ${since})
        as "received24h",
      (select count(*) from webhook_events e where e.provider = named.provider and processed_at is null) as waiting,
      (select count(*) from webhook_events e
        where e.provider = named.provider and processed_at is null and last_error is not null) as failing,
      (select max(received_at) from webhook_events e where e.provider = named.provider) as last_received_at,
      (select last_error from webhook_events e
        where e.provider = named.provider and processed_at is null and last_error is not null
        order by next_try_at desc limit 1) as last_error
    from (values ('stripe'), ('paypal')) as named (provider)`.execute(db);
  return counted.rows;
}

/** How many new codes are being made, and the latest ones that were given up. */
export async function readNewCodes(db: Database, limit: number) {
  const { waiting } = await db
    .selectFrom('reissues')
    .select((from) => from.fn.countAll<number>().as('waiting'))
    .where('nextTryAt', 'is not', null)
    .executeTakeFirstOrThrow();
  const givenUp = await db
    .selectFrom('reissues')
    .innerJoin('coupons', 'coupons.id', 'reissues.couponId')
    .select(['couponId', 'coupons.merchant', 'reissues.updatedAt as at'])
    .where('state', '=', 'given_up')
    .orderBy('reissues.updatedAt', 'desc')
    .limit(limit)
    .execute();
  return { waiting, givenUp };
}

export async function countMail(db: Database) {
  const counted = await sql<{ waiting: number; failed: number; lastSentAt: Date | null }>`
    select (select count(*) from mail_outbox where sent_at is null and failed_at is null) as waiting,
      (select count(*) from mail_outbox where failed_at is not null) as failed,
      (select max(sent_at) from mail_outbox where sent_at is not null) as last_sent_at`.execute(db);
  return counted.rows[0] ?? { waiting: 0, failed: 0, lastSentAt: null };
}
