import { setTimeout as sleep } from 'node:timers/promises';
import { CamelCasePlugin, Kysely, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { AppError } from '#server/core/errors.ts';
import { type LiveSignal, type SignalBroker, writeSignals } from '#server/core/live.ts';
import type { Logger } from '#server/core/log.ts';
import { type ConnectionPool, isStalePlan, openPool, type TimeLimits } from './connections.ts';
import { type ConnectionSource, createDialect } from './driver.ts';
import type { DB } from './types.ts';

export interface Database extends Kysely<DB> {
  /** Sends live events after a commit. Without it they go out with the transaction, by NOTIFY. */
  readonly sendSignals?: (signals: readonly LiveSignal[]) => void;
}

/** A transaction that `inTransaction` has opened. */
export interface Trx extends Transaction<DB> {
  /** Live events that go out when it commits. */
  readonly signals: LiveSignal[];
}

/** The channel of NOTIFY for live events. */
export const LIVE_CHANNEL = 'clipswap_live';

export interface DatabaseHandle {
  readonly db: Database;
  readonly pool: ConnectionPool;
  close(): Promise<void>;
}

// PostgreSQL takes the day of a moment from its text. Sent in UTC, it is not the day of the machine's time zone.
pg.defaults.parseInputDatesAsUTC = true;

/** Reads int8 (counts) as numbers, and dates as 'YYYY-MM-DD', which no time zone can shift. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`bigint out of range: ${text}`);
  return number;
});
types.setTypeParser(pg.types.builtins.DATE, (text) => text);
// V8 reads what PostgreSQL writes in a fourth of the time that node-postgres takes.
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text));

/** Time limits in milliseconds. */
const LIMITS: TimeLimits = {
  connectionTimeoutMillis: 5_000,
  statement_timeout: 5_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 10_000,
};

/**
 * Opens the database. No caller waits for it without end, and a lost connection ends no process.
 * @param options.broker carries live events instead of NOTIFY
 * @param options.isReplica whether it may be a standby; otherwise a standby counts as unavailable
 * @param options.prepares whether a pooler on the way keeps prepared statements apart; with false, none are prepared
 */
export function createDatabase(options: {
  url: string;
  poolSize: number;
  log?: Logger;
  limits?: TimeLimits;
  prepares?: boolean | undefined;
  isReplica?: boolean;
  broker?: SignalBroker | undefined;
}): DatabaseHandle {
  const { url, poolSize: max, log, limits = LIMITS, prepares, isReplica = false, broker } = options;
  const pool = openPool({ url, max, types, limits, prepares, isReplica, log });
  const plain = databaseOver(pool);
  const underWay = new Set<Promise<void>>();

  /** Nobody waits for the broker. What it does not take goes out by NOTIFY. */
  function sendSignals(signals: readonly LiveSignal[]): void {
    const sending = Promise.resolve(broker?.publish(writeSignals(signals)))
      .catch(() => notify(plain, signals))
      .catch((error: unknown) => log?.warn({ err: error }, 'live events were lost'))
      .finally(() => underWay.delete(sending));
    underWay.add(sending);
  }

  return {
    db: broker ? Object.assign(plain, { sendSignals }) : plain,
    pool,
    async close() {
      await Promise.all(underWay);
      // Not `db.destroy()`: that closes nothing if nobody has used `db`.
      await pool.end();
    },
  };
}

async function notify(db: Kysely<DB>, signals: readonly LiveSignal[]): Promise<void> {
  await sql`select pg_notify(${LIVE_CHANNEL}, text) from unnest(${writeSignals(signals)}::text[]) as text`.execute(
    db,
  );
}

/** Names tables and columns in camelCase. Keys inside JSON stay as they are. */
export const COLUMN_NAMES = new CamelCasePlugin({ maintainNestedObjectKeys: true });

/** A database over connections of any kind. */
export function databaseOver(source: ConnectionSource): Database {
  return new Kysely<DB>({ dialect: createDialect(source), plugins: [COLUMN_NAMES] });
}

const RETRIES = 3;

/** Whether to try again: after serialization failures, deadlocks, and plans from before a migration. */
function isTransient(error: unknown): boolean {
  const isRace = error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01');
  return isRace || isStalePlan(error);
}

/**
 * Runs `work` in one transaction. Retries it up to three times after serialization failures and deadlocks. Live events of
 * `trx.signals` go out with the commit, or directly after it where a broker carries them.
 */
export async function inTransaction<Result>(
  db: Database,
  work: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const signals: LiveSignal[] = [];
    try {
      const result = await db.transaction().execute(async (transaction) => {
        const trx = Object.assign(transaction, { signals });
        const result = await work(trx);
        if (!db.sendSignals && signals.length > 0) await notify(trx, signals);
        return result;
      });
      if (signals.length > 0) db.sendSignals?.(signals);
      return result;
    } catch (error) {
      // It may have been committed. An event too many does no harm.
      if (error instanceof AppError && error.code === 'outcome_unknown') db.sendSignals?.(signals);
      if (!isTransient(error) || attempt > RETRIES) throw error;
      await sleep(attempt * 10 * Math.random());
    }
  }
}

/** Whether a statement failed because the database does not know a name that was given to it, such as a time zone. */
export function isUnknownParameter(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '22023';
}

/** Whether a write violated a unique index (that of `constraint`, if given). */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === '23505' &&
    (constraint === undefined || error.constraint === constraint)
  );
}

/** Awaits a write; throws `refusal` if it violates the unique index `constraint`. */
export async function refuseDuplicate<Result>(
  write: Promise<Result>,
  constraint: string,
  refusal: (cause: unknown) => Error,
): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    throw isUniqueViolation(error, constraint) ? refusal(error) : error;
  }
}
