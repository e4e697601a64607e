import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from './config.ts';
import { environmentSchema } from './environment.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'clipswap-config-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

/** The settings of .env.example, by name. */
function exampleSettings(): Record<string, string> {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../../.env.example'), 'utf8');
  const lines = text.split('\n').filter((line) => /^[A-Z]/.test(line));
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

describe('.env.example', () => {
  it('lists exactly the settings that the program reads', () => {
    expect(Object.keys(exampleSettings()).sort()).toEqual(Object.keys(environmentSchema.shape).sort());
  });

  it('gives every setting its default', () => {
    const fromExample = loadConfig({ ...exampleSettings(), DATA_DIR: dataDir });
    const fromNothing = loadConfig({ DATA_DIR: dataDir });
    // It names all of them; what an admin can change has no value there, or it would be locked.
    expect({ ...fromExample, setIn: null }).toEqual({ ...fromNothing, setIn: null });
    expect(fromExample.setIn.environment).not.toContain('BUYER_FEE_PERCENT');
  });
});

const PRODUCTION = {
  PUBLIC_URL: 'https://clipswap.example',
  DATABASE_URL: 'postgres://clipswap@db/clipswap',
  SECRET_KEY: randomBytes(32).toString('base64'),
  FILES_DIR: '/srv/pictures',
};
const LIVE = {
  STRIPE_SECRET_KEY: 'rk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRETS: 'whsec_1',
  PAYPAL_CLIENT_ID: 'client',
  PAYPAL_CLIENT_SECRET: 'secret',
  PAYPAL_PARTNER_ID: 'partner',
  PAYPAL_WEBHOOK_ID: 'hook',
};

describe('loadConfig', () => {
  it('reports each wrong setting', () => {
    expect(() => loadConfig({ PORT: 'many', SECRET_KEY: 'c2hvcnQ=' })).toThrow(
      /PORT:.*\n.*SECRET_KEY: must be 32 bytes/,
    );
  });

  it.each([
    ['APPLE_WALLET_KEY_FILE', 'APPLE_WALLET_CERTIFICATE_FILE, APPLE_WALLET_AUTHORITY_FILE'],
    ['GOOGLE_WALLET_SERVICE_ACCOUNT_FILE', 'GOOGLE_WALLET_ISSUER_ID'],
  ])('refuses a wallet that is set up by halves: only %s', (name, missing) => {
    expect(() => loadConfig({ DATA_DIR: dataDir, [name]: 'x' })).toThrow(
      `These settings are missing beside the others: ${missing}`,
    );
  });

  it('refuses to run in production without its required settings', () => {
    expect(() => loadConfig({ NODE_ENV: 'production', DATA_DIR: dataDir })).toThrow(
      'Production needs these settings: PUBLIC_URL, DATABASE_URL, SECRET_KEY',
    );
  });

  it('refuses to run in production without a permanent place for pictures', () => {
    const { FILES_DIR: _, ...env } = { ...PRODUCTION, NODE_ENV: 'production' };
    expect(() => loadConfig(env)).toThrow(/needs a place that keeps pictures: .*S3_BUCKET.*FILES_DIR/);
    const folderOf = (given: object) => loadConfig({ ...env, ...given }).storage;
    expect(folderOf({ FILES_DIR: '/srv/pictures' })).toMatchObject({ folder: '/srv/pictures' });
    expect(folderOf({ DATA_DIR: '/srv/data' })).toMatchObject({ folder: '/srv/data/files' });
    const s3 = {
      S3_ENDPOINT: 'https://s3.example/',
      S3_BUCKET: 'pictures',
      S3_REGION: 'eu',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'key',
    };
    expect(folderOf(s3)).toMatchObject({ kind: 's3', endpoint: 'https://s3.example' });
    expect(() => folderOf({ ...s3, FILES_DIR: '/srv/pictures' })).toThrow('not both');
  });

  it.each([
    ['', false],
    ['false', false],
    ['2', 2],
    ['10.0.0.0/8', ['10.0.0.0/8']],
    ['127.0.0.1, ::1,fd00::/8', ['127.0.0.1', '::1', 'fd00::/8']],
  ])('takes TRUST_PROXY=%s', (text, trustProxy) => {
    expect(loadConfig({ TRUST_PROXY: text, DATA_DIR: dataDir }).trustProxy).toEqual(trustProxy);
  });

  it.each(['true', '0', 'everybody', '10.0.0.0/99'])('refuses TRUST_PROXY=%s', (text) => {
    expect(() => loadConfig({ TRUST_PROXY: text, DATA_DIR: dataDir })).toThrow(
      /TRUST_PROXY: must be false, the number of proxies .* or their addresses/,
    );
  });

  it('refuses an unencrypted address in production unless that is asked for by name', () => {
    const env = { ...PRODUCTION, NODE_ENV: 'production', PUBLIC_URL: 'http://clipswap.example' };
    expect(() => loadConfig(env)).toThrow('needs an https: address in PUBLIC_URL');
    expect(loadConfig({ ...env, ALLOW_INSECURE_PUBLIC_URL: 'true' }).publicUrl).toBe(env.PUBLIC_URL);
    expect(loadConfig({ ...env, PUBLIC_URL: 'https://clipswap.example' }).isProduction).toBe(true);
    expect(loadConfig({ ...env, NODE_ENV: 'test' }).publicUrl).toBe(env.PUBLIC_URL);
  });

  it.each([
    ['zeros', Buffer.alloc(32)],
    ['one byte', Buffer.alloc(32, 0xa7)],
    ['a few bytes over and over', Buffer.alloc(32, Buffer.from('deadbeef01', 'hex'))],
    ['bytes that count up', Buffer.from(Array.from({ length: 32 }, (_, at) => at + 1))],
    ['bytes that count down', Buffer.from(Array.from({ length: 32 }, (_, at) => 255 - at * 3))],
    ['text', Buffer.from('changeme-please-this-is-my-key!!')],
  ])('refuses a key of %s in production', (_of, key) => {
    const env = { ...PRODUCTION, SECRET_KEY: key.toString('base64') };
    expect(() => loadConfig({ ...env, NODE_ENV: 'production' })).toThrow('SECRET_KEY can be guessed');
    expect(loadConfig({ ...env, NODE_ENV: 'test' }).secretKeys).toEqual([key]);
  });

  it.each([
    ['STRIPE_SECRET_KEY', 'sk_test_1', 'is a test key'],
    ['STRIPE_SECRET_KEY', 'rk_test_1', 'is a test key'],
    ['STRIPE_SECRET_KEY', 'pk_live_1', 'begins with sk_live_ or rk_live_'],
    ['STRIPE_PUBLISHABLE_KEY', 'pk_test_1', 'is a test key'],
    ['STRIPE_PUBLISHABLE_KEY', 'sk_live_1', 'begins with pk_live_'],
    ['STRIPE_WEBHOOK_SECRETS', 'whsec_1, sk_live_1', 'begins with whsec_'],
    ['PAYPAL_API_BASE', 'https://api-m.sandbox.paypal.com', 'no real money moves'],
    ['PAYPAL_API_BASE', 'https://api.Sandbox.PayPal.com/', 'no real money moves'],
    ['PAYPAL_API_BASE', 'http://127.0.0.1:4000/paypal', 'no real money moves'],
    ['STRIPE_API_BASE', 'http://127.0.0.1:4000', 'no real money moves'],
    ['SANDBOX_URL', 'http://127.0.0.1:4000', 'no real money moves'],
    ['SEED_DEMO', 'true', 'password that everybody knows'],
    ['WEBHOOK_ORIGINS', 'http://127.0.0.1:4000', 'webhooks of members reach this machine'],
  ])('refuses %s=%s in production, in one line', (name, value, why) => {
    const env = { ...PRODUCTION, ...LIVE };
    expect(loadConfig({ ...env, NODE_ENV: 'production' })).toMatchObject({
      stripe: { secretKey: 'rk_live_1' },
      paypal: { apiBase: 'https://api-m.paypal.com' },
      seedDemo: false,
    });
    const refused = () => loadConfig({ ...env, [name]: value, NODE_ENV: 'production' });
    expect(refused).toThrow(new RegExp(`^${name}[^\n]*${why}[^\n]*$`));
    expect(refused).not.toThrow(/(live|test)_1/);
  });

  it('refuses live keys of Stripe beside test keys anywhere', () => {
    const keys = { ...LIVE, DATA_DIR: dataDir };
    for (const [name, value] of [
      ['STRIPE_SECRET_KEY', 'sk_test_1'],
      ['STRIPE_PUBLISHABLE_KEY', 'pk_test_1'],
    ] as const)
      expect(() => loadConfig({ ...keys, [name]: value })).toThrow(/^STRIPE_PUBLISHABLE_KEY.*other kind/);
    const both = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
    expect(loadConfig({ ...keys, ...both }).stripe).toMatchObject({ secretKey: 'sk_test_1' });
  });

  it.each([
    ['https://clipswap.example', true],
    ['https://93.184.216.34:8443', true],
    ['https://[2a00:1450::1]', true],
    ['https://localhost:3000', false],
    ['https://clipswap.localhost', false],
    ['https://box.local', false],
    ['https://box', false],
    ['https://192.168.1.20', false],
    ['https://[::1]:3000', false],
    ['http://clipswap.example', false],
  ])('development refuses a public HTTPS address: %s', (publicUrl, isRefused) => {
    const start = () => loadConfig({ DATA_DIR: dataDir, PUBLIC_URL: publicUrl }).publicUrl;
    if (isRefused)
      expect(start).toThrow(/^PUBLIC_URL .*NODE_ENV=development.*\/sandbox\/mail.*NODE_ENV=production/);
    else expect(start()).toBe(publicUrl);
  });

  it.each([
    'https://a.example/shop',
    'https://a.example/?a=1',
    'https://a.example/#a',
    'https://me:secret@a.example',
  ])('refuses an address of people that is more than an origin: %s', (publicUrl) => {
    const start = (PUBLIC_URL: string) => loadConfig({ ...PRODUCTION, NODE_ENV: 'production', PUBLIC_URL });
    expect(() => start(publicUrl)).toThrow(/PUBLIC_URL: .*https:\/\/a\.example.*without a path/);
    expect(start('https://A.example/').publicUrl).toBe('https://a.example');
  });

  it.each(['pa#ss', 'pa/ss', '12/ss', '12?ss', 'pa?s@s', '50%', '#', '%zz'])(
    'refuses a database address with the bare password %s, and says how to write it, but not what it is',
    (password) => {
      const start = (DATABASE_URL: string) => loadConfig({ DATA_DIR: dataDir, DATABASE_URL }).databaseUrl;
      const refused = () => start(`postgres://clip:${password}@db.example:5432/clipswap`);
      expect(refused).toThrow(/DATABASE_URL: .*# as %23, \/ as %2F.*PGPASSWORD/);
      if (password.length > 1) expect(refused).not.toThrow(password);
      const written = `postgres://clip:${encodeURIComponent(password)}@db.example:5432/clipswap?sslmode=require`;
      expect(start(written)).toBe(written);
    },
  );

  it.each([
    'postgres://clip@db/clipswap',
    'postgresql://db',
    'postgres:///clipswap?host=/run/postgresql&user=clip',
  ])('takes the database address %s', (url) =>
    expect(loadConfig({ DATA_DIR: dataDir, DATABASE_URL: url }).databaseUrl).toBe(url),
  );

  it('reads the fees of each party as basis points and cents', () => {
    const ratesOf = (given: object) => loadConfig({ DATA_DIR: dataDir, ...given }).feeRates;
    const five = { basisPoints: 500, minimum: 0 };
    expect(ratesOf({})).toEqual({ buyer: five, seller: five });
    const given = { BUYER_FEE_PERCENT: '0', BUYER_FEE_MINIMUM_CENTS: '99', SELLER_FEE_PERCENT: '6.25' };
    expect(ratesOf(given)).toEqual({
      buyer: { basisPoints: 0, minimum: 99 },
      seller: { basisPoints: 625, minimum: 0 },
    });
  });

  it.each([
    ['BUYER_FEE_PERCENT', '50.01'],
    ['SELLER_FEE_PERCENT', '-1'],
    ['SELLER_FEE_PERCENT', '5%'],
    ['SELLER_FEE_PERCENT', '4.125'],
    ['BUYER_FEE_MINIMUM_CENTS', '300'],
    ['SELLER_FEE_MINIMUM_CENTS', '0.5'],
    ['RING_PEOPLE_MAX', '7'],
    ['CLAIM_DAYS', '4'],
    ['DEPOSIT_FROM_NEWCOMERS_CENTS', '199'],
    ['GUARANTEE_DAYS', '43'],
    ['GUARANTEE_RESERVE_PERCENT', '101'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => loadConfig({ DATA_DIR: dataDir, [name]: value })).toThrow(`${name}:`);
  });

  it('stores the generated key in a file that only its owner can read', () => {
    const first = loadConfig({ DATA_DIR: dataDir }).secretKeys;
    expect(first.map((key) => key.length)).toEqual([32]);
    expect(loadConfig({ DATA_DIR: dataDir }).secretKeys).toEqual(first);
    expect(statSync(path.join(dataDir, 'secret-key')).mode & 0o077).toBe(0);
  });
});
