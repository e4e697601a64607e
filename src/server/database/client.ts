import { setTimeout as sleep } from 'node:timers/promises';
import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Logger } from '#server/core/log.ts';
import type { DB } from './types.ts';

export type Database = Kysely<DB>;
export type Trx = Transaction<DB>;

export interface DatabaseHandle {
  readonly db: Database;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** int8 (counts) as numbers; calendar days as 'YYYY-MM-DD', which no time zone can shift. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`bigint out of range: ${text}`);
  return number;
});
types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** What nobody has to wait longer for, in milliseconds. */
const LIMITS = {
  connectionTimeoutMillis: 5_000,
  statement_timeout: 5_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 10_000,
};

/** Opens a pool of connections, each with time limits, so that nothing waits without end. */
export function createDatabase(options: {
  url: string;
  poolSize: number;
  log?: Logger;
  limits?: typeof LIMITS;
}): DatabaseHandle {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    types,
    application_name: 'clipswap',
    ...(options.limits ?? LIMITS),
  });
  // An idle connection that the server closes is replaced at the next call; unheard, the event ends the process.
  pool.on('error', (error) => options.log?.warn({ err: error }, 'a database connection was lost'));
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
  return { db, pool, close: () => db.destroy() };
}

const RETRIES = 3;

/** Serialization failure and deadlock: PostgreSQL asks to try again. */
function isTransient(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01');
}

/** Runs `work` in one transaction: all of it or nothing. Tried again, up to three times, where PostgreSQL asks. */
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

/** Whether a write failed because a unique index (that of `constraint`, if named) already holds its value. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === '23505' &&
    (constraint === undefined || error.constraint === constraint)
  );
}

/** A write; what the unique index `constraint` keeps it from is refused with `refusal` instead. */
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
