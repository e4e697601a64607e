import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSandbox, sandboxSettings } from '#sandbox/main.ts';
import { openStore } from '#sandbox/store.ts';
import { createLogger } from '#server/core/log.ts';
import { startEmbeddedPostgres } from '#server/database/embedded.ts';
import { freePort } from '../browser/site.ts';
import { type ServerProcess, spawnProgram, untilReady } from '../processes.ts';
import { type FaultProxy, openFaultProxy, through } from './proxy.ts';

/** A PostgreSQL of the test's own, which starts again when it is killed. */
interface MortalDatabase {
  readonly url: string;
  /** kill -9 of the server; resolves at once. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

async function openMortalDatabase(): Promise<MortalDatabase> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'clipswap-chaos-'));
  // Root's PostgreSQL runs under another account, which has to get in.
  await chmod(dataDir, 0o711);
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: createLogger({ logLevel: 'silent', isProduction: true }),
  });
  const home = await realpath(path.join(dataDir, 'postgres'));
  return {
    url: postgres.url,
    async kill() {
      const pid = await readFile(path.join(home, 'data/postmaster.pid'), 'utf8');
      process.kill(Number.parseInt(pid, 10), 'SIGKILL');
    },
    async close() {
      await postgres.stop();
      await rm(home, { recursive: true, force: true });
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** One of the marketplace's processes, with a supervisor that starts it again at the same address. */
interface App {
  readonly url: string;
  isAlive(): boolean;
  output(): string;
  /** kill -9, and a new start. @returns milliseconds until it was ready again */
  killAndRestart(): Promise<number>;
  stop(): Promise<void>;
}

async function startApp(settings: Record<string, string>): Promise<App> {
  const entry = path.resolve(import.meta.dirname, 'clock-app.ts');
  const given = { ...settings, PORT: String(await freePort()) };
  let server: ServerProcess = await spawnProgram(given, { entry });
  await untilReady(server);
  return {
    url: server.url,
    isAlive: () => server.isAlive(),
    output: () => server.output(),
    async killAndRestart() {
      await server.kill();
      const begun = performance.now();
      server = await spawnProgram(given, { entry });
      await untilReady(server);
      return performance.now() - begun;
    },
    stop: () => server.stop(),
  };
}

/**
 * Two processes of the marketplace, one with a clock that is a month ahead, on one database, a faulty network between, and a payment
 * provider that is well.
 */
export async function openChaosWorld() {
  const database = await openMortalDatabase();
  const proxy: FaultProxy = await openFaultProxy({ port: Number(new URL(database.url).port) });
  const store = openStore();
  let webhooksTo: string | null = null;
  const publicUrl = 'http://localhost';
  const sandbox = await openSandbox({ store, marketplace: () => webhooksTo, publicUrl });
  const settings = {
    ...sandboxSettings(sandbox.url),
    DATABASE_URL: through(proxy, database.url),
    SECRET_KEY: Buffer.alloc(32, 'test vault key').toString('base64'),
    PUBLIC_URL: publicUrl,
    LOG_LEVEL: 'error',
  };
  // One after the other: the first migrates.
  const apps = [await startApp(settings), await startApp({ ...settings, AHEAD_DAYS: '30' })] as const;
  webhooksTo = apps[0].url;
  return {
    apps,
    database,
    proxy,
    sandbox: { ...sandbox, store },
    async close() {
      await proxy.set('none');
      await Promise.all(apps.map((app) => app.stop()));
      await sandbox.close();
      await proxy.close();
      await database.close();
    },
  };
}

/** Tries until the database, reached directly, is there: it may just have been killed. */
export async function insist<Result>(act: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'unavailable')) throw error;
      await sleep(100);
    }
  }
}
