import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type FeeRates, MAX_FEE_BASIS_POINTS, MAX_FEE_MINIMUM } from '#contract/fees.ts';
import { decimalToCents } from '#contract/money.ts';
import type { SecretKeys } from './crypto.ts';
import { type TrustedProxies, trustedProxiesSchema } from './proxies.ts';
import { isObviousKey } from './secret-key.ts';

const toKey = (base64: string) => Buffer.from(base64, 'base64');

/** A percentage as basis points: '4.5' -> 450. */
const percent = z
  .string()
  .regex(/^\d{1,2}(\.\d{1,2})?$/, 'must be a percentage such as 5 or 4.5')
  .transform(decimalToCents)
  .pipe(z.number().max(MAX_FEE_BASIS_POINTS, `must be at most ${MAX_FEE_BASIS_POINTS / 100}`));
const feeMinimum = z.coerce.number().int().min(0).max(MAX_FEE_MINIMUM).default(0);

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Every setting under its name in the environment. `.env.example` lists the same; a test compares the two. */
export const environmentSchema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_SDK_DISABLED: flag.default(false),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  ALLOW_INSECURE_PUBLIC_URL: flag.default(false),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(500).default(10),
  DATA_DIR: z.string().min(1).default('./.data'),
  FILES_DIR: z.string().min(1).optional(),
  SECRET_KEY: z
    .string()
    .refine(
      (text) => text.split(',').every((key) => z.base64().safeParse(key).success && toKey(key).length === 32),
      'must be 32 bytes in base64, or several such keys with commas between them',
    )
    .optional(),
  SEED_DEMO: flag.optional(),
  TRUST_PROXY: trustedProxiesSchema,
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().min(1).optional(),
  STRIPE_WEBHOOK_SECRETS: z.string().min(1).optional(),
  PAYPAL_CLIENT_ID: z.string().min(1).optional(),
  PAYPAL_CLIENT_SECRET: z.string().min(1).optional(),
  PAYPAL_PARTNER_ID: z.string().min(1).optional(),
  PAYPAL_WEBHOOK_ID: z.string().min(1).optional(),
  PAYPAL_ATTRIBUTION_ID: z.string().min(1).optional(),
  PAYPAL_API_BASE: z.url({ protocol: /^https$/ }).default('https://api-m.paypal.com'),
  BUYER_FEE_PERCENT: percent.default(500),
  BUYER_FEE_MINIMUM_CENTS: feeMinimum,
  SELLER_FEE_PERCENT: percent.default(500),
  SELLER_FEE_MINIMUM_CENTS: feeMinimum,
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_BUCKET: z.string().min(1).optional(),
  S3_REGION: z.string().min(1).optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  VALIDATORS_FILE: z.string().min(1).optional(),
  FEEDS_FILE: z.string().min(1).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().min(3).optional(),
  SUPPORT_EMAIL: z.email().optional(),
  INDEXNOW_KEY: z
    .string()
    .regex(/^[A-Za-z0-9-]{8,128}$/)
    .optional(),
  GOOGLE_SERVICE_ACCOUNT_FILE: z.string().min(1).optional(),
  BING_API_KEY: z.string().min(1).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

type Settings = z.infer<typeof environmentSchema>;

/** Our account with Stripe. */
export interface StripeSettings {
  readonly secretKey: string;
  readonly publishableKey: string;
  /** One for each of Stripe's endpoints that call us; while a secret is being changed, the old and the new one. */
  readonly webhookSecrets: readonly string[];
}

/** Our account with PayPal, as an approved partner. */
export interface PaypalSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly partnerId: string;
  readonly webhookId: string;
  readonly attributionId: string | null;
  /** Such as https://api-m.paypal.com, without a trailing slash. */
  readonly apiBase: string;
}

/** Where pictures are stored: a folder of this machine, or a bucket of any service that speaks S3. */
export type StorageSettings =
  | {
      readonly kind: 'folder';
      readonly folder: string;
      /** The setting that names it, for messages. */
      readonly setting: 'FILES_DIR' | 'DATA_DIR';
    }
  | {
      readonly kind: 's3';
      /** Such as https://s3.eu-central-1.amazonaws.com, without a trailing slash. */
      readonly endpoint: string;
      readonly bucket: string;
      readonly region: string;
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
    };

export interface MailSettings {
  /** smtp://user:password@host:587, or smtps:// for TLS from the first byte. */
  readonly url: string;
  /** Such as ClipSwap <hello@example.org> */
  readonly from: string;
}

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
  /** Where Prometheus reads /metrics; null: nowhere. */
  readonly metricsPort: number | null;
  /** Whether OpenTelemetry traces are sent; its SDK reads the other OTEL_ settings itself. */
  readonly isTraced: boolean;
  /** The address people reach us at, without a trailing slash. Writes must come from its origin. */
  readonly publicUrl: string;
  /** Undefined: use the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  readonly dataDir: string;
  /** Encrypt the coupon codes, newest first; without these keys nobody can read them again. */
  readonly secretKeys: SecretKeys;
  readonly seedDemo: boolean;
  readonly trustProxy: TrustedProxies;
  readonly logLevel: Settings['LOG_LEVEL'];
  /** `sandbox`: no real money moves. Null: payments through it are not available (decisions 4.4). */
  readonly stripe: StripeSettings | 'sandbox' | null;
  readonly paypal: PaypalSettings | 'sandbox' | null;
  /** For bids that are accepted from now on. */
  readonly feeRates: FeeRates;
  readonly storage: StorageSettings;
  /** The JSON file that says which provider validates which merchant's codes; null: no provider is asked. */
  readonly validatorsFile: string | null;
  /** The JSON file of the feeds that Discover shows; null: there are none. */
  readonly feedsFile: string | null;
  /**
   * `outbox`: mail is shown on a page for developers. Null: mail waits (in production, when mail is not set up).
   */
  readonly mail: MailSettings | 'outbox' | null;
  /** Where people ask for help and appeal; null: they answer a mail of ours. */
  readonly supportEmail: string | null;
  readonly searchEngines: SearchEngineSettings;
}

type Environment = Record<string, string | undefined>;

/** The environment; a `.env` file in the working folder sets what the environment leaves out. */
function readEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
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

function keysOf(text: string): SecretKeys {
  const [newest = '', ...older] = text.split(',');
  return [toKey(newest), ...older.map(toKey)];
}

/**
 * Whether these settings of a provider are set.
 * @throws Error when only some of them are, naming those that are missing
 */
function allOrNone<Name extends keyof Settings>(env: Settings, names: readonly Name[]): boolean {
  const missing = names.filter((name) => env[name] === undefined);
  if (missing.length === names.length) return false;
  if (missing.length > 0)
    throw new Error(`These settings are missing beside the others: ${missing.join(', ')}`);
  return true;
}

function stripeOf(env: Settings): Config['stripe'] {
  const names = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRETS'] as const;
  if (!allOrNone(env, names)) return env.NODE_ENV === 'production' ? null : 'sandbox';
  const { STRIPE_SECRET_KEY = '', STRIPE_PUBLISHABLE_KEY = '', STRIPE_WEBHOOK_SECRETS = '' } = env;
  return {
    secretKey: STRIPE_SECRET_KEY,
    publishableKey: STRIPE_PUBLISHABLE_KEY,
    webhookSecrets: STRIPE_WEBHOOK_SECRETS.split(',').map((secret) => secret.trim()),
  };
}

function paypalOf(env: Settings): Config['paypal'] {
  const names = [
    'PAYPAL_CLIENT_ID',
    'PAYPAL_CLIENT_SECRET',
    'PAYPAL_PARTNER_ID',
    'PAYPAL_WEBHOOK_ID',
  ] as const;
  if (!allOrNone(env, names)) return env.NODE_ENV === 'production' ? null : 'sandbox';
  const {
    PAYPAL_CLIENT_ID = '',
    PAYPAL_CLIENT_SECRET = '',
    PAYPAL_PARTNER_ID = '',
    PAYPAL_WEBHOOK_ID = '',
  } = env;
  return {
    clientId: PAYPAL_CLIENT_ID,
    clientSecret: PAYPAL_CLIENT_SECRET,
    partnerId: PAYPAL_PARTNER_ID,
    webhookId: PAYPAL_WEBHOOK_ID,
    attributionId: env.PAYPAL_ATTRIBUTION_ID ?? null,
    apiBase: env.PAYPAL_API_BASE.replace(/\/+$/, ''),
  };
}

/** @throws Error in production without a configured place: the next deployment may remove the default folder */
function storageOf(env: Settings, dataDir: string, isDataDirNamed: boolean): StorageSettings {
  const names = [
    'S3_ENDPOINT',
    'S3_BUCKET',
    'S3_REGION',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
  ] as const;
  if (!allOrNone(env, names)) {
    if (env.NODE_ENV === 'production' && !env.FILES_DIR && !isDataDirNamed)
      throw new Error(
        `Production needs a place that keeps pictures: a bucket (${names.join(', ')}), or a folder that outlasts a deployment (FILES_DIR, or DATA_DIR)`,
      );
    const folder = env.FILES_DIR ? path.resolve(env.FILES_DIR) : path.join(dataDir, 'files');
    return { kind: 'folder', folder, setting: env.FILES_DIR ? 'FILES_DIR' : 'DATA_DIR' };
  }
  if (env.FILES_DIR) throw new Error('Set FILES_DIR or the S3 settings, not both');
  return {
    kind: 's3',
    endpoint: (env.S3_ENDPOINT ?? '').replace(/\/+$/, ''),
    bucket: env.S3_BUCKET ?? '',
    region: env.S3_REGION ?? '',
    accessKeyId: env.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: env.S3_SECRET_ACCESS_KEY ?? '',
  };
}

function mailOf(env: Settings): Config['mail'] {
  if (!allOrNone(env, ['SMTP_URL', 'MAIL_FROM'] as const))
    return env.NODE_ENV === 'production' ? null : 'outbox';
  return { url: env.SMTP_URL ?? '', from: env.MAIL_FROM ?? '' };
}

/** @throws Error on settings of production with which sessions or codes would be open to others */
function refuseUnsafe({ PUBLIC_URL = '', ALLOW_INSECURE_PUBLIC_URL, SECRET_KEY = '' }: Settings): void {
  if (!PUBLIC_URL.startsWith('https:') && !ALLOW_INSECURE_PUBLIC_URL)
    throw new Error(
      'Production needs an https: address in PUBLIC_URL. On a network that nobody else can read, ALLOW_INSECURE_PUBLIC_URL=true allows http:',
    );
  // An older key may be such a one: that is how it is got rid of.
  if (isObviousKey(keysOf(SECRET_KEY)[0]))
    throw new Error('SECRET_KEY can be guessed. Draw one: openssl rand -base64 32');
}

/**
 * Reads the settings; called once, at start.
 * @throws Error that names each wrong setting and what it should be.
 */
export function loadConfig(environment: Environment = readEnvironment()): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = environmentSchema.safeParse(given);
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
  const dataDir = path.resolve(env.DATA_DIR);
  return Object.freeze({
    isProduction,
    host: env.HOST,
    port: env.PORT,
    metricsPort: env.METRICS_PORT ?? null,
    isTraced:
      !env.OTEL_SDK_DISABLED &&
      Boolean(env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT),
    publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ''),
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    dataDir,
    secretKeys: keysOf(env.SECRET_KEY ?? readOrCreateSecretKey(dataDir)),
    seedDemo: env.SEED_DEMO ?? !isProduction,
    trustProxy: env.TRUST_PROXY,
    logLevel: env.LOG_LEVEL,
    stripe: stripeOf(env),
    paypal: paypalOf(env),
    feeRates: {
      buyer: { basisPoints: env.BUYER_FEE_PERCENT, minimum: env.BUYER_FEE_MINIMUM_CENTS },
      seller: { basisPoints: env.SELLER_FEE_PERCENT, minimum: env.SELLER_FEE_MINIMUM_CENTS },
    },
    storage: storageOf(env, dataDir, given.DATA_DIR !== undefined),
    validatorsFile: env.VALIDATORS_FILE ?? null,
    feedsFile: env.FEEDS_FILE ?? null,
    mail: mailOf(env),
    supportEmail: env.SUPPORT_EMAIL ?? null,
    searchEngines: {
      indexNowKey: env.INDEXNOW_KEY ?? null,
      googleServiceAccountFile: env.GOOGLE_SERVICE_ACCOUNT_FILE ?? null,
      bingApiKey: env.BING_API_KEY ?? null,
    },
  });
}
