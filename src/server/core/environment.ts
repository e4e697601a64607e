import { existsSync } from 'node:fs';
import { z } from 'zod';
import { decimalToCents } from '#contract/base/money.ts';
import { timeZoneSchema } from '#contract/base/primitives.ts';
import { DEFAULT_RING_PEOPLE, RING_PEOPLE } from '#contract/deals/deals.ts';
import { DEFAULT_HOUR } from '#contract/deals/market-days.ts';
import { CLAIM_DAYS } from '#contract/money/claims.ts';
import { newcomerDepositSchema } from '#contract/money/deposits.ts';
import { MAX_FEE_BASIS_POINTS } from '#contract/money/fees.ts';
import { DEFAULT_GUARANTEE, GUARANTEE_DAYS, guaranteeDaysOf } from '#contract/money/guarantee.ts';
import { languageSchema } from './market-folder.ts';
import { trustedProxiesSchema } from './proxies.ts';
import { isSecretKey } from './secret-key.ts';

/** A percentage as basis points: '4.5' -> 450. */
const percent = z
  .string()
  .regex(/^\d{1,2}(\.\d{1,2})?$/, 'must be a percentage such as 5 or 4.5')
  .transform(decimalToCents)
  .pipe(z.number().max(MAX_FEE_BASIS_POINTS, `must be at most ${MAX_FEE_BASIS_POINTS / 100}`));
const feeMinimum = z.coerce.number().int().min(0).default(0);

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Origins with commas between them. */
const origins = z.string().transform((text, ctx) =>
  text.split(',').map((one) => {
    const given = one.trim();
    const origin = URL.canParse(given) ? new URL(given).origin : '';
    if (given.replace(/\/$/, '') !== origin)
      ctx.addIssue({ code: 'custom', message: 'must be origins such as https://api.voucherify.io' });
    return origin;
  }),
);

/** Pages, calls and cookies are at the root of their host: there is no place for a path. */
const publicUrl = z.url({ protocol: /^https?$/ }).transform((text, ctx) => {
  const { origin, href } = new URL(text);
  if (href === `${origin}/`) return origin;
  const message = `must be an origin such as ${origin}, without a path, a query or a password: ClipSwap needs a host name of its own`;
  ctx.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/**
 * An address is refused that can be read in several ways: with a bare # or / in its password, what comes before is taken
 * for the host and the port.
 */
const databaseUrl = z
  .string()
  .refine(
    isPlainAddress,
    'must be postgres://user:password@host:5432/name. In the user and the password write % as %25, # as %23, / as %2F, ? as %3F, @ as %40 and : as %3A; or leave the password out and set PGPASSWORD to it as it is',
  );

function isPlainAddress(text: string): boolean {
  if (!z.url({ protocol: /^postgres(ql)?$/ }).safeParse(text).success) return false;
  const { username, password, pathname, search, hash } = new URL(text);
  try {
    decodeURIComponent(username + password);
  } catch {
    return false;
  }
  return hash === '' && !pathname.includes('@') && !/^\/[^/]*\//.test(pathname) && !search.includes('@');
}

/** What passes over plain http: leaves this machine for nobody. */
function isSafeIssuer(text: string): boolean {
  const { protocol, hostname, search, hash } = new URL(text);
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return search === '' && hash === '' && (protocol === 'https:' || isHere);
}

/** Every setting under its name in the environment. `.env.example` lists the same; a test compares the two. */
export const environmentSchema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  WEB_CONCURRENCY: z.coerce.number().int().min(1).max(256).default(1),
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_SDK_DISABLED: flag.default(false),
  PUBLIC_URL: publicUrl.optional(),
  ALLOW_INSECURE_PUBLIC_URL: flag.default(false),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_REPLICA_URL: databaseUrl.optional(),
  DATABASE_REPLICA_MAX_LAG: z.coerce.number().int().min(1).max(30).default(5),
  DATABASE_PREPARED_STATEMENTS: flag.optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  REDIS_PREFIX: z
    .string()
    .regex(/^[\w.:-]{1,64}$/, 'must be up to 64 letters, digits and . : _ -')
    .default('clipswap:'),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(500).default(10),
  DATA_DIR: z.string().min(1).default('./.data'),
  MARKET_DIR: z.string().min(1).optional(),
  FILES_DIR: z.string().min(1).optional(),
  SECRET_KEY: z
    .string()
    .refine(
      (text) => text.split(',').every(isSecretKey),
      'must be 32 bytes in base64, or several such keys with commas between them',
    )
    .optional(),
  SEED_DEMO: flag.optional(),
  TRUST_PROXY: trustedProxiesSchema,
  DEFAULT_LANGUAGE: languageSchema.optional(),
  COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'must be the name of a header, such as CF-IPCountry')
    .optional(),
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().min(1).optional(),
  STRIPE_WEBHOOK_SECRETS: z.string().min(1).optional(),
  STRIPE_API_BASE: z.url({ protocol: /^https?$/ }).default('https://api.stripe.com'),
  PAYPAL_CLIENT_ID: z.string().min(1).optional(),
  PAYPAL_CLIENT_SECRET: z.string().min(1).optional(),
  PAYPAL_PARTNER_ID: z.string().min(1).optional(),
  PAYPAL_WEBHOOK_ID: z.string().min(1).optional(),
  PAYPAL_ATTRIBUTION_ID: z.string().min(1).optional(),
  PAYPAL_API_BASE: z.url({ protocol: /^https?$/ }).default('https://api-m.paypal.com'),
  BUYER_FEE_PERCENT: percent.default(500),
  BUYER_FEE_MINIMUM_CENTS: feeMinimum,
  SELLER_FEE_PERCENT: percent.default(500),
  SELLER_FEE_MINIMUM_CENTS: feeMinimum,
  GUARANTEE_DAYS: z
    .enum(GUARANTEE_DAYS.map(String), `must be one of ${GUARANTEE_DAYS.join(', ')}`)
    .default(String(DEFAULT_GUARANTEE.days))
    .transform(guaranteeDaysOf),
  GUARANTEE_RESERVE_PERCENT: z.coerce
    .number()
    .int()
    .min(0)
    .max(100)
    .default(DEFAULT_GUARANTEE.reservePercent),
  RING_PEOPLE_MAX: z.coerce.number().int().min(2).max(RING_PEOPLE.max).default(DEFAULT_RING_PEOPLE),
  CLAIM_DAYS: z.coerce.number().int().min(CLAIM_DAYS.min).max(CLAIM_DAYS.max).default(CLAIM_DAYS.default),
  DEPOSIT_FROM_NEWCOMERS_CENTS: z.coerce.number().pipe(newcomerDepositSchema).default(0),
  MARKET_DAY_HOUR: z
    .union([z.literal('off'), z.coerce.number().int().min(0).max(23)], 'must be an hour from 0 to 23, or off')
    .default(DEFAULT_HOUR),
  MARKET_TIME_ZONE: timeZoneSchema.default('UTC'),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_BUCKET: z.string().min(1).optional(),
  S3_REGION: z.string().min(1).optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  VALIDATORS_FILE: z.string().min(1).optional(),
  VALIDATOR_ORIGINS: origins.default([]),
  WEBHOOK_ORIGINS: origins.default([]),
  FEEDS_FILE: z.string().min(1).optional(),
  SANDBOX_URL: z.url({ protocol: /^http$/ }).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().min(3).optional(),
  SUPPORT_EMAIL: z.email().optional(),
  INBOUND_MAIL_DOMAIN: z
    .string()
    .regex(
      /^(?:[a-z\d-]{1,63}\.)+[a-z\d-]{2,63}$/,
      'must be a domain in small letters, such as in.example.org',
    )
    .optional(),
  INBOUND_MAIL_PROVIDER: z.enum(['postmark', 'mailgun', 'sendgrid']).optional(),
  INBOUND_MAIL_SECRET: z.string().min(16, 'must be at least 16 characters long').optional(),
  OPENID_ISSUER: z
    .url({ protocol: /^https?$/ })
    .refine(isSafeIssuer, 'must be an https: address without a query')
    .optional(),
  OPENID_CLIENT_ID: z.string().min(1).optional(),
  OPENID_CLIENT_SECRET: z.string().min(1).optional(),
  OPENID_NAME: z.string().min(1).max(40).optional(),
  OPENID_SCOPES: z
    .string()
    .refine((text) => text.split(' ').includes('openid'), 'must have openid among its words')
    .default('openid email'),
  APPLE_WALLET_CERTIFICATE_FILE: z.string().min(1).optional(),
  APPLE_WALLET_KEY_FILE: z.string().min(1).optional(),
  APPLE_WALLET_AUTHORITY_FILE: z.string().min(1).optional(),
  GOOGLE_WALLET_ISSUER_ID: z
    .string()
    .regex(/^\d{1,30}$/, 'must be the number of an issuer')
    .optional(),
  GOOGLE_WALLET_SERVICE_ACCOUNT_FILE: z.string().min(1).optional(),
  INDEXNOW_KEY: z
    .string()
    .regex(/^[A-Za-z0-9-]{8,128}$/)
    .optional(),
  GOOGLE_SERVICE_ACCOUNT_FILE: z.string().min(1).optional(),
  BING_API_KEY: z.string().min(1).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export type Settings = z.infer<typeof environmentSchema>;

export type Environment = Record<string, string | undefined>;

/** The environment; a `.env` file in the working folder sets what the environment leaves out. */
export function readEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}
