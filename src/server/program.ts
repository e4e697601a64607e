import { type Config, loadConfig } from './core/config.ts';
import type { Vault } from './core/crypto.ts';
import { createLogger, type ProgramLogger } from './core/log.ts';
import { openMarket } from './core/market.ts';
import type { RateLimiter } from './core/rate-limit.ts';
import { tracedCalls } from './core/tracing.ts';
import { createDatabase, type DatabaseHandle } from './database/client.ts';
import { type DatabaseClock, openDatabaseClock } from './database/clock.ts';
import { keepCurrency } from './database/currency.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './database/embedded.ts';
import { openLiveEvents } from './database/live.ts';
import { migrateToLatest } from './database/migrate.ts';
import { createRateLimiter } from './database/rate-limits.ts';
import { openReplica } from './database/replica.ts';
import { settleTlsMode } from './database/tls-mode.ts';
import { openPushKeys, openVault } from './database/vault.ts';
import { makeCodeForms } from './oversight/checks/service.ts';
import { openSources } from './oversight/sources/service.ts';
import { openDeniedRequests } from './people/audit/service.ts';
import type { RunningSettings } from './people/settings/running.ts';
import { openSettings } from './people/settings/service.ts';
import { internet } from './providers/guarded-network.ts';
import { openInboundMail } from './providers/inbound-mail/open-inbound-mail.ts';
import type { Mailer } from './providers/mail/mailer.ts';
import { createOutboxMailer } from './providers/mail/outbox.ts';
import { createSmtpMailer } from './providers/mail/smtp.ts';
import { openPayments } from './providers/open-payments.ts';
import { openOpenId } from './providers/openid/open-openid.ts';
import { createPushKeys, openPush, readPushKeys } from './providers/push/open-push.ts';
import type { Push } from './providers/push/push.ts';
import { openSearchEngines } from './providers/search-engines/search-engines.ts';
import { openStorage } from './providers/storage/open-storage.ts';
import { loadValidatorSettings } from './providers/validators/open-validators.ts';
import { openWallets } from './providers/wallets/open-wallets.ts';
import { openWebhooks } from './providers/webhooks/open-webhooks.ts';
import { openFeedPictures } from './readers/feeds/feed-pictures.ts';
import { openFeed, openFeeds, TRY_LIMITS } from './readers/feeds/open-feeds.ts';
import { loadFeedSettings } from './readers/feeds/settings.ts';
import { openPictures } from './readers/pictures/open-pictures.ts';
import type { AppDeps } from './trpc/context.ts';

/** How soon a process hears of settings that were changed in another one, in milliseconds. */
const SETTINGS_MS = 2_000;

/**
 * A program with its database open and migrated, and its providers connected; the server and every script run
 * on one.
 */
export interface Program {
  readonly deps: AppDeps;
  readonly pool: DatabaseHandle['pool'];
  /** Closes the pool, and the embedded server if this program started it. */
  close(): Promise<void>;
}

/**
 * Opens the configured database (the embedded one without `DATABASE_URL`), migrates it, and connects to the
 * providers.
 */
export async function openProgram(
  config: Config = loadConfig(),
  log: ProgramLogger = createLogger(config),
): Promise<Program> {
  openMarket(config.market);
  // Mistakes in the operator's files are reported before anything starts.
  const files = {
    feeds: config.feedsFile === null ? null : loadFeedSettings(config.feedsFile, process.env),
    validators:
      config.validatorsFile === null ? null : loadValidatorSettings(config.validatorsFile, process.env),
  };
  const wallets = openWallets(config.wallets, config.publicUrl);
  const server = await openServer(config, log);
  const { url, directUrl } = server;
  const { databasePoolSize: poolSize, preparesStatements: prepares } = config;
  const redis = config.redis && (await openRedis(config.redis, log));
  const database = createDatabase({ url, poolSize, prepares, log, broker: redis?.broker });
  const closeDatabase = async () => {
    await database.close();
    await redis?.close();
    await server.stop();
  };
  let vault: Vault;
  let push: Push;
  let settings: RunningSettings;
  let time: DatabaseClock | undefined;
  try {
    await migrate(directUrl === url ? null : directUrl, database, log);
    await keepCurrency(database.db, config.market.currency);
    time = await openDatabaseClock(database.pool, log);
    vault = await openVault(database.db, config.secretKeys);
    push = await openPushOf(config, database.db, vault);
    await makeCodeForms({ db: database.db, vault, log });
    settings = await openSettings({ db: database.db, start: config, log, everyMs: SETTINGS_MS });
  } catch (error) {
    time?.close();
    await closeDatabase();
    throw error;
  }
  const { icon, logo } = config.market;
  const pictures = openPictures({
    mark: icon ?? (logo === null ? null : Buffer.from(logo)),
    onDeath: ({ problem, cause }) => log.warn({ problem, cause }, 'a process that reads pictures has ended'),
  });
  const { feeds, validators } = openSources({
    ...{ files, settings, vault, log },
    origins: config.validatorOrigins,
    openFeed: (setting) => tracedCalls('feed', openFeed(setting)),
  });
  const payments = openPayments(config);
  const mail = openMailer(config);
  const replica =
    config.replica &&
    openReplica({
      url: await settleTlsMode(config.replica.url),
      maxLagMs: config.replica.maxLagSeconds * 1_000,
      poolSize,
      prepares,
      primary: database,
      log,
    });
  const live = openLiveEvents({
    url: directUrl,
    db: database.db,
    log,
    readable: replica?.caughtUp,
    broker: redis?.broker,
  });
  const inDatabase = createRateLimiter(database.pool);
  const deniedRequests = openDeniedRequests({ db: database.db, clock: time.clock, log });
  return {
    deps: {
      config,
      settings,
      db: database.db,
      replica,
      clock: time.clock,
      vault,
      limiter: redis?.limiter(inDatabase) ?? inDatabase,
      log,
      live,
      deniedRequests,
      providers: {
        payments: tracedCalls('payments', payments.providers),
        paymentClient: payments.client,
        storage: tracedCalls('storage', openStorage(config.storage)),
        pictures: tracedCalls('pictures', pictures),
        // What is known without a call is no span.
        validators: {
          ...tracedCalls('validators', validators),
          canReissue: validators.canReissue,
          accounts: validators.accounts,
        },
        feeds,
        tryFeed: (setting) =>
          tracedCalls('feed', openFeed(setting, { network: internet, limits: TRY_LIMITS })),
        feedPictures: tracedCalls('feed', openFeedPictures()),
        mail: mail && tracedCalls('mail', mail),
        push: tracedCalls('push', push),
        webhooks: tracedCalls('webhooks', openWebhooks({ own: config.webhookOrigins })),
        inboundMail: config.inboundMail && openInboundMail(config.inboundMail),
        wallets: tracedCalls('wallets', wallets),
        openId: config.openId && tracedCalls('openid', openOpenId(config.openId, config.publicUrl)),
        searchEngines: tracedCalls('search-engines', openSearchEngines(config.searchEngines)),
      },
    },
    pool: database.pool,
    async close() {
      time?.close();
      settings.close();
      await live.close();
      await replica?.close();
      await deniedRequests.close();
      await mail?.close();
      await pictures.close();
      await closeDatabase();
    },
  };
}

/** Redis for live events and limits; nothing of it is loaded without. */
async function openRedis({ url, prefix }: NonNullable<Config['redis']>, log: ProgramLogger) {
  const [{ createRedis }, { createSignalBroker }, { createRedisLimiter }] = await Promise.all([
    import('./redis/connection.ts'),
    import('./redis/signals.ts'),
    import('./redis/rate-limits.ts'),
  ]);
  const redis = createRedis({ url, log });
  return {
    broker: createSignalBroker(redis, prefix),
    limiter: (fallback: RateLimiter) => createRedisLimiter({ redis, prefix, fallback, log }),
    close: redis.close,
  };
}

interface DatabaseServer extends EmbeddedPostgres {
  /** The same database without a pooler on the way, for what needs a session. */
  readonly directUrl: string;
}

/**
 * Opens what the checks of an installation ask, and nothing else: the database as it is, not migrated, and no jobs. A
 * database that is away is for the checks to tell.
 */
export async function openForChecks(config: Config, log: ProgramLogger) {
  const server = await openServer(config, log);
  const { databasePoolSize: poolSize, preparesStatements: prepares } = config;
  const database = createDatabase({ url: server.url, poolSize, prepares, log });
  const { db, pool } = database;
  const url = config.replica && (await settleTlsMode(config.replica.url));
  const replica =
    config.replica && url !== null
      ? openReplica({
          ...{ url, poolSize: 1, prepares, primary: database, log },
          maxLagMs: config.replica.maxLagSeconds * 1_000,
        })
      : null;
  const live = openLiveEvents({ url: server.directUrl, db, log });
  const mail = openMailer(config);
  await Promise.all([live.open(), replica?.open()]);
  return {
    db,
    live,
    replica,
    providers: {
      payments: openPayments(config).providers,
      storage: openStorage(config.storage),
      mail,
      feeds: () => openFeeds(loadFeedSettings(config.feedsFile, process.env)),
    },
    async close() {
      await live.close();
      await replica?.close();
      await mail?.close();
      await pool.end();
      await server.stop();
    },
  };
}

/** The database server that the settings name; without `DATABASE_URL`, the embedded one is started or joined. */
export async function openServer(config: Config, log: ProgramLogger): Promise<DatabaseServer> {
  const { databaseUrl, databaseDirectUrl, dataDir } = config;
  if (databaseUrl) {
    const url = await settleTlsMode(databaseUrl);
    const directUrl = databaseDirectUrl ? await settleTlsMode(databaseDirectUrl) : url;
    return { url, directUrl, stop: async () => {} };
  }
  const embedded = await startEmbeddedPostgres({ dataDir, log });
  return { ...embedded, directUrl: embedded.url };
}

/** Migrates the database, by its direct address if there is one. */
async function migrate(
  directUrl: string | null,
  database: DatabaseHandle,
  log: ProgramLogger,
): Promise<void> {
  if (directUrl === null) return migrateToLatest(database, log);
  const direct = createDatabase({ url: directUrl, poolSize: 1, log });
  try {
    await migrateToLatest(direct, log);
  } finally {
    await direct.close();
  }
}

/** The push services, with the key pair of this installation. */
async function openPushOf(config: Config, db: DatabaseHandle['db'], vault: Vault): Promise<Push> {
  const { supportEmail, publicUrl, sandboxUrl } = config;
  const kept = await openPushKeys(db, vault, createPushKeys);
  return openPush({
    keys: readPushKeys(kept),
    // They take no http: address; browsers give none of their pages a worker either.
    contact: supportEmail === null ? publicUrl.replace(/^http:/, 'https:') : `mailto:${supportEmail}`,
    sandboxUrl,
  });
}

/** The mailer that the settings name; null: mail waits. */
function openMailer({ mail, sandboxUrl }: Config): Mailer | null {
  if (mail === 'outbox') return sandboxUrl === null ? null : createOutboxMailer(sandboxUrl);
  return mail && createSmtpMailer(mail);
}
