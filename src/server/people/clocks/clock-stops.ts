import { addDays, addHours } from '#server/core/clock.ts';
import { type Database, inTransaction, type Trx } from '#server/database/client.ts';

/** What keeps people from acting. */
export type ClockCause = 'suspended' | 'banned' | 'outage';

/** Who can act again has at least these hours, whatever time it was when they could no longer. */
const GRACE_HOURS = 72;
/** A clock without a known end stands still for so long at most. */
const STOPPED_MAX_DAYS = 60;
/** Deadlines are looked at every minute; a gap of this length is an outage. */
const OUTAGE_MINUTES = 30;

/**
 * Stops a person's clock from `at` until `until` is known: see deadlines-sql.ts. A stop that begins before the last one is
 * clear continues it, so that no deadline slips through between the two.
 */
export async function stopClock(
  trx: Trx,
  stop: { userId: number; cause: Exclude<ClockCause, 'outage'>; at: Date; until?: Date | null },
): Promise<void> {
  const { userId, cause, at, until } = stop;
  const clearAt = addHours(until ?? addDays(at, STOPPED_MAX_DAYS), GRACE_HOURS);
  const continued = await trx
    .updateTable('clockStops')
    .set({ clearAt })
    .where('userId', '=', userId)
    .where('cause', '=', cause)
    .where('clearAt', '>', at)
    .returning('id')
    .executeTakeFirst();
  if (!continued) await trx.insertInto('clockStops').values({ userId, cause, since: at, clearAt }).execute();
}

/** A person can act again: their deadlines pass in GRACE_HOURS at the earliest. */
export async function resumeClock(
  db: Database | Trx,
  { userId, cause, at }: { userId: number; cause: Exclude<ClockCause, 'outage'>; at: Date },
): Promise<void> {
  const clearAt = addHours(at, GRACE_HOURS);
  await db
    .updateTable('clockStops')
    .set({ clearAt })
    .where('userId', '=', userId)
    .where('cause', '=', cause)
    .where('clearAt', '>', clearAt)
    .execute();
}

/**
 * Notes that the market is up. If it has not been for a while, all clocks stood still, and everybody has as long again as
 * that lasted, but no more than GRACE_HOURS. Called by the jobs that end what is due, before they do.
 */
export async function feelPulse(db: Database, at: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    const last = await trx.selectFrom('marketPulse').select('beatAt').forUpdate().executeTakeFirst();
    await trx
      .insertInto('marketPulse')
      .values({ beatAt: at })
      .onConflict((conflict) => conflict.column('isOnly').doUpdateSet({ beatAt: at }))
      .execute();
    if (!last || last.beatAt > addHours(at, -OUTAGE_MINUTES / 60)) return;
    const grace = Math.min(at.getTime() - last.beatAt.getTime(), GRACE_HOURS * 3_600_000);
    const outage = { since: last.beatAt, clearAt: new Date(at.getTime() + grace) };
    await trx
      .insertInto('clockStops')
      .values({ userId: null, cause: 'outage', ...outage })
      .execute();
  });
}
