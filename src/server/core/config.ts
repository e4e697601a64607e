import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { DEFAULT_HOUR } from '#contract/deals/market-days.ts';
import { type FeeRates, maxFeeMinimum } from '#contract/money/fees.ts';
import type { GuaranteeSettings } from '#contract/money/guarantee.ts';
import type { StoredFeed, StoredValidator } from '#contract/oversight/sources.ts';
import { DEFAULT_LIMITS, type OwnLimits, type SettingValues } from '#contract/people/settings.ts';
import { PAYPAL_CURRENCIES } from './base-currencies.ts';
import type { SecretKeys } from './crypto.ts';
import { type Environment, environmentSchema, readEnvironment, type Settings } from './environment.ts';
import { languageSchema, type Market, readMarket } from './market-folder.ts';
import {
  type InboundMailSettings,
  inboundMailOf,
  type MailSettings,
  mailOf,
  type OpenIdSettings,
  openIdOf,
  type PaypalSettings,
  paypalOf,
  type StorageSettings,
  type StripeSettings,
  storageOf,
  stripeOf,
  type WalletSettings,
  walletsOf,
} from './provider-settings.ts';
import type { TrustedProxies } from './proxies.ts';
import { keysOf } from './secret-key.ts';
import { refusePublicDevelopment, refuseUnsafe } from './unsafe-settings.ts';

/** The search engines that we send our pages to; each setting is null when it is not set up. */
export interface SearchEngineSettings {
  readonly indexNowKey: string | null;
  /** The JSON key file of a service account that is an owner in Search Console. */
  readonly googleServiceAccountFile: string | null;
  readonly bingApiKey: string | null;
}

export interface Config {
  readonly isProduction: boolean;
  readonly host: string;
  readonly port: number;
  /** How many processes serve on the port. */
  readonly webConcurrency: number;
  /** Where Prometheus reads /metrics; null: nowhere. */
  readonly metricsPort: number | null;
  /** Whether OpenTelemetry traces are sent; its SDK reads the other OTEL_ settings itself. */
  readonly isTraced: boolean;
  /** The address people reach us at, without a trailing slash. Writes must come from its origin. */
  readonly publicUrl: string;
  /** Undefined: use the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** The same database without a pooler on the way; undefined: `databaseUrl` leads there. */
  readonly databaseDirectUrl: string | undefined;
  /** A copy of the database that lists are read from, and the seconds it may be behind. */
  readonly replica: { readonly url: string; readonly maxLagSeconds: number } | null;
  /** Whether statements may be prepared; undefined: unless there is a pooler on the way. */
  readonly preparesStatements: boolean | undefined;
  readonly databasePoolSize: number;
  /** Redis or Valkey, for live events and limits, and what its keys and channels begin with. */
  readonly redis: { readonly url: string; readonly prefix: string } | null;
  readonly dataDir: string;
  /** How this market differs from others. */
  readonly market: Market;
  /** Encrypt the coupon codes, newest first; without these keys nobody can read them again. */
  readonly secretKeys: SecretKeys;
  readonly seedDemo: boolean;
  readonly trustProxy: TrustedProxies;
  /** The header in which the proxy in front states the country of a visitor. */
  readonly countryHeader: string | null;
  readonly logLevel: Settings['LOG_LEVEL'];
  /** The program that stands in for providers (src/sandbox): its pages are shown under /sandbox. Null: there is none. */
  readonly sandboxUrl: string | null;
  /** Null: payments through it are not available (decisions 4.4). */
  readonly stripe: StripeSettings | null;
  readonly paypal: PaypalSettings | null;
  /** For bids that are accepted from now on. */
  readonly feeRates: FeeRates;
  /** For payments that are begun from now on. */
  readonly guarantee: GuaranteeSettings;
  /** The largest ring that the finder looks for; 2: swaps alone. */
  readonly ringPeopleMax: number;
  /** In how many days moderators have to decide a claim. */
  readonly claimDays: number;
  /** The deposit that swaps and rings with newcomers ask for by default, in cents; 0: none. */
  readonly depositFromNewcomers: number;
  readonly marketDay: SettingValues['marketDay'];
  /** How often people and keys may do something. */
  readonly limits: OwnLimits;
  /** What every page says above everything else; null: nothing. Only admins set it, while the market runs. */
  readonly announcement: SettingValues['announcement'];
  /** Null: it is off. Only admins switch it on. */
  readonly maintenance: SettingValues['maintenance'];
  readonly storage: StorageSettings;
  /** The JSON file that says which provider validates which merchant's codes; null: no provider is asked. */
  readonly validatorsFile: string | null;
  /** The JSON file of the feeds that Discover shows; null: there are none. */
  readonly feedsFile: string | null;
  /**
   * `outbox`: the sandbox shows mail on a page for developers. Null: mail waits.
   */
  readonly mail: MailSettings | 'outbox' | null;
  /** Null: nobody can forward vouchers by mail. */
  readonly inboundMail: InboundMailSettings | null;
  readonly wallets: WalletSettings;
  /** Null: people sign in with a password or a passkey alone. */
  readonly openId: OpenIdSettings | null;
  /** Where people ask for help and appeal; null: they answer a mail of ours. */
  readonly supportEmail: string | null;
  readonly searchEngines: SearchEngineSettings;
  /** The feeds that admins set up while the market runs: none at start. */
  readonly feeds: readonly StoredFeed[];
  /** The validators that admins set up while the market runs: none at start. */
  readonly validators: readonly StoredValidator[];
  /** Where validators that admins set up may send codes. */
  readonly validatorOrigins: readonly string[];
  /** Of this machine, to which webhooks may go; for development alone. */
  readonly webhookOrigins: readonly string[];
  /** The variables that the environment sets, and those that the folder of the market does. */
  readonly setIn: Readonly<Record<'environment' | 'folder', readonly string[]>>;
}

/** Reads the secret key in the data folder; makes it first if there is none. Only its owner may read the file. */
function readOrCreateSecretKey(dataDir: string): string {
  const file = path.join(dataDir, 'secret-key');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    try {
      writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      // Another process has made it since the check: use that key.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
  return readFileSync(file, 'utf8').trim();
}

/** A fee must leave something of the smallest bid, whatever the currency of the market. */
function checkFees({ currency }: Market) {
  const most = maxFeeMinimum(currency);
  return (env: Settings, issues: z.RefinementCtx) => {
    for (const name of ['BUYER_FEE_MINIMUM_CENTS', 'SELLER_FEE_MINIMUM_CENTS'] as const)
      if (env[name] > most)
        issues.addIssue({ code: 'custom', path: [name], message: `must be at most ${most} in ${currency}` });
  };
}

/**
 * Reads the settings; called once, at start.
 * @throws Error that names each wrong setting and what it should be.
 */
export function loadConfig(environment: Environment = readEnvironment()): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const wished = languageSchema.safeParse(given.DEFAULT_LANGUAGE).data;
  const market = readMarket(given.MARKET_DIR ?? null, wished);
  const { MAIL_FROM, ...others } = market.settings;
  // A sender is of no use without a server that sends.
  const fromFolder =
    MAIL_FROM !== undefined && given.SMTP_URL !== undefined ? { ...others, MAIL_FROM } : others;
  const parsed = environmentSchema.superRefine(checkFees(market)).safeParse({ ...fromFolder, ...given });
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`These settings are not usable:\n${lines.join('\n')}`);
  }
  const env = parsed.data;
  const isProduction = env.NODE_ENV === 'production';
  if (isProduction) {
    const missing = (['PUBLIC_URL', 'DATABASE_URL', 'SECRET_KEY'] as const).filter((name) => !env[name]);
    if (missing.length > 0) throw new Error(`Production needs these settings: ${missing.join(', ')}`);
    refuseUnsafe(env);
  }
  if (env.NODE_ENV === 'development') refusePublicDevelopment(env);
  const dataDir = path.resolve(env.DATA_DIR);
  return Object.freeze({
    isProduction,
    host: env.HOST,
    port: env.PORT,
    webConcurrency: env.WEB_CONCURRENCY,
    metricsPort: env.METRICS_PORT ?? null,
    isTraced:
      !env.OTEL_SDK_DISABLED &&
      Boolean(env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT),
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    replica: env.DATABASE_REPLICA_URL
      ? { url: env.DATABASE_REPLICA_URL, maxLagSeconds: env.DATABASE_REPLICA_MAX_LAG }
      : null,
    preparesStatements: env.DATABASE_PREPARED_STATEMENTS,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    redis: env.REDIS_URL ? { url: env.REDIS_URL, prefix: env.REDIS_PREFIX } : null,
    dataDir,
    market,
    secretKeys: keysOf(env.SECRET_KEY ?? readOrCreateSecretKey(dataDir)),
    seedDemo: env.SEED_DEMO ?? !isProduction,
    trustProxy: env.TRUST_PROXY,
    countryHeader: env.COUNTRY_HEADER ?? null,
    logLevel: env.LOG_LEVEL,
    sandboxUrl: env.SANDBOX_URL ?? null,
    stripe: stripeOf(env),
    paypal: PAYPAL_CURRENCIES.includes(market.currency) ? paypalOf(env) : null,
    feeRates: {
      buyer: { basisPoints: env.BUYER_FEE_PERCENT, minimum: env.BUYER_FEE_MINIMUM_CENTS },
      seller: { basisPoints: env.SELLER_FEE_PERCENT, minimum: env.SELLER_FEE_MINIMUM_CENTS },
    },
    guarantee: { days: env.GUARANTEE_DAYS, reservePercent: env.GUARANTEE_RESERVE_PERCENT },
    ringPeopleMax: env.RING_PEOPLE_MAX,
    claimDays: env.CLAIM_DAYS,
    depositFromNewcomers: env.DEPOSIT_FROM_NEWCOMERS_CENTS,
    marketDay: {
      isOn: env.MARKET_DAY_HOUR !== 'off',
      hour: env.MARKET_DAY_HOUR === 'off' ? DEFAULT_HOUR : env.MARKET_DAY_HOUR,
      timeZone: env.MARKET_TIME_ZONE,
    },
    limits: DEFAULT_LIMITS,
    announcement: null,
    maintenance: null,
    storage: storageOf(env, dataDir, given.DATA_DIR !== undefined),
    validatorsFile: env.VALIDATORS_FILE ?? null,
    feedsFile: env.FEEDS_FILE ?? null,
    feeds: [],
    validators: [],
    validatorOrigins: env.VALIDATOR_ORIGINS,
    webhookOrigins: env.WEBHOOK_ORIGINS,
    mail: mailOf(env),
    inboundMail: inboundMailOf(env),
    wallets: walletsOf(env),
    openId: openIdOf(env),
    supportEmail: env.SUPPORT_EMAIL ?? null,
    searchEngines: {
      indexNowKey: env.INDEXNOW_KEY ?? null,
      googleServiceAccountFile: env.GOOGLE_SERVICE_ACCOUNT_FILE ?? null,
      bingApiKey: env.BING_API_KEY ?? null,
    },
    setIn: { environment: Object.keys(given), folder: Object.keys(fromFolder) },
  });
}
