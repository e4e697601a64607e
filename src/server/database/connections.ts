import { t } from '@lingui/core/macro';
import pg from 'pg';
import { marketName } from '#contract/base/market.ts';
import { AppError } from '#server/core/errors.ts';
import type { Logger } from '#server/core/log.ts';
import { tracedStatement } from '#server/core/tracing.ts';
import {
  cancelStatement,
  limitSession,
  readAddress,
  type ServerLimits,
  transactionLimits,
} from './sessions.ts';
import { isUnlimited, waitWithin } from './time-budget.ts';

/**
 * The longest waits in milliseconds. The server ends a statement at its limit. The client gives up a little later, or
 * when a request has waited that long in all.
 */
export interface TimeLimits extends ServerLimits {
  /** For a connection, new or free. */
  readonly connectionTimeoutMillis: number;
}

/** A connection of the pool, checked out. Its statements fail with AppError unavailable while the database is away. */
export interface Connection {
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
    statement: string | pg.QueryConfig | pg.QueryArrayConfig,
    values?: readonly unknown[],
  ): Promise<pg.QueryResult<Row>>;
  /** Begins a transaction. @param modes such as `read only` */
  begin(modes?: string): Promise<void>;
  /** Gives it back to the pool. A lost or unfit connection is closed instead. */
  release(isUnfit?: boolean): void;
}

export interface ConnectionPool extends Pick<Connection, 'query'> {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  /** @throws AppError unavailable */
  connect(): Promise<Connection>;
  /** Closes its connections, once they have been given back. */
  end(): Promise<void>;
}

/** A pool's `query`: takes a connection for one statement. */
export function queryOver(connect: () => Promise<Connection>): Connection['query'] {
  return async (statement, values) => {
    const connection = await connect();
    let hasFailed = true;
    try {
      const result = await connection.query<never>(statement, values);
      hasFailed = false;
      return result;
    } finally {
      // A text of several statements may have left a transaction open.
      connection.release(hasFailed);
    }
  };
}

/** Seconds after which to try again. A database that was restarted is back by then. */
const RETRY_AFTER = 2;
/** The client waits longer than the server by this, so that the server's own error comes first. Milliseconds. */
export const LATER_MS = 500;

/**
 * Opens a pool of connections that outlives the database. node-postgres leaves this to its user:
 * - A checked-out connection that breaks emits an `error`, which ends the process if nobody listens.
 * - `query_timeout` fails a statement, and leaves its connection waiting for the answer. It is closed here.
 * - When one connection is lost, the idle ones have often died with it and do not know: those that have not answered
 *   since are closed instead of used.
 */
export function openPool(options: {
  url: string;
  max: number;
  types: pg.CustomTypesConfig;
  limits: TimeLimits;
  /** Whether to prepare named statements; undefined means only where a connection is a session of the server. */
  prepares: boolean | undefined;
  /** Whether it may be a standby. */
  isReplica: boolean;
  log: Logger | undefined;
}): ConnectionPool {
  const { url, max, types, prepares, isReplica, log } = options;
  const { address, limits: ofAddress } = readAddress(url);
  const limits = { ...options.limits, ...ofAddress };
  const statementMs = limits.statement_timeout || undefined;
  const pool = new pg.Pool({
    connectionString: address,
    max,
    types,
    application_name: 'clipswap',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: limits.connectionTimeoutMillis,
  });
  /** Counts lost connections. `heardAt` has the count of when each connection last answered. */
  let losses = 0;
  const heardAt = new WeakMap<pg.ClientBase, number>();
  const lost = new WeakSet<pg.ClientBase>();
  /** Requests to a pooler to cancel a statement. */
  const cancelled = new WeakMap<pg.ClientBase, Promise<void>>();
  /** Whether each connection is a session of the server, not of a pooler. */
  const sessions = new WeakMap<pg.ClientBase, boolean>();
  let ended: Promise<void> | undefined;

  pool.on('connect', (client) => {
    heardAt.set(client, losses);
    client.on('error', (error) => lose(client, error));
  });
  // The listener above has heard the errors of idle connections.
  pool.on('error', () => {});

  function lose(client: pg.ClientBase, error: unknown): void {
    if (lost.has(client)) return;
    lost.add(client);
    losses += 1;
    // Once the pool has ended, the server may go before the connections do.
    if (!ended) log?.warn({ err: error }, 'a database connection was lost');
  }

  async function close(client: pg.PoolClient): Promise<void> {
    await cancelled.get(client);
    client.release(true);
    // An orderly end would wait for an answer.
    client.connection.stream.destroy();
  }

  async function checkOut(left: number | undefined): Promise<pg.PoolClient> {
    for (;;) {
      const client = await within(pool.idleCount > 0 ? undefined : left, pool.connect());
      if (heardAt.get(client) !== losses) {
        await close(client);
        continue;
      }
      if (sessions.has(client)) return client;
      try {
        const { isSession, isStandby } = await limitSession(client, limits, left);
        if (isStandby && !isReplica) throw new Error(STANDBY);
        sessions.set(client, isSession);
        return client;
      } catch (error) {
        if (isLoss(error)) lose(client, error);
        await close(client);
        throw error;
      }
    }
  }

  async function ask<Row extends pg.QueryResultRow>(
    client: pg.PoolClient,
    config: pg.QueryConfig,
    left: number | undefined,
  ): Promise<pg.QueryResult<Row>> {
    try {
      if (left !== undefined && left <= 0) throw new Error('The time for the database is used up');
      const { name, ...unnamed } = config;
      const limited = {
        ...unnamed,
        ...((prepares ?? sessions.get(client)) && name !== undefined && { name }),
        ...(left !== undefined && { query_timeout: left }),
      };
      const result = await tracedStatement(config.text, () => client.query<Row>(limited));
      heardAt.set(client, losses);
      return result;
    } catch (error) {
      if (isStalePlan(error)) {
        // Its other plans are as old, so the connection is not used again.
        lost.add(client);
        if (client.getTransactionStatus() === 'I') return ask(client, { ...config, name: undefined }, left);
      }
      // In a session, the server's own limit has ended it.
      if (isReadTimeout(error) && !sessions.get(client)) cancelled.set(client, cancelStatement(client));
      if (isLoss(error)) lose(client, error);
      else heardAt.set(client, losses);
      throw asUnavailable(error);
    }
  }

  /** The limits that a transaction of this connection does not have yet. */
  function beginLimits(client: pg.ClientBase): Partial<ServerLimits> {
    return { ...(!sessions.get(client) && limits), ...(isUnlimited() && { statement_timeout: 0 }) };
  }

  async function connect(): Promise<Connection> {
    const client = await waitWithin(limits.connectionTimeoutMillis, checkOut).catch((error: unknown) => {
      throw asUnavailable(error);
    });
    const query: Connection['query'] = (statement, values) => {
      const config = typeof statement === 'string' ? { text: statement } : statement;
      const given = { ...config, ...(values && { values: [...values] }) };
      if (statementMs === undefined) return ask(client, given, undefined);
      return waitWithin(statementMs + LATER_MS, (left) => ask(client, given, left));
    };
    return {
      query,
      async begin(modes = '') {
        await query(`begin ${modes}${transactionLimits(beginLimits(client))}`.trimEnd());
      },
      release(isUnfit = false) {
        if (isUnfit || lost.has(client)) void close(client);
        else client.release();
      },
    };
  }

  return {
    get totalCount() {
      return pool.totalCount;
    },
    get idleCount() {
      return pool.idleCount;
    },
    get waitingCount() {
      return pool.waitingCount;
    },
    connect,
    query: queryOver(connect),
    end() {
      ended ??= pool.end();
      return ended;
    },
  };
}

/** Waits for a connection up to `ms` milliseconds. A connection that comes later goes back to the pool. */
async function within(ms: number | undefined, connecting: Promise<pg.PoolClient>): Promise<pg.PoolClient> {
  if (ms === undefined) return connecting;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      connecting.then(
        (client) => client.release(),
        () => {},
      );
      reject(new Error('timeout exceeded when trying to connect'));
    }, ms);
  });
  try {
    return await Promise.race([connecting, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** After a failover, an address may still lead to the old primary. Such a connection would refuse every write. */
const STANDBY = 'The address of the database leads to a standby, which takes no writes';

/** Codes of the socket's errors, and texts of node-postgres' own errors, which have no codes. */
const LINE_CODES = /^(E(CONN|PIPE|PROTO|TIMEDOUT|HOST|NET|NOTFOUND|AI_)|ERR_(STREAM|SOCKET|SSL))/;
const LINE_TEXTS =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (has encountered a connection error|was closed)|The time for the database is used up)/;
/** Errors of a server that cannot prove its identity or has no TLS. */
const CERTIFICATE_CODES = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|ERR_TLS_)/;
const TLS_TEXTS = /^(The server does not support SSL|There was an error establishing an SSL)/;

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Whether a migration has changed the columns since the statement was named. */
export function isStalePlan(error: unknown): boolean {
  // The message is in the language of the server; the routine's name is not.
  return error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';
}

/** Whether node-postgres has stopped waiting for an answer. */
function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Whether a connection broke, is silent, or was closed by the server. */
function isLoss(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    // Class 08; shutdowns and crashes; a session that was idle for too long.
    return error.severity === 'FATAL' || /^(08|57P|25P0[34])/.test(codeOf(error));
  }
  return error instanceof Error && (LINE_CODES.test(codeOf(error)) || LINE_TEXTS.test(error.message));
}

function isDistrust(error: unknown): boolean {
  return CERTIFICATE_CODES.test(codeOf(error)) || (error instanceof Error && TLS_TEXTS.test(error.message));
}

/** Whether the database could not do its work: also out of disk, memory or connections, read-only, or too slow. */
function isOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError && /^(53|57|55P03|25006|58)/.test(codeOf(error))) return true;
  return isLoss(error) || isDistrust(error) || (error instanceof Error && error.message === STANDBY);
}

function asUnavailable(error: unknown): unknown {
  if (!isOutage(error)) return error;
  const text = t`${{ market: marketName() }} is not available right now. Please try again in a moment.`;
  return new AppError('unavailable', text, { retryAfter: RETRY_AFTER, cause: error });
}

/** Class 28 is a wrong role or password, 3D a missing database. Waiting does not help. */
const SETTINGS_AT_FAULT = /^(28|3D)/;

/** Whether something failed because the database was away. It may come back. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AppError && error.code === 'unavailable')
    return !SETTINGS_AT_FAULT.test(codeOf(error.cause)) && !isDistrust(error.cause);
  return isAway(error.cause);
}
