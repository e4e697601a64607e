import { createServer } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { t } from '@lingui/core/macro';
import type { WireError } from '#contract/base/errors.ts';
import { marketName } from '#contract/base/market.ts';
import { buildApp } from './app.ts';
import { type Config, loadConfig } from './core/config.ts';
import { createLogger, type ProgramLogger } from './core/log.ts';
import { ROOT } from './core/root.ts';
import { isAway } from './database/connections.ts';
import { listMigrations, pendingMigrations } from './database/migrate.ts';
import { type Jobs, startJobs } from './jobs/runner.ts';
import { createMetrics } from './metrics.ts';
import { refuseDemoPeople } from './people/accounts/service.ts';
import { openProgram, type Program } from './program.ts';
import { checkStorage } from './providers/storage/open-storage.ts';
import { startTracing } from './tracing.ts';
import { announceReady, onStop } from './workers.ts';

/** How long running requests may take to finish after the program is told to stop. */
const DRAIN_MS = 10_000;

/** How long to wait between two tries to reach a database that is away. */
const TRY_AGAIN_MS = 250;

const WEB_ROOT = path.join(ROOT, 'dist/web');

export interface MainOptions {
  readonly config?: Config;
  /** Runs after the database is opened and migrated, before the server listens. */
  readonly prepare?: (program: Program) => Promise<void>;
}

/**
 * Runs the marketplace until it is told to stop: opens the database, starts the jobs, listens. On SIGINT or
 * SIGTERM readiness fails first and running requests finish; then the jobs stop and the database closes.
 */
export async function main({ config = loadConfig(), prepare }: MainOptions = {}): Promise<void> {
  const log = createLogger(config);
  await checkStorage(config.storage);
  const tracing = config.isTraced ? await startTracing(log) : null;
  const known = await listMigrations();
  const { program, jobs } = await openPatiently(config, log, prepare);
  const { pool } = program;
  const metrics =
    config.metricsPort === null ? null : await createMetrics({ ...program.deps, pool, queue: jobs.queue });
  const app = await buildApp(program.deps, {
    webRoot: WEB_ROOT,
    watch(own) {
      tracing?.watch(own);
      metrics?.watch(own);
    },
    isReady: async () => (await pendingMigrations(program.deps.db, known)).length === 0,
  });
  onStop(DRAIN_MS, async ({ err, signal }) => {
    if (err instanceof PortTaken) log.fatal(err.message);
    else if (err) log.fatal({ err }, 'stopping after an uncaught error');
    else log.info({ signal }, 'stopping');
    await app.close();
    await metrics?.close();
    await jobs.stop();
    await program.close();
    await tracing?.stop();
  });
  void program.deps.live.open();
  void program.deps.replica?.open();
  await app.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw isTaken ? new PortTaken(config) : error;
  });
  if (config.metricsPort !== null) await metrics?.listen(config.host, config.metricsPort);
  announceReady();
}

/** Says so to whoever starts the program. */
class PortTaken extends Error {
  constructor({ host, port }: Pick<Config, 'host' | 'port'>) {
    super(
      `Port ${port} of ${host} is taken by another program, perhaps by this one. Stop it, or set PORT to another number.`,
    );
  }
}

interface Opened {
  readonly program: Program;
  readonly jobs: Jobs;
}

/** Opens the program and its jobs. Waits for a database that is away; every request gets 503 meanwhile. */
async function openPatiently(
  config: Config,
  log: ProgramLogger,
  prepare: MainOptions['prepare'],
): Promise<Opened> {
  let startup: StartupServer | undefined;
  try {
    for (;;) {
      try {
        return await open(config, log, prepare);
      } catch (error) {
        if (!isAway(error)) throw error;
        if (!startup) log.warn({ err: error }, 'waiting for the database');
        startup ??= await openStartupServer(config);
        await sleep(TRY_AGAIN_MS);
      }
    }
  } finally {
    await startup?.close();
  }
}

async function open(config: Config, log: ProgramLogger, prepare: MainOptions['prepare']): Promise<Opened> {
  const program = await openProgram(config, log);
  try {
    if (config.isProduction) await refuseDemoPeople(program.deps);
    await prepare?.(program);
    return { program, jobs: await startJobs(program.deps, program.pool) };
  } catch (error) {
    await program.close();
    throw error;
  }
}

interface StartupServer {
  /** Frees the address for the application. */
  close(): Promise<void>;
}

const busy = (): WireError => ({
  error: t`${{ market: marketName() }} is starting. Please try again in a moment.`,
  code: 'unavailable',
});

/** Listens in place of the application while it cannot start: `/healthz` answers, all else is 503. */
async function openStartupServer({ host, port }: Pick<Config, 'host' | 'port'>): Promise<StartupServer> {
  const server = createServer((request, response) => {
    const isHealth = request.url === '/healthz';
    response.writeHead(isHealth ? 200 : 503, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      connection: 'close',
      ...(!isHealth && { 'retry-after': '2' }),
    });
    response.end(JSON.stringify(isHealth ? { status: 'ok' } : busy()));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
