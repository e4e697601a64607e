import { readFile, realpath } from 'node:fs/promises';
import { createServer, Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '#server/core/log.ts';
import {
  type Cluster,
  createCluster,
  findPostmaster,
  halt,
  hasCluster,
  launch,
  type Postmaster,
} from './embedded-cluster.ts';
import { findPlace } from './embedded-place.ts';

/** The PostgreSQL that comes with the program. */
export interface EmbeddedPostgres {
  /** The URL of the database `clipswap`; its role may create more. Stays the same until the program ends. */
  readonly url: string;
  /** Leaves the server; the last process to leave stops it. */
  stop(): Promise<void>;
}

interface Membership {
  readonly postmaster: Postmaster;
  /** An open session with a shared lock: while it exists, the server is in use. */
  readonly lease: pg.Client;
  readonly socket: Socket;
}

/** A server that reports itself ready but does not answer for this long is restarted. */
const ANSWERS_WITHIN_MS = 20_000;
/** Recovery after a crash may take this long. */
const GIVE_UP_MS = 90_000;
/**
 * The key of the advisory lock: held shared by all processes that use the server, exclusively by the one that stops it.
 */
const LEASE = 7_276_543;

/**
 * Starts PostgreSQL in `<dataDir>/postgres`, or joins the server that already runs there, for example for another process
 * or after a process was killed. A server that dies is started again at the same address.
 *
 * Several processes may use one folder. Each holds a lease (a shared lock in the server, released when its process
 * ends), and only the last to leave stops the server.
 * @param given.isDisposable whether its data may be lost in a crash of the machine
 * @throws Error that says what to do
 */
export async function startEmbeddedPostgres(given: {
  dataDir: string;
  log: Logger;
  isDisposable?: boolean;
}): Promise<EmbeddedPostgres> {
  const { log, isDisposable = false } = given;
  const cluster = { ...(await openCluster(path.resolve(given.dataDir), log)), isDisposable };
  let membership = await join(cluster);
  const { port } = membership.postmaster;
  log.debug({ port, folder: cluster.data }, 'the embedded database is ready');
  const stopping = new AbortController();
  let rejoining: Promise<void> = Promise.resolve();

  const watch = () =>
    membership.lease.once('end', () => {
      if (!stopping.signal.aborted) rejoining = rejoin();
    });

  async function rejoin(): Promise<void> {
    log.warn('the embedded database went away; starting it again');
    for (let wait = 500; !stopping.signal.aborted; wait = Math.min(wait * 2, 2_000)) {
      try {
        membership = await join(cluster, port);
        if (membership.postmaster.port === port) log.info('the embedded database is back');
        else log.fatal('another process has moved the embedded database: start this one again');
        watch();
        return;
      } catch (error) {
        log.error({ err: error }, 'the embedded database does not start');
        await sleep(wait, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await rejoining;
    await leave(cluster, membership, log);
  }

  watch();
  let stopped: Promise<void> | undefined;
  return {
    url: urlOf(cluster, port, 'clipswap'),
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

async function openCluster(dataDir: string, log: Logger): Promise<Omit<Cluster, 'isDisposable'>> {
  const folder = path.join(dataDir, 'postgres');
  const place = await findPlace(path.join(folder, 'data'));
  const unreadable = (cause: unknown) => {
    const text = `The database in ${folder} cannot be read (${messageOf(cause)}). Start ClipSwap as the user who started it first.`;
    throw new Error(text, { cause });
  };
  if (!(await hasCluster(folder).catch(unreadable))) {
    await createCluster(folder, place).catch((cause: unknown) => {
      const text = `The database could not be made in ${folder} (${messageOf(cause)}). If something else is in its place, move it away.`;
      throw new Error(text, { cause });
    });
  }
  const home = await realpath(folder);
  if (home !== path.join(await realpath(dataDir), 'postgres')) {
    log.info({ folder: home }, 'PostgreSQL may not enter the data folder: the database lives elsewhere');
  }
  const data = path.join(home, 'data');
  const [password, major] = await Promise.all(
    [path.join(home, 'password'), path.join(data, 'PG_VERSION')].map((file) => readFile(file, 'utf8')),
  ).catch(unreadable);
  if (major?.trim() !== place.version.split('.')[0]) {
    throw new Error(
      `The database in ${folder} was made by PostgreSQL ${major?.trim()}, and this is ${place.version}. Dump it with the earlier release of ClipSwap and restore it with this one.`,
    );
  }
  return { place, data, log: path.join(home, 'server.log'), password: password ?? '' };
}

/** Finds or starts the server and takes a lease. `port` is the port it must have; without it, any free one. */
async function join(cluster: Cluster, port?: number): Promise<Membership> {
  const begun = Date.now();
  for (;;) {
    const found = await findPostmaster(cluster.data);
    const postmaster = found ?? (await launch(cluster, port ?? (await freePort())));
    const membership = postmaster?.isReady ? await takeLease(cluster, postmaster) : null;
    if (membership) return membership;
    const waited = Date.now() - begun;
    if (found?.isReady && waited > ANSWERS_WITHIN_MS) await halt(cluster.data, found, true);
    if (waited > GIVE_UP_MS) {
      throw new Error(`The embedded PostgreSQL does not answer. Its log: ${cluster.log}`);
    }
    await sleep(100);
  }
}

/** Opens a session that marks the server as in use; null if the server does not (or no longer) accept sessions. */
async function takeLease(cluster: Cluster, postmaster: Postmaster): Promise<Membership | null> {
  const socket = new Socket();
  const lease = new pg.Client({
    connectionString: urlOf(cluster, postmaster.port, 'postgres'),
    stream: () => socket,
    application_name: 'clipswap lease',
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  });
  // Without a listener, the event would end the process. The code relies on 'end', which follows.
  lease.on('error', () => {});
  try {
    await lease.connect();
    const { rows } = await lease.query<{ taken: boolean }>(
      'select pg_try_advisory_lock_shared($1) as taken',
      [LEASE],
    );
    if (rows[0]?.taken) {
      // A finished script may exit without closing the lease, which then ends with the process.
      socket.unref();
      return { postmaster, lease, socket };
    }
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '28P01') {
      throw new Error(`PostgreSQL refuses the password beside ${cluster.data}: restore that file`, {
        cause: error,
      });
    }
  }
  await lease.end().catch(() => {});
  return null;
}

async function leave(
  cluster: Cluster,
  { lease, postmaster, socket }: Membership,
  log: Logger,
): Promise<void> {
  let isLast = false;
  socket.ref();
  try {
    await lease.query('select pg_advisory_unlock_shared($1)', [LEASE]);
    const { rows } = await lease.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [LEASE]);
    isLast = rows[0]?.last ?? false;
  } catch (error) {
    socket.destroy();
    log.warn({ err: error }, 'the embedded database was gone before it was stopped');
    return;
  }
  // Stop it while the lock is held, so that no process joins a server that is about to stop.
  if (isLast) await halt(cluster.data, postmaster);
  else log.debug('the embedded database stays open: another process uses it');
  await lease.end().catch(() => {});
}

function urlOf({ password }: Cluster, port: number, database: string): string {
  return `postgres://clipswap:${password}@127.0.0.1:${port}/${database}`;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = address && typeof address === 'object' ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.trim() : String(error);
}
