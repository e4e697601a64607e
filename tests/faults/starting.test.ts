import { afterAll, beforeAll, expect, it } from 'vitest';
import { setUpDatabase } from '#server/testing/database.ts';
import { itLong } from '#server/testing/long-form.ts';
import { freePort } from '../browser/site.ts';
import { type ServerProcess, spawnProgram, withoutLimits } from '../processes.ts';
import { type FaultProxy, openFaultProxy, through } from './proxy.ts';

const database = setUpDatabase();
let proxy: FaultProxy;
let server: ServerProcess | undefined;
beforeAll(async () => {
  proxy = await openFaultProxy({ port: Number(new URL(database.url).port) });
});
afterAll(async () => {
  await server?.stop();
  await proxy.close();
});

async function start(databaseUrl: string): Promise<ServerProcess> {
  server = await spawnProgram({
    DATABASE_URL: withoutLimits(databaseUrl),
    SECRET_KEY: Buffer.alloc(32, 'test vault key').toString('base64'),
    PORT: String(await freePort()),
  });
  return server;
}

const ask = (path: string) => fetch(`${server?.url}${path}`).catch(() => null);

it('a process that starts while its database is away waits for it, and answers 503 meanwhile', async () => {
  await proxy.set('refuse');
  const { isAlive, output, stop } = await start(through(proxy, database.url));
  await expect
    .poll(async () => (await ask('/readyz'))?.status ?? (isAlive() ? 'silent' : output()))
    .toBe(503);
  expect((await ask('/healthz'))?.status).toBe(200);
  const refused = await ask('/api/coupons');
  expect([refused?.status, refused?.headers.get('retry-after'), await refused?.json()]).toEqual([
    503,
    '2',
    { error: 'ClipSwap is starting. Please try again in a moment.', code: 'unavailable' },
  ]);
  await proxy.set('none');
  await expect.poll(async () => (await ask('/readyz'))?.status).toBe(200);
  expect((await ask('/api/coupons'))?.status).toBe(200);
  expect(isAlive()).toBe(true);
  await stop();
});

itLong('a process with a wrong password for the database ends, and says so', async () => {
  const url = new URL(through(proxy, database.url));
  url.password = 'wrong';
  const { isAlive, output } = await start(url.href);
  await expect.poll(isAlive).toBe(false);
  expect(output()).toContain('password authentication failed');
});
