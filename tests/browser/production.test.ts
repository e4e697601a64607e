import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { type ServerProcess, spawnProgram, startServer, withoutLimits } from '../processes.ts';
import { freePort } from './site.ts';

/** The program as an operator starts it: another process, NODE_ENV=production, the built pages. */

const PUBLIC_URL = 'https://clipswap.example';

let database: TestDatabase;
let filesDir: string;
let settings: Record<string, string> & { PORT: string };
let server: ServerProcess;

beforeAll(async () => {
  expect(existsSync(path.resolve(import.meta.dirname, '../../dist/web/index.html')), 'npm run build').toBe(
    true,
  );
  database = await createTestDatabase();
  filesDir = mkdtempSync(path.join(tmpdir(), 'clipswap-files-'));
  settings = {
    NODE_ENV: 'production',
    PUBLIC_URL,
    DATABASE_URL: withoutLimits(database.url),
    SECRET_KEY: randomBytes(32).toString('base64'),
    FILES_DIR: filesDir,
    PORT: String(await freePort()),
  };
  server = await startServer(settings);
});
afterAll(async () => {
  await server.stop();
  await database.close();
  rmSync(filesDir, { recursive: true });
});

const ask = (url: string, init: RequestInit = {}) => fetch(server.url + url, { redirect: 'manual', ...init });

const send = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: PUBLIC_URL, ...headers },
    body: JSON.stringify(body),
  });

/** A policy by directive. */
function policyOf(answer: Response): Record<string, string[]> {
  const parts = (answer.headers.get('content-security-policy') ?? '').split(';');
  return Object.fromEntries(
    parts.map((part) => part.trim().split(' ')).map(([name = '', ...of]) => [name, of]),
  );
}

const register = (username: string) =>
  send('/api/register', {
    username,
    email: `${username}@example.org`,
    password: TEST_PASSWORD,
    acceptTerms: true,
    isAdult: true,
  });

describe('every answer in production', () => {
  it.each([
    '/',
    '/coupons/1',
    '/robots.txt',
    '/api/coupons',
    '/api/nothing',
    '/api/trpc/coupons.list',
    '/nothing.js',
  ])('has the security headers: %s', async (url) => {
    const { headers } = await ask(url);
    expect(Object.fromEntries(headers)).toMatchObject({
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('publickey-credentials-create=(self)'),
    });
    expect(headers.has('x-powered-by')).toBe(false);
  });

  it.each(['/', '/coupons/1', '/api/coupons', '/api/nothing'])('has a strict policy: %s', async (url) => {
    const policy = policyOf(await ask(url));
    expect(policy).toMatchObject({
      'object-src': ["'none'"],
      'base-uri': ["'none'"],
      'frame-ancestors': ["'none'"],
    });
    const scripts = (policy['script-src'] ?? policy['default-src'] ?? []).join(' ');
    expect(scripts).not.toBe('');
    expect(scripts).not.toMatch(/'unsafe-(inline|eval)'|\*|http:/);
  });
});

describe('a page in production', () => {
  it('has a new nonce each time, and its scripts bear that one', async () => {
    const nonces = [];
    for (const _ of [1, 2]) {
      const answer = await ask('/');
      const [, nonce] = /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '') ?? [];
      expect(nonce).toMatch(/^[\w+/=]{22,}$/);
      const inline = [...(await answer.text()).matchAll(/<script(?![^>]*\bsrc=)([^>]*)>/g)];
      expect(inline.length).toBeGreaterThan(0);
      for (const [, attributes] of inline) expect(attributes).toContain(`nonce="${nonce}"`);
      nonces.push(nonce);
    }
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  it('keeps private answers out of caches', async () => {
    expect((await ask('/api/user')).headers.get('cache-control')).toBe('no-store');
    expect((await ask('/')).headers.get('cache-control')).toBe('no-cache');
  });
});

describe('a session in production', () => {
  it('is a cookie for this host alone, over HTTPS alone, out of the reach of scripts', async () => {
    const answer = await register('in-production');
    expect(answer.status).toBe(201);
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split('; '));
    const pairs = cookies.map(([pair]) => pair);
    expect(pairs.toSorted()).toEqual([
      expect.stringMatching(/^__Host-clipswap-device=[\w-]{20,}$/),
      expect.stringMatching(/^__Host-clipswap=[\w-]{20,}$/),
    ]);
    for (const [, ...attributes] of cookies) {
      expect(attributes.filter((attribute) => !/^Max-Age=\d{7,}$/.test(attribute)).sort()).toEqual([
        'HttpOnly',
        'Path=/',
        'SameSite=Lax',
        'Secure',
      ]);
    }
    const pair = pairs.find((each) => each?.startsWith('__Host-clipswap=')) ?? '';
    expect((await ask('/api/user', { headers: { cookie: pair } })).status).toBe(200);
    // Without the prefix anybody on a neighbouring host could have set it.
    const plain = pair.replace('__Host-', '');
    expect((await ask('/api/user', { headers: { cookie: plain } })).status).toBe(401);
  });

  it('is not had by another site, nor by the address behind the proxy', async () => {
    for (const origin of ['https://evil.example', server.url, 'http://clipswap.example', 'null']) {
      const answer = await send(
        '/api/login',
        { username: 'in-production', password: TEST_PASSWORD },
        { origin },
      );
      expect([origin, answer.status]).toEqual([origin, 403]);
    }
  });
});

describe('what helps developers', () => {
  it('is not there', async () => {
    for (const url of ['/sandbox/mail', '/sandbox/stripe/browser/stripe.js']) {
      const answer = await ask(url);
      expect([url, answer.status]).toEqual([url, 404]);
    }
    const broken = await ask('/api/trpc/coupons.byId?input=%7B');
    expect(await broken.text()).not.toMatch(/\bat \S+ \(|node_modules|\.ts:\d/);
  });
});

describe('a start in production', () => {
  it('is refused on a database with the demo in it', async () => {
    const ctx = createTestContext(database);
    const demo = await createUser(ctx, { isDemo: true });
    const refused = await spawnProgram({ ...settings, PORT: String(await freePort()) });
    await expect.poll(refused.isAlive).toBe(false);
    expect(refused.output()).toMatch(/DATABASE_URL names a database with the people of the demo/);
    await ctx.db.updateTable('users').set({ isDemo: false }).where('id', '=', demo.id).execute();
  });
});
