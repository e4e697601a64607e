import { chmod, chown, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createLogger } from '#server/core/log.ts';
import { keepCurrency } from '#server/database/currency.ts';
import { startEmbeddedPostgres } from '#server/database/embedded.ts';
import { type Cluster, findPostmaster, halt, launch } from '#server/database/embedded-cluster.ts';
import { findPlace, run } from '#server/database/embedded-place.ts';
import { migrateToLatest } from '#server/database/migrate.ts';
import { connectTo } from '#tests/support/database.ts';
import { freePort } from '../browser/site.ts';
import { withoutLimits } from '../processes.ts';

/** A server of PostgreSQL. */
export interface Server {
  /** Its database, for the program's role. */
  readonly url: string;
  /** Runs a statement as the superuser. */
  ask<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]>;
  start(): Promise<void>;
  /** @param hard whether it leaves everything as it is */
  stop(hard?: boolean): Promise<void>;
  /** Restarts it as a standby of another server, or of none. */
  follow(other: Pick<Server, 'url'> | null): Promise<void>;
}

export interface StreamingPair {
  readonly primary: Server;
  /** A streaming replica that lets nothing wait for its readers. */
  readonly replica: Server;
  close(): Promise<void>;
}

const log = createLogger({ logLevel: 'warn', isProduction: true });

/** A session of the superuser, whose password is the one of the program's role. */
async function superuserAt(url: string): Promise<pg.Client> {
  const administration = new URL(url);
  administration.username = 'postgres';
  const client = new pg.Client({ connectionString: administration.href });
  await client.connect();
  return client;
}

function serverOn(cluster: Cluster, url: string): Server {
  const port = Number(new URL(url).port);
  const server: Server = {
    url: withoutLimits(url),
    async ask<Row extends pg.QueryResultRow>(statement: string) {
      const client = await superuserAt(url);
      try {
        return (await client.query<Row>(statement)).rows;
      } finally {
        await client.end();
      }
    },
    async start() {
      // Another program may have had its port for a moment, or have started it.
      while (!(await findPostmaster(cluster.data))?.isReady) await launch(cluster, port);
    },
    async stop(hard = false) {
      const running = await findPostmaster(cluster.data);
      if (running) await halt(cluster.data, running, hard);
    },
    async follow(other) {
      await makeStandby(cluster, other?.url ?? null);
      await server.stop();
      await server.start();
    },
  };
  return server;
}

/** Starts an embedded PostgreSQL with a migrated database, and a streaming replica of it. */
export async function startStreamingPair(): Promise<StreamingPair> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'clipswap-streaming-'));
  // Root's PostgreSQL runs under another account, which has to get in.
  await chmod(dataDir, 0o711);
  const embedded = await startEmbeddedPostgres({ dataDir, log, isDisposable: true });
  const cluster = await clusterIn(dataDir, embedded.url);
  const primary = serverOn(cluster, embedded.url);
  const database = connectTo(primary, 1);
  await migrateToLatest(database);
  await keepCurrency(database.db, 'CAD');
  await database.close();
  const url = new URL(embedded.url);
  url.port = String(await freePort());
  const replica = serverOn(await copyOf(cluster, embedded.url, dataDir), url.href);
  await replica.start();
  return {
    primary,
    replica,
    async close() {
      await replica.stop();
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function clusterIn(dataDir: string, url: string): Promise<Cluster> {
  const home = await realpath(path.join(dataDir, 'postgres'));
  const data = path.join(home, 'data');
  const { password } = new URL(url);
  return {
    place: await findPlace(data),
    data,
    log: path.join(home, 'server.log'),
    password,
    isDisposable: true,
  };
}

async function writeAll({ place: { account }, data }: Cluster, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(data, name);
    await writeFile(file, text, { mode: 0o600 });
    if (account) await chown(file, account.uid, account.gid);
  }
}

/** From its next start on. */
async function makeStandby(cluster: Cluster, url: string | null): Promise<void> {
  const { hostname, port, password } = new URL(url ?? 'none:');
  const source = url === null ? '' : `host=${hostname} port=${port} user=postgres password=${password}`;
  await writeAll(cluster, {
    'standby.signal': '',
    'postgresql.auto.conf': `primary_conninfo = '${source}'
max_standby_streaming_delay = 0
wal_retrieve_retry_interval = 100ms
`,
  });
}

/** What pg_basebackup would do, which the embedded PostgreSQL comes without. */
async function copyOf(source: Cluster, url: string, dataDir: string): Promise<Cluster> {
  const { account } = source.place;
  const home = path.join(dataDir, 'replica');
  const copy = { ...source, data: path.join(home, 'data'), log: path.join(home, 'server.log') };
  await mkdir(home);
  if (account) await chown(home, account.uid, account.gid);
  // A backup ends with the session that has begun it.
  const client = await superuserAt(url);
  await client.query(`select pg_backup_start('replica', true)`);
  await run(account, '/bin/cp', ['-a', source.data, copy.data]);
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await client.end();
  await Promise.all(
    ['postmaster.pid', 'postmaster.opts'].map((file) => rm(path.join(copy.data, file), { force: true })),
  );
  await writeAll(copy, { backup_label: rows[0]?.labelfile ?? '' });
  await makeStandby(copy, url);
  return copy;
}
