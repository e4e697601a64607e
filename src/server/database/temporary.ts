import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '#server/core/log.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';

const PREFIX = 'clipswap-temporary-';

/** An empty database that is dropped when it is closed. */
export interface TemporaryDatabase {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Creates an empty database for tests and tools: on the server at `serverUrl`, or else on an embedded PostgreSQL in a
 * temporary folder in `parent`.
 */
export async function openTemporaryDatabase(
  serverUrl: string | undefined,
  log: Logger,
  parent = tmpdir(),
): Promise<TemporaryDatabase> {
  const server = serverUrl
    ? { url: serverUrl, stop: async () => {} }
    : await startTemporaryPostgres(log, parent);
  // A random name, because several runs may share one server.
  const name = `clipswap_${randomBytes(4).toString('hex')}`;
  await runStatement(server.url, `create database ${name}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async close() {
      // Stopping our own server removes its databases.
      if (serverUrl) await retryWhileInUse(server.url, `drop database ${name} with (force)`);
      await server.stop();
    },
  };
}

/** Runs one statement in its own connection, as `create database` requires. */
export async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** PostgreSQL's object_in_use and insufficient_privilege. */
const IN_USE_CODES = ['55006', '42501'];

/**
 * Runs a statement again while autovacuum uses the database: it cannot be copied or renamed meanwhile, and we may not end
 * the worker.
 */
export async function retryWhileInUse(server: string, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runStatement(server, statement);
      return;
    } catch (error) {
      const isInUse = error instanceof pg.DatabaseError && IN_USE_CODES.includes(error.code ?? '');
      if (!isInUse || attempt > 50) throw error;
      await sleep(100 * Math.random());
    }
  }
}

/**
 * Starts a PostgreSQL in a temporary folder; `stop` removes it. A process that ends without stopping (Ctrl-C) removes
 * it too, and the next run removes the folders of killed processes.
 */
async function startTemporaryPostgres(log: Logger, parent: string): Promise<EmbeddedPostgres> {
  sweep(parent);
  const dataDir = mkdtempSync(path.join(parent, `${PREFIX}${process.pid}-`));
  // Root runs PostgreSQL under another account, which must be able to enter.
  chmodSync(dataDir, 0o711);
  const discardNow = () => discard(dataDir);
  process.once('exit', discardNow);
  const postgres = await startEmbeddedPostgres({ dataDir, log, isDisposable: true });
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop();
      process.off('exit', discardNow);
      discardNow();
    },
  };
}

/** Kills the server, whose data is not needed. It is synchronous, because the process is ending. */
function discard(dataDir: string): void {
  try {
    // It is a link if the account could not enter the temporary folder.
    const home = realpathSync(path.join(dataDir, 'postgres'));
    signal(Number.parseInt(readIfThere(path.join(home, 'data/postmaster.pid')), 10), 'SIGQUIT');
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  } catch {
    // The server was not created yet, or belongs to another user.
  }
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

function sweep(parent: string): void {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(PREFIX))) {
    const owner = Number.parseInt(name.slice(PREFIX.length), 10);
    if (!signal(owner, 0)) discard(path.join(parent, name));
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** @returns whether there is such a process */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return pid > 0 && process.kill(pid, name);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
