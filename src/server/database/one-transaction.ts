import { CompiledQuery, type DatabaseConnection, Kysely } from 'kysely';
import { COLUMN_NAMES, type Database } from './client.ts';
import type { Connection, ConnectionPool } from './connections.ts';
import { createDialect } from './driver.ts';
import { withStatementLimit } from './time-budget.ts';
import type { DB } from './types.ts';

/**
 * Runs `work` with a database whose transactions are all parts of one, so that all of them are kept or none. It has no
 * time limits, so that a second process can wait for the first.
 */
export function inOneTransaction<Result>(
  pool: ConnectionPool,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  return withStatementLimit(null, () => runInOne(pool, work));
}

async function runInOne<Result>(
  pool: ConnectionPool,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.begin();
    await client.query('set local lock_timeout = 0');
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

/**
 * A database over one connection with an open transaction. Inner transactions become savepoints and run one after the
 * other.
 */
export function nestedDatabase(client: Pick<Connection, 'query'>): Database {
  let returned = Promise.resolve();
  async function lend(): Promise<Connection> {
    const before = returned;
    let release = () => {};
    returned = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return {
      query: (statement, values) => client.query<never>(statement, values),
      async begin() {
        await client.query('savepoint act');
      },
      release,
    };
  }
  const dialect = createDialect({ connect: lend });
  const run = (statement: string) => async (connection: DatabaseConnection) => {
    await connection.executeQuery(CompiledQuery.raw(statement));
  };
  const driver = {
    ...dialect.createDriver(),
    commitTransaction: run('release savepoint act'),
    rollbackTransaction: run('rollback to savepoint act'),
  };
  return new Kysely<DB>({
    dialect: { ...dialect, createDriver: () => driver },
    plugins: [COLUMN_NAMES],
  });
}
