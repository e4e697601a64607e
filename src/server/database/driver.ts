import { t } from '@lingui/core/macro';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type pg from 'pg';
import { AppError } from '#server/core/errors.ts';
import type { Connection, ConnectionPool } from './connections.ts';

/** Where the driver gets its connections. */
export type ConnectionSource = Pick<ConnectionPool, 'connect'>;

/** A query that pg prepares under its name, if it has one. */
export interface NamedQuery<Row = unknown> extends CompiledQuery<Row> {
  readonly name?: string;
}

/** The commands whose answer says how many rows they changed. */
const CHANGES = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'];

/**
 * Connects Kysely with our pool. Kysely's own driver returns a broken connection to the pool, and the rollback that fails
 * on it hides the first error.
 */
export function createDialect(pool: ConnectionSource): Dialect {
  return {
    createDriver: () => createDriver(pool),
    createAdapter: () => new LocklessAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}

/** Takes no lock for migrations, because migrate.ts locks its transaction. Kysely would lock the session. */
class LocklessAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

function createDriver(pool: ConnectionSource): Driver {
  const checkedOut = new WeakMap<DatabaseConnection, Connection>();
  return {
    async init() {},
    async acquireConnection() {
      const connection = await pool.connect();
      const forKysely = connectionFor(connection);
      checkedOut.set(forKysely, connection);
      return forKysely;
    },
    async beginTransaction(connection, { isolationLevel, accessMode }) {
      const modes = [isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean);
      await checkedOut.get(connection)?.begin(modes.join(' '));
    },
    async commitTransaction(connection) {
      await connection.executeQuery(CompiledQuery.raw('commit')).catch((error: unknown) => {
        throw isUnavailable(error) ? unknownOutcome(error) : error;
      });
    },
    async rollbackTransaction(connection) {
      await connection.executeQuery(CompiledQuery.raw('rollback')).catch((error: unknown) => {
        // The server rolls back the transaction of a lost connection. The caller gets the error that came first.
        if (!isUnavailable(error)) throw error;
      });
    },
    async releaseConnection(connection) {
      checkedOut.get(connection)?.release();
    },
    // The code that opened the pool closes it.
    async destroy() {},
  };
}

function connectionFor(connection: Connection): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters, name }: NamedQuery) {
      const statement = { text: sql, ...(name !== undefined && { name }) };
      const { command, rowCount, rows } = await connection.query<Row & pg.QueryResultRow>(
        statement,
        parameters,
      );
      return CHANGES.includes(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
    },
    // biome-ignore lint/correctness/useYield: Kysely asks for a generator.
    async *streamQuery() {
      throw new Error('Rows are read in pages here, not streamed');
    },
  };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}

/** The error of a commit whose answer was lost, so that nobody knows its outcome. `retryAfter` would ask to repeat it. */
function unknownOutcome(cause: unknown): AppError {
  const text = t`The connection broke before we knew whether this worked. Please check before you try again.`;
  return new AppError('outcome_unknown', text, { cause });
}
