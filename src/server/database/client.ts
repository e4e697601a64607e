import { setTimeout as sleep } from 'node:timers/promises';
import { CamelCasePlugin, Kysely, type Transaction } from 'kysely';
import pg from 'pg';
import type { SignalBroker } from '#server/core/live.ts';
import type { Logger } from '#server/core/log.ts';
import { createOutgoing, type Outgoing } from './announcing.ts';
import { type ConnectionPool, isStalePlan, openPool, type TimeLimits } from './connections.ts';
import { type ConnectionSource, createDialect } from './driver.ts';
import type { DB } from './types.ts';

export type Database = Kysely<DB>;
export type Trx = Transaction<DB>;

export interface DatabaseHandle {
  readonly db: Database;
  readonly pool: ConnectionPool;
  close(): Promise<void>;
}

// A moment is sent in UTC: the day of it is taken from its text, and must not be that of the machine's time zone.
pg.defaults.parseInputDatesAsUTC = true;

/** Returns int8 (counts) as numbers, and dates as 'YYYY-MM-DD', which no time zone can shift. */
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
 * Opens the database: nothing waits for it without end, and nothing ends with it.
 * @param options.broker carries what is announced, instead of NOTIFY
 * @param options.isReplica whether a standby will do; else it counts as a database that is away
 * @param options.prepares whether a pooler on the way keeps prepared statements apart; false: none are prepared
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
  const outgoing = broker && createOutgoing({ broker, pool, log });
  const db = databaseOver(pool, outgoing);
  return {
    db,
    pool,
    async close() {
      await outgoing?.settle();
      // Not `db.destroy()`: that closes nothing if nobody has used `db`.
      await pool.end();
    },
  };
}

/** Names tables and columns in camelCase. Keys inside JSON stay as they are. */
export const COLUMN_NAMES = new CamelCasePlugin({ maintainNestedObjectKeys: true });

/** A database over connections of any kind. */
export function databaseOver(source: ConnectionSource, outgoing?: Outgoing): Database {
  return new Kysely<DB>({
    dialect: createDialect(source, outgoing),
    plugins: [COLUMN_NAMES],
  });
}

const RETRIES = 3;

/** Serialization failures and deadlocks, for which PostgreSQL asks to try again, and plans from before a migration. */
function isTransient(error: unknown): boolean {
  const isRace = error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01');
  return isRace || isStalePlan(error);
}

/** Runs `work` in one transaction. Retries it up to three times after serialization failures and deadlocks. */
export async function inTransaction<Result>(
  db: Database,
  work: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (!isTransient(error) || attempt > RETRIES) throw error;
      await sleep(attempt * 10 * Math.random());
    }
  }
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
