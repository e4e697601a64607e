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
import type { Announcements, Outgoing } from './announcing.ts';
import type { Connection, ConnectionPool } from './connections.ts';

/** Where the driver gets its connections. */
export type ConnectionSource = Pick<ConnectionPool, 'connect'>;

/** A query that pg prepares under its name, if it has one. */
export interface NamedQuery<Row = unknown> extends CompiledQuery<Row> {
  readonly name?: string;
}

/** The statements that change rows, and say how many. */
const CHANGES = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'];

/**
 * Kysely's way to our pool. Kysely's own driver returns a broken connection to the pool, and lets the rollback that
 * fails on it hide what has happened.
 * @param outgoing where to announce, if not in the database
 */
export function createDialect(pool: ConnectionSource, outgoing?: Outgoing): Dialect {
  return {
    createDriver: () => createDriver(pool, outgoing),
    createAdapter: () => new LocklessAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}

/** Kysely would lock the session during migrations; migrate.ts locks its transaction. A class, as Kysely's. */
class LocklessAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

interface CheckedOut {
  readonly connection: Connection;
  readonly announcements: Announcements | undefined;
}

function createDriver(pool: ConnectionSource, outgoing: Outgoing | undefined): Driver {
  const checkedOut = new WeakMap<DatabaseConnection, CheckedOut>();
  return {
    async init() {},
    async acquireConnection() {
      const connection = await pool.connect();
      const announcements = outgoing?.announcements();
      const forKysely = connectionFor(connection, announcements);
      checkedOut.set(forKysely, { connection, announcements });
      return forKysely;
    },
    async beginTransaction(connection, { isolationLevel, accessMode }) {
      const modes = [isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean);
      const own = checkedOut.get(connection);
      await own?.connection.begin(modes.join(' '));
      own?.announcements?.hold();
    },
    async commitTransaction(connection) {
      const announcements = checkedOut.get(connection)?.announcements;
      await connection.executeQuery(CompiledQuery.raw('commit')).catch((error: unknown) => {
        if (!isUnavailable(error)) throw error;
        // It may have happened, and to look again in vain does no harm.
        announcements?.send();
        throw unknownOutcome(error);
      });
      announcements?.send();
    },
    async rollbackTransaction(connection) {
      await connection.executeQuery(CompiledQuery.raw('rollback')).catch((error: unknown) => {
        // The server rolls back what a lost connection has begun: what is told is why the transaction failed.
        if (!isUnavailable(error)) throw error;
      });
    },
    async releaseConnection(connection) {
      checkedOut.get(connection)?.connection.release();
    },
    // Whoever has opened the pool closes it.
    async destroy() {},
  };
}

function connectionFor(connection: Connection, announcements: Announcements | undefined): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters, name }: NamedQuery) {
      const execute = (text: string) =>
        connection.query<Row & pg.QueryResultRow>({ text, ...(name !== undefined && { name }) }, parameters);
      const { command, rowCount, rows } = await (announcements?.query(sql, parameters, execute) ??
        execute(sql));
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

/** A commit whose answer was lost: it has happened, or it has not. No `retryAfter`, which would ask to repeat it. */
function unknownOutcome(cause: unknown): AppError {
  const text = 'The connection broke before we knew whether this was done. Please look before you try again.';
  return new AppError('outcome_unknown', text, { cause });
}
