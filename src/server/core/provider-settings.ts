import path from 'node:path';
import type { Settings } from './environment.ts';
import { withoutEnd } from './text.ts';

/** Our account with Stripe. */
export interface StripeSettings {
  readonly secretKey: string;
  readonly publishableKey: string;
  /** One for each of Stripe's endpoints that call us; while a secret is being changed, the old and the new one. */
  readonly webhookSecrets: readonly string[];
  /** Such as https://api.stripe.com */
  readonly apiBase: string;
  /** The sandbox's script for browsers; null: Stripe's own. */
  readonly scriptUrl: string | null;
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
  /** The sandbox's script for browsers; null: PayPal's own. */
  readonly scriptUrl: string | null;
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

/** A service that takes mail for us and delivers it by webhook. */
export interface InboundMailSettings {
  readonly provider: NonNullable<Settings['INBOUND_MAIL_PROVIDER']>;
  /** Behind the @ of people's private addresses. */
  readonly domain: string;
  /** The password in the webhook's address; of Mailgun, its signing key for webhooks. */
  readonly secret: string;
}

/** A provider of OpenID Connect, and this market's account with it. */
export interface OpenIdSettings {
  /** Such as https://accounts.google.com, as the provider writes it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What people know the provider as. */
  readonly name: string;
  /** With spaces between them; `openid` is one of them. */
  readonly scopes: string;
}

/** PEM files: of a pass type's certificate, its private key, and the certificate of who issued it. */
export interface AppleWalletSettings {
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly authorityFile: string;
}

export interface GoogleWalletSettings {
  readonly issuerId: string;
  /** The JSON key file of a service account that may act for the issuer. */
  readonly serviceAccountFile: string;
}

/** The wallets of phones that codes can be added to; each is null when it is not set up. */
export interface WalletSettings {
  readonly apple: AppleWalletSettings | null;
  readonly google: GoogleWalletSettings | null;
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

/** The path of the sandbox's script for browsers, if a provider's API is the sandbox's. */
function sandboxScript({ SANDBOX_URL }: Settings, apiBase: string, script: string): string | null {
  return SANDBOX_URL !== undefined && apiBase.startsWith(SANDBOX_URL) ? `/sandbox/${script}` : null;
}

/** @throws Error where some are missing, or a live key stands beside a test key */
export function stripeOf(env: Settings): StripeSettings | null {
  const names = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRETS'] as const;
  if (!allOrNone(env, names)) return null;
  const { STRIPE_SECRET_KEY = '', STRIPE_PUBLISHABLE_KEY = '', STRIPE_WEBHOOK_SECRETS = '' } = env;
  const isTest = (key: string) => key.includes('_test_');
  if (isTest(STRIPE_SECRET_KEY) !== isTest(STRIPE_PUBLISHABLE_KEY))
    throw new Error(
      'STRIPE_PUBLISHABLE_KEY is of the other kind than STRIPE_SECRET_KEY: set two live keys, or two test keys',
    );
  return {
    secretKey: STRIPE_SECRET_KEY,
    publishableKey: STRIPE_PUBLISHABLE_KEY,
    webhookSecrets: STRIPE_WEBHOOK_SECRETS.split(',').map((secret) => secret.trim()),
    apiBase: env.STRIPE_API_BASE,
    scriptUrl: sandboxScript(env, env.STRIPE_API_BASE, 'stripe/browser/stripe.js'),
  };
}

export function paypalOf(env: Settings): PaypalSettings | null {
  const names = [
    'PAYPAL_CLIENT_ID',
    'PAYPAL_CLIENT_SECRET',
    'PAYPAL_PARTNER_ID',
    'PAYPAL_WEBHOOK_ID',
  ] as const;
  if (!allOrNone(env, names)) return null;
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
    apiBase: withoutEnd(env.PAYPAL_API_BASE, '/'),
    scriptUrl: sandboxScript(env, env.PAYPAL_API_BASE, 'paypal/browser/sdk.js'),
  };
}

/** @throws Error in production without a configured place: the next deployment may remove the default folder */
export function storageOf(env: Settings, dataDir: string, isDataDirNamed: boolean): StorageSettings {
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
    endpoint: withoutEnd(env.S3_ENDPOINT ?? '', '/'),
    bucket: env.S3_BUCKET ?? '',
    region: env.S3_REGION ?? '',
    accessKeyId: env.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: env.S3_SECRET_ACCESS_KEY ?? '',
  };
}

export function mailOf(env: Settings): MailSettings | 'outbox' | null {
  if (!allOrNone(env, ['SMTP_URL', 'MAIL_FROM'] as const)) return env.SANDBOX_URL ? 'outbox' : null;
  return { url: env.SMTP_URL ?? '', from: env.MAIL_FROM ?? '' };
}

/** @throws Error where only some of them are set */
export function inboundMailOf(env: Settings): InboundMailSettings | null {
  const names = ['INBOUND_MAIL_DOMAIN', 'INBOUND_MAIL_PROVIDER', 'INBOUND_MAIL_SECRET'] as const;
  const { INBOUND_MAIL_DOMAIN: domain = '', INBOUND_MAIL_PROVIDER: provider } = env;
  if (!allOrNone(env, names) || !provider) return null;
  return { domain, provider, secret: env.INBOUND_MAIL_SECRET ?? '' };
}

/** @throws Error where only some of them are set */
export function openIdOf(env: Settings): OpenIdSettings | null {
  const names = ['OPENID_ISSUER', 'OPENID_CLIENT_ID', 'OPENID_CLIENT_SECRET', 'OPENID_NAME'] as const;
  const { OPENID_ISSUER: issuer = '', OPENID_CLIENT_ID: clientId = '', OPENID_NAME: name = '' } = env;
  if (!allOrNone(env, names)) return null;
  return { issuer, clientId, clientSecret: env.OPENID_CLIENT_SECRET ?? '', name, scopes: env.OPENID_SCOPES };
}

/** @throws Error where only some settings of a wallet are set */
export function walletsOf(env: Settings): WalletSettings {
  const {
    APPLE_WALLET_CERTIFICATE_FILE: certificateFile = '',
    APPLE_WALLET_KEY_FILE: keyFile = '',
    APPLE_WALLET_AUTHORITY_FILE: authorityFile = '',
    GOOGLE_WALLET_ISSUER_ID: issuerId = '',
    GOOGLE_WALLET_SERVICE_ACCOUNT_FILE: serviceAccountFile = '',
  } = env;
  const hasApple = allOrNone(env, [
    'APPLE_WALLET_CERTIFICATE_FILE',
    'APPLE_WALLET_KEY_FILE',
    'APPLE_WALLET_AUTHORITY_FILE',
  ] as const);
  const hasGoogle = allOrNone(env, [
    'GOOGLE_WALLET_ISSUER_ID',
    'GOOGLE_WALLET_SERVICE_ACCOUNT_FILE',
  ] as const);
  return {
    apple: hasApple ? { certificateFile, keyFile, authorityFile } : null,
    google: hasGoogle ? { issuerId, serviceAccountFile } : null,
  };
}
