import { systemClock } from './core/clock.ts';
import { type Config, loadConfig } from './core/config.ts';
import { createVault } from './core/crypto.ts';
import { createLogger, type ProgramLogger } from './core/log.ts';
import { createDatabase, type DatabaseHandle } from './database/client.ts';
import { startEmbeddedPostgres } from './database/embedded.ts';
import { openLiveEvents } from './database/live.ts';
import { migrateToLatest } from './database/migrate.ts';
import { createRateLimiter } from './database/rate-limits.ts';
import { createSandboxObjects } from './database/sandbox-objects.ts';
import { openFeeds } from './providers/feeds/open-feeds.ts';
import { loadFeedSettings } from './providers/feeds/settings.ts';
import { openMailer } from './providers/mail/open-mailer.ts';
import { type OpenPayments, openPayments } from './providers/open-payments.ts';
import { openPictures } from './providers/pictures/open-pictures.ts';
import { openSearchEngines } from './providers/search-engines/search-engines.ts';
import { openStorage } from './providers/storage/open-storage.ts';
import { loadValidatorSettings, openValidators } from './providers/validators/open-validators.ts';
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
  // What the operator has written wrong is said before anything starts.
  const validators = openValidators(loadValidatorSettings(config.validatorsFile, process.env), log);
  const feeds = openFeeds(loadFeedSettings(config.feedsFile, process.env));
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
  const pictures = openPictures();
  const mail = openMailer(config.mail, createSandboxObjects(database.db));
  const live = openLiveEvents({ url, log });
  return {
    deps: {
      config,
      db: database.db,
      clock: systemClock,
      vault: createVault(config.secretKey),
      limiter: createRateLimiter(database.pool, log),
      log,
      live,
      providers: {
        payments: payments.providers,
        paymentClient: payments.client,
        storage: openStorage(config.storage),
        pictures,
        validators,
        feeds,
        mail,
        searchEngines: openSearchEngines(config.searchEngines),
      },
      sandboxes: payments.sandboxes,
    },
    pool: database.pool,
    sandboxes: payments.sandboxes,
    announce(address) {
      ownAddress = address;
    },
    async close() {
      await live.close();
      await mail?.close();
      await pictures.close();
      await payments.close();
      await closeDatabase();
    },
  };
}
