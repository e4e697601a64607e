import type { Clock } from '#server/core/clock.ts';
import type { Logger } from '#server/core/log.ts';
import type { ConnectionPool } from './connections.ts';

export interface DatabaseClock {
  readonly clock: Clock;
  close(): void;
}

const EVERY_MS = 60_000;
/** An answer that takes longer than this is too inexact to set the clock by. */
const SLOW_MS = 1_000;
/** A correction of this size is logged. */
const NOTABLE_MS = 5_000;

/**
 * Opens a clock that follows the database's, which all processes share. A process with a wrong clock would release money
 * and end deals and sessions at the wrong time. Between two readings it counts the time that has passed, without the
 * machine's clock. After the machine was asleep, it reads the database's clock again.
 * @throws AppError unavailable
 */
export async function openDatabaseClock(
  pool: Pick<ConnectionPool, 'query'>,
  log: Logger,
): Promise<DatabaseClock> {
  async function look() {
    const asked = performance.now();
    const { rows } = await pool.query<{ ms: number }>(
      'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
    );
    const answered = performance.now();
    return { aheadMs: (rows[0]?.ms ?? Number.NaN) - (asked + answered) / 2, tookMs: answered - asked };
  }

  let { aheadMs } = await look();
  const ownMs = Date.now() - performance.now() - aheadMs;
  if (Math.abs(ownMs) > NOTABLE_MS)
    log.warn(
      { aheadMs: Math.round(ownMs) },
      'this machine’s clock differs from the database’s, which counts',
    );

  async function correct(): Promise<void> {
    const found = await look().catch(() => null);
    if (!found || found.tookMs > SLOW_MS) return;
    const movedMs = found.aheadMs - aheadMs;
    if (Math.abs(movedMs) > NOTABLE_MS)
      log.warn({ movedMs: Math.round(movedMs) }, 'the clock of the database was set, or this machine slept');
    aheadMs = found.aheadMs;
  }

  // `performance.now()` stands still while the machine sleeps; `Date.now()` does not.
  let seen = Date.now() - performance.now();
  function now(): Date {
    const own = Date.now() - performance.now();
    if (Math.abs(own - seen) > NOTABLE_MS) {
      seen = own;
      void correct();
    }
    return new Date(aheadMs + performance.now());
  }

  const timer = setInterval(correct, EVERY_MS).unref();
  return { clock: now, close: () => clearInterval(timer) };
}
