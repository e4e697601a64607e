import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Settings } from './environment.ts';
import { isObviousKey, keysOf } from './secret-key.ts';

/** What the keys and secrets of Stripe that move real money begin with. */
const STRIPE_LIVE = {
  STRIPE_SECRET_KEY: ['sk_live_', 'rk_live_'],
  STRIPE_PUBLISHABLE_KEY: ['pk_live_'],
  STRIPE_WEBHOOK_SECRETS: ['whsec_'],
} as const;

/** @throws Error that names the setting, on settings that production cannot mean */
export function refuseUnsafe(settings: Settings): void {
  const {
    PUBLIC_URL = '',
    ALLOW_INSECURE_PUBLIC_URL,
    SECRET_KEY = '',
    STRIPE_API_BASE,
    PAYPAL_API_BASE,
    SANDBOX_URL,
    SEED_DEMO,
    WEBHOOK_ORIGINS,
  } = settings;
  if (!PUBLIC_URL.startsWith('https:') && !ALLOW_INSECURE_PUBLIC_URL)
    throw new Error(
      'Production needs an https: address in PUBLIC_URL. On a network that nobody else can read, ALLOW_INSECURE_PUBLIC_URL=true allows http:',
    );
  // An older key may be weak: a rotation replaces it.
  if (isObviousKey(keysOf(SECRET_KEY)[0]))
    throw new Error('SECRET_KEY can be guessed. Draw one: openssl rand -base64 32');
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRETS'] as const)
    refuseNotLive(name, settings[name]);
  if (new URL(PAYPAL_API_BASE).hostname.endsWith('.sandbox.paypal.com'))
    throw new Error(
      'PAYPAL_API_BASE is the address of PayPal’s sandbox, where no real money moves. Leave it out in production',
    );
  for (const [name, value] of Object.entries({ SANDBOX_URL, STRIPE_API_BASE, PAYPAL_API_BASE }))
    if (value?.startsWith('http:'))
      throw new Error(
        `${name} is the address of a sandbox, where no real money moves. Leave it out in production`,
      );
  if (WEBHOOK_ORIGINS.length > 0)
    throw new Error(
      'WEBHOOK_ORIGINS lets the webhooks of members reach this machine. Leave it out in production',
    );
  if (SEED_DEMO)
    throw new Error(
      'SEED_DEMO fills in people with a password that everybody knows. Leave it out in production',
    );
}

function refuseNotLive(name: keyof typeof STRIPE_LIVE, given = ''): void {
  const begins: readonly string[] = STRIPE_LIVE[name];
  const wrong = given.split(',').find((part) => !begins.some((live) => part.trim().startsWith(live)));
  if (given === '' || wrong === undefined) return;
  const expected = `one of production begins with ${begins.join(' or ')}`;
  throw new Error(
    /^\s*[srp]k_test_/.test(wrong)
      ? `${name} is a test key, with which no real money moves: ${expected}`
      : `${name} is not what Stripe calls by that name: ${expected}`,
  );
}

/** @throws Error where everybody could reach what only a developer should see */
export function refusePublicDevelopment({ PUBLIC_URL = '' }: Settings): void {
  if (PUBLIC_URL.startsWith('https:') && isPublic(new URL(PUBLIC_URL).hostname))
    throw new Error(
      `PUBLIC_URL is open to everybody, but NODE_ENV=development has people with a known password and shows all mail at ${PUBLIC_URL}/sandbox/mail. Set NODE_ENV=production`,
    );
}

/** Hosts that mean this machine or its network. */
const LOCAL_NAME = /^[^.]+$|\.(?:localhost|local|lan|internal|test|home\.arpa)$/;

/** Whether a host name or an address is one that everybody may reach, as far as the name tells. */
export function isPublic(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return isIP(address) ? ipaddr.process(address).range() === 'unicast' : !LOCAL_NAME.test(hostname);
}
