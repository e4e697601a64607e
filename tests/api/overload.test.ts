import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { REQUESTS_PER_CONNECTION } from '#server/rest/shedding.ts';
import { createTestApp, type TestApp } from '#server/testing/app.ts';

const POOL = 2;
const MOST = POOL * REQUESTS_PER_CONNECTION;

let test: TestApp;
let webRoot: string;
beforeAll(async () => {
  webRoot = mkdtempSync(path.join(tmpdir(), 'clipswap-web-'));
  writeFileSync(path.join(webRoot, 'index.html'), '<html><head><title></title></head><body></body></html>');
  test = await createTestApp({ webRoot, config: { databasePoolSize: POOL } });
});
afterAll(async () => {
  await test.close();
  rmSync(webRoot, { recursive: true });
});

const read = (url = '/api/coupons') => test.call(null, { method: 'GET', url });

it('answers so many requests at a time, refuses more at once, and serves everybody again afterwards', async () => {
  const status = async (url: string) => (await read(url)).statusCode;
  let waiting: ReturnType<typeof read>[] = [];
  await test.database.db.transaction().execute(async (trx) => {
    // Nobody can read coupons until this transaction ends.
    await sql`lock table coupons in access exclusive mode`.execute(trx);
    waiting = Array.from({ length: MOST }, () => read());
    const refused = await Promise.race([read(), ...waiting]);
    expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([
      503,
      '2',
      {
        error: 'ClipSwap has more visitors than it can serve right now. Please try again in a moment.',
        code: 'unavailable',
        requestId: expect.any(String),
      },
    ]);
    expect(refused.headers['x-content-type-options']).toBe('nosniff');
    for (const url of ['/sitemap.xml', '/sitemaps/coupons-1.xml']) expect(await status(url)).toBe(503);
    expect(await status('/healthz')).toBe(200);
    expect(await status('/readyz')).toBe(200);
    const page = await read('/coupons/1');
    expect([page.statusCode, page.headers['retry-after'], page.headers['content-type']]).toEqual([
      503,
      '2',
      'text/html; charset=utf-8',
    ]);
    expect(await status('/')).toBe(200);
  });
  const answers = await Promise.all(waiting);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(MOST).fill(200));
  expect(await status('/api/coupons')).toBe(200);
});
