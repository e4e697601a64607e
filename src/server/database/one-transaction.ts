import {
  CamelCasePlugin,
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  PostgresDriver,
} from 'kysely';
import type pg from 'pg';
import type { Database } from './client.ts';
import type { DB } from './types.ts';

/**
 * Runs `work` with a database whose transactions are all parts of one, so that everything is kept or nothing. Its
 * calls must be sequential. There are no time limits, so that a second process can wait for the first.
 */
export async function inOneTransaction<Result>(
  pool: pg.Pool,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('set local lock_timeout = 0; set local statement_timeout = 0');
    const result = await work(nestedDatabase(client));
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    // The server rolls back the open transaction of a closed connection.
    client.release(true);
    throw error;
  }
}

/** A database over one connection with an open transaction. Inner transactions become savepoints. */
export function nestedDatabase(client: pg.ClientBase): Database {
  const lent = { query: client.query.bind(client), release: () => {} };
  const config = { pool: { connect: async () => lent, end: async () => {} } };
  const run = (statement: string) => async (connection: DatabaseConnection) => {
    await connection.executeQuery(CompiledQuery.raw(statement));
  };
  const driver = Object.assign(new PostgresDriver(config), {
    beginTransaction: run('savepoint act'),
    commitTransaction: run('release savepoint act'),
    rollbackTransaction: run('rollback to savepoint act'),
    releaseConnection: async () => {},
  });
  const dialect = Object.assign(new PostgresDialect(config), { createDriver: () => driver });
  return new Kysely<DB>({ dialect, plugins: [new CamelCasePlugin()] });
}
