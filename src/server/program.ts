import { migrateToLatest } from '#db/migrate.ts';
import { systemClock } from './core/clock.ts';
import { type Config, loadConfig } from './core/config.ts';
import { createVault } from './core/crypto.ts';
import { createLogger, type ProgramLogger } from './core/log.ts';
import { createDatabase, type DatabaseHandle } from './database/client.ts';
import { startEmbeddedPostgres } from './database/embedded.ts';
import { createRateLimiter } from './database/rate-limits.ts';
import { createSandboxObjects } from './database/sandbox-objects.ts';
import { type OpenPayments, openPayments } from './providers/open-payments.ts';
import type { AppDeps } from './trpc/context.ts';

/** A program with its database open and migrated: what the server and every command-line script stand on. */
export interface Program {
  readonly deps: AppDeps;
  readonly pool: DatabaseHandle['pool'];
  /** The payment stand-ins, for programs that play a buyer's part. */
  readonly sandboxes: OpenPayments['sandboxes'];
  /** Says where our own server listens, for the stand-ins' webhooks. */
  announce(ownAddress: string): void;
  /** Closes the pool, and the embedded server if this program started it. */
  close(): Promise<void>;
}

/** Opens the database that the settings name (the embedded one without `DATABASE_URL`), migrates it, and connects to
 * the payment providers or their stand-ins. */
export async function openProgram(
  config: Config = loadConfig(),
  log: ProgramLogger = createLogger(config),
): Promise<Program> {
  const embedded = config.databaseUrl ? null : await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  const url = config.databaseUrl ?? embedded?.url ?? '';
  const database = createDatabase({ url, poolSize: config.databasePoolSize, log });
  const closeDatabase = async () => {
    await database.close();
    await embedded?.stop();
  };
  let ownAddress: string | null = null;
  let payments: OpenPayments;
  try {
    await migrateToLatest(database.db, log);
    // After the migrations: a stand-in looks at once for what it had begun before a restart.
    payments = await openPayments({
      config,
      store: createSandboxObjects(database.db),
      ownAddress: () => ownAddress,
    });
  } catch (error) {
    await closeDatabase();
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
      providers: { payments: payments.providers, paymentClient: payments.client },
      sandboxes: payments.sandboxes,
    },
    pool: database.pool,
    sandboxes: payments.sandboxes,
    announce(address) {
      ownAddress = address;
    },
    async close() {
      await payments.close();
      await closeDatabase();
    },
  };
}
