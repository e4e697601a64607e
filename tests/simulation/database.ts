import pg from 'pg';
import { AppError } from '#server/core/errors.ts';
import { type Connection, type ConnectionPool, queryOver } from '#server/database/connections.ts';
import { ProgramDied, type Scheduler } from './scheduler.ts';

/** What may happen to a statement: the line breaks before it arrives, or before its answer does, or the program dies. */
const FAULTS = [
  ...Array.from({ length: 4 }, () => ['line breaks before', 'line breaks after']).flat(),
  ...['program dies before', 'program dies after'],
];

/** Whether a program still runs, and what ends it. */
export interface Life {
  readonly isOver: () => boolean;
  /** Resolves when the server has rolled back what the program had open. */
  readonly end: () => Promise<void>;
  /** Is told of a statement that waited for another one, which waited for it. */
  readonly deadlock: (told: string) => void;
}

const unavailable = () =>
  new AppError('unavailable', 'The simulated line to the database broke', { retryAfter: 2 });

/** Never comes: whoever waits for it has died. */
const never = () => new Promise<never>(() => {});

const textOf = (statement: string | pg.QueryConfig | pg.QueryArrayConfig) =>
  (typeof statement === 'string' ? statement : statement.text).replace(/\s+/g, ' ').trim().slice(0, 60);

/**
 * The way of one program to the database: each statement is a step of the scheduler. Where its line breaks, the program
 * learns what the real pool would tell it.
 */
export function scheduledPool(real: ConnectionPool, scheduler: Scheduler, life: Life): ConnectionPool {
  const open = new Set<Connection>();
  let latest: Promise<unknown> = Promise.resolve();

  async function connect(): Promise<Connection> {
    if (life.isOver()) return never();
    // In the order in which they were asked for, however long each takes: their first steps follow from it.
    const connecting = latest.then(() =>
      scheduler.besides(async () => {
        const connection = await real.connect();
        const { rows } = await connection.query<{ backend: number }>('select pg_backend_pid() as backend');
        return { connection, backend: rows[0]?.backend ?? 0 };
      }),
    );
    latest = connecting.catch(() => {});
    const { connection, backend } = await connecting;
    let isLost = false;
    open.add(connection);
    const lose = () => {
      if (!open.delete(connection)) return;
      isLost = true;
      connection.release(true);
    };

    const query: Connection['query'] = (statement, values) => {
      if (life.isOver()) return never();
      return scheduler.step(
        { label: textOf(statement), faults: FAULTS, backend, isOver: life.isOver },
        async (fault) => {
          if (isLost || !open.has(connection)) throw unavailable();
          if (fault === 'program dies before') {
            await life.end();
            throw new ProgramDied();
          }
          if (fault === 'line breaks before') {
            lose();
            throw unavailable();
          }
          const answer = await connection.query<never>(statement, values).catch((error: unknown) => {
            if (error instanceof pg.DatabaseError && error.code === '40P01')
              life.deadlock(`${textOf(statement)} ${error.where}`);
            throw error;
          });
          if (fault === 'program dies after') {
            await life.end();
            throw new ProgramDied();
          }
          if (fault === 'line breaks after') {
            lose();
            throw unavailable();
          }
          return answer;
        },
      );
    };

    return {
      query,
      async begin(modes) {
        if (life.isOver()) return never();
        if (isLost) throw unavailable();
        await scheduler.besides(() => connection.begin(modes));
      },
      release(isUnfit) {
        if (open.delete(connection)) connection.release(isUnfit);
      },
    };
  }

  return {
    get totalCount() {
      return real.totalCount;
    },
    get idleCount() {
      return real.idleCount;
    },
    get waitingCount() {
      return real.waitingCount;
    },
    connect,
    query: queryOver(connect),
    end: () => real.end(),
  };
}
