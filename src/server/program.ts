import { migrateToLatest } from '#db/migrate.ts';
import { systemClock } from './core/clock.ts';
import { type Config, loadConfig } from './core/config.ts';
import { createVault } from './core/crypto.ts';
import { createLogger, type ProgramLogger } from './core/log.ts';
import { createDatabase, type DatabaseHandle } from './database/client.ts';
import { startEmbeddedPostgres } from './database/embedded.ts';
import { createRateLimiter } from './database/rate-limits.ts';
import type { AppDeps } from './trpc/context.ts';

/** A program with its database open and migrated: what the server and every command-line script stand on. */
export interface Program {
  readonly deps: AppDeps;
  readonly pool: DatabaseHandle['pool'];
  /** Closes the pool, and the embedded server if this program started it. */
  close(): Promise<void>;
}

/** Opens the database that the settings name (the embedded one without `DATABASE_URL`) and migrates it. */
export async function openProgram(
  config: Config = loadConfig(),
  log: ProgramLogger = createLogger(config),
): Promise<Program> {
  const embedded = config.databaseUrl ? null : await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  const url = config.databaseUrl ?? embedded?.url ?? '';
  const database = createDatabase({ url, poolSize: config.databasePoolSize, log });
  const close = async () => {
    await database.close();
    await embedded?.stop();
  };
  try {
    await migrateToLatest(database.db, log);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    deps: {
      config,
      db: database.db,
      clock: systemClock,
      vault: createVault(config.secretKey),
      limiter: createRateLimiter(database.pool, log),
      log,
    },
    pool: database.pool,
    close,
  };
}
