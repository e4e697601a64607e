import { connect } from 'node:net';
import type pg from 'pg';

declare module 'pg' {
  interface ClientBase {
    /** The process id that the other end gave when the connection opened. A pooler makes up its own. */
    readonly processID: number | null;
    /** The key that cancels a statement. */
    readonly secretKey: number | null;
  }
}

/** The server's limits in milliseconds; 0 means none. */
export interface ServerLimits {
  readonly statement_timeout: number;
  readonly lock_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
}

const LIMIT_NAMES = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const;

/**
 * Separates the limits that an address sets from the address. In the address they would be startup parameters, which
 * poolers refuse.
 */
export function readAddress(url: string): {
  readonly address: string;
  readonly limits: Partial<ServerLimits>;
} {
  const rest = new URL(url);
  const given = LIMIT_NAMES.filter((name) => rest.searchParams.has(name));
  const limits = Object.fromEntries(given.map((name) => [name, Number(rest.searchParams.get(name))]));
  for (const name of given) rest.searchParams.delete(name);
  return { address: given.length > 0 ? rest.href : url, limits };
}

/** Sets how values are written, whatever the server, the database or the role is set to. */
export const FORMATS = { datestyle: 'ISO', timezone: 'UTC' } as const;

/**
 * Sets the limits and formats of a new connection if it is a session of the server. Behind a pooler in transaction mode
 * the next statement may run in another session, and other programs would get these limits. There `begin` sets them.
 * @returns whether it is a session, and whether the server is a standby, as far as that can be known
 */
export async function limitSession(
  client: pg.ClientBase,
  limits: ServerLimits,
  withinMs: number | undefined,
): Promise<{ readonly isSession: boolean; readonly isStandby: boolean }> {
  const settings = { ...Object.fromEntries(LIMIT_NAMES.map((name) => [name, limits[name]])), ...FORMATS };
  const sets = Object.keys(settings).map((name, at) => `set_config('${name}', $${at + 2}, false)`);
  const { rows } = await client.query<{ isStandby: boolean }>({
    // One statement: it cannot run in two sessions.
    text: `select pg_is_in_recovery() as "isStandby", ${sets.join(', ')} where pg_backend_pid() = $1`,
    values: [client.processID, ...Object.values(settings).map(String)],
    ...(withinMs !== undefined && { query_timeout: withinMs }),
  });
  return { isSession: rows.length > 0, isStandby: rows[0]?.isStandby ?? false };
}

/** Limits for the rest of a transaction, as statements. */
export function transactionLimits(limits: Partial<ServerLimits>): string {
  const given = LIMIT_NAMES.filter((name) => limits[name] !== undefined);
  return given.map((name) => `; set local ${name} = ${limits[name]}`).join('');
}

const CANCEL_REQUEST = 80_877_102;
const CANCEL_WITHIN_MS = 1_000;

/**
 * Asks the server to cancel a connection's statement, because its client has stopped waiting. Resolves when the request
 * was taken or could not be delivered. A pooler forgets where to send it once the connection itself is closed.
 */
export async function cancelStatement({ host, port, processID, secretKey }: pg.Client): Promise<void> {
  if (processID === null || secretKey === null) return;
  const request = Buffer.alloc(16);
  const fields = [request.length, CANCEL_REQUEST, processID, secretKey];
  for (const [at, field] of fields.entries()) request.writeInt32BE(field, at * 4);
  const line = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  await new Promise<void>((resolve) => {
    line.setTimeout(CANCEL_WITHIN_MS, () => line.destroy());
    line.on('error', () => {});
    line.on('close', () => resolve());
    // The pooler ends it: one that we ended first is forgotten by PgBouncer before it has a connection to send it by.
    line.resume().write(request);
  });
}
