import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#server/core/config.ts';
import { createLogger } from '#server/core/log.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';

/** What the server believes of X-Forwarded-For. */

let site: TestApp | undefined;
const logged: string[] = [];
afterEach(async () => {
  await site?.close();
  logged.length = 0;
});

const PROXY = '10.0.0.2';
const TRIES = 25;

async function behind(setting: string): Promise<TestApp> {
  const { trustProxy } = loadConfig({
    TRUST_PROXY: setting,
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  });
  const sink = new PassThrough().on('data', (line) => logged.push(String(line)));
  const log = createLogger({ logLevel: 'info', isProduction: true }, sink);
  const config = { trustProxy, isProduction: true, logLevel: 'info' } as const;
  site = await createTestApp({ withLimits: true, log, config });
  // A wrong password of somebody known is judged quickly.
  for (let i = 0; i < TRIES; i += 1) await createUser(site.ctx, { username: `somebody-${i}` });
  return site;
}

/** How many of the wrong passwords were judged, each sent with another X-Forwarded-For. */
async function judged(app: TestApp, headerOf: (i: number) => string, ip = PROXY): Promise<number> {
  let count = 0;
  for (let i = 0; i < TRIES; i += 1) {
    const { statusCode } = await app.call(null, {
      method: 'POST',
      url: '/api/login',
      body: { username: `somebody-${i}`, password: 'wrong' },
      headers: { 'x-forwarded-for': headerOf(i) },
      ip,
    });
    if (statusCode === 401) count += 1;
  }
  return count;
}

/** The addresses in the log's lines of requests. */
const loggedAddresses = () => new Set(logged.flatMap((line) => (/"ip":"([^"]*)"/.exec(line) ?? []).slice(1)));

describe('an address that a client makes up', () => {
  it.each([
    ['1', (i: number) => `198.51.100.${i}, 203.0.113.7`],
    ['10.0.0.0/8', (i: number) => `198.51.100.${i}, 203.0.113.7`],
    ['2', (i: number) => `198.51.100.${i}, 203.0.113.7, 10.0.0.1`],
    ['10.0.0.1, 10.0.0.2', (i: number) => `198.51.100.${i}, 203.0.113.7, 10.0.0.1`],
  ])('gets nobody past a limit behind TRUST_PROXY=%s', async (setting, headerOf) => {
    expect(await judged(await behind(setting), headerOf)).toBe(20);
    expect(loggedAddresses()).toEqual(new Set(['203.0.113.7']));
  });

  it.each(['1', '10.0.0.0/8'])(
    'that is none counts as the proxy’s own behind TRUST_PROXY=%s',
    async (setting) => {
      expect(await judged(await behind(setting), (i) => `junk-${i}`)).toBe(20);
      expect(loggedAddresses()).toEqual(new Set([PROXY]));
    },
  );

  it.each(['false', '10.0.0.0/8'])('is not believed from others with TRUST_PROXY=%s', async (setting) => {
    const app = await behind(setting);
    expect(await judged(app, (i) => `198.51.100.${i}`, '203.0.113.9')).toBe(20);
    expect(loggedAddresses()).toEqual(new Set(['203.0.113.9']));
  });
});

it('people behind one proxy have limits of their own', async () => {
  expect(await judged(await behind('1'), (i) => `198.51.100.${i}`)).toBe(TRIES);
});
