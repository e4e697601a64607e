import { chmod, chown, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createLogger } from '#server/core/log.ts';
import { startEmbeddedPostgres } from '#server/database/embedded.ts';
import { type Cluster, findPostmaster, halt, launch } from '#server/database/embedded-cluster.ts';
import { findPlace, run } from '#server/database/embedded-place.ts';
import { migrateToLatest } from '#server/database/migrate.ts';
import { connectTo } from '#server/testing/database.ts';
import { freePort } from '../browser/site.ts';
import { withoutLimits } from '../processes.ts';

/** A server of PostgreSQL. */
interface Server {
  /** Its database, for the program's role. */
  readonly url: string;
  /** Runs a statement as the superuser. */
  ask<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]>;
}

export interface StreamingPair {
  readonly primary: Server;
  /** A streaming replica that lets nothing wait for its readers. */
  readonly replica: Server & {
    start(): Promise<void>;
    /** @param hard whether it leaves everything as it is */
    stop(hard?: boolean): Promise<void>;
  };
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

function serverAt(url: string): Server {
  return {
    url: withoutLimits(url),
    async ask<Row extends pg.QueryResultRow>(statement: string) {
      const client = await superuserAt(url);
      try {
        return (await client.query<Row>(statement)).rows;
      } finally {
        await client.end();
      }
    },
  };
}

/** Starts an embedded PostgreSQL with a migrated database, and a streaming replica of it. */
export async function startStreamingPair(): Promise<StreamingPair> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'clipswap-streaming-'));
  // Root's PostgreSQL runs under another account, which has to get in.
  await chmod(dataDir, 0o711);
  const embedded = await startEmbeddedPostgres({ dataDir, log, isDisposable: true });
  const primary = serverAt(embedded.url);
  const database = connectTo(primary, 1);
  await migrateToLatest(database);
  await database.close();
  const cluster = await copyOf(embedded.url, dataDir);
  const url = new URL(embedded.url);
  const port = await freePort();
  url.port = String(port);
  const start = async () => {
    // Another program may have had its port for a moment.
    while (!(await launch(cluster, port)));
  };
  const stop = async (hard = false) => {
    const running = await findPostmaster(cluster.data);
    if (running) await halt(cluster.data, running, hard);
  };
  await start();
  return {
    primary,
    replica: { ...serverAt(url.href), start, stop },
    async close() {
      await stop();
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** What pg_basebackup would do, which the embedded PostgreSQL comes without. */
async function copyOf(url: string, dataDir: string): Promise<Cluster> {
  const source = path.join(await realpath(path.join(dataDir, 'postgres')), 'data');
  const place = await findPlace(source);
  const { account } = place;
  const home = path.join(dataDir, 'replica');
  const data = path.join(home, 'data');
  await mkdir(home);
  if (account) await chown(home, account.uid, account.gid);
  const { hostname, port, password } = new URL(url);
  // A backup ends with the session that has begun it.
  const client = await superuserAt(url);
  await client.query(`select pg_backup_start('replica', true)`);
  await run(account, '/bin/cp', ['-a', source, data]);
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await client.end();
  await Promise.all(
    ['postmaster.pid', 'postmaster.opts'].map((file) => rm(path.join(data, file), { force: true })),
  );
  const settings = path.join(data, 'postgresql.auto.conf');
  const files = {
    backup_label: rows[0]?.labelfile ?? '',
    'standby.signal': '',
    'postgresql.auto.conf': `${await readFile(settings, 'utf8')}
primary_conninfo = 'host=${hostname} port=${port} user=postgres password=${password}'
max_standby_streaming_delay = 0
wal_retrieve_retry_interval = 100ms
`,
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(data, name), text, { mode: 0o600 });
    if (account) await chown(path.join(data, name), account.uid, account.gid);
  }
  return { place, data, log: path.join(home, 'server.log'), password, isDisposable: true };
}
