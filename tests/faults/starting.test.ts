import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setUpDatabase } from '#tests/support/database.ts';
import { freePort } from '../browser/site.ts';
import { type ServerProcess, spawnProgram, withoutLimits } from '../processes.ts';
import { type FaultProxy, openFaultProxy, through } from './proxy.ts';

const database = setUpDatabase();
let proxy: FaultProxy;
let server: ServerProcess | undefined;
const secretKey = randomBytes(32).toString('base64');
const folder = mkdtempSync(path.join(tmpdir(), 'clipswap-starting-'));
beforeAll(async () => {
  proxy = await openFaultProxy({ port: Number(new URL(database.url).port) });
});
afterAll(async () => {
  await server?.stop();
  await proxy.close();
  rmSync(folder, { recursive: true });
});

async function start(databaseUrl: string, port?: number): Promise<ServerProcess> {
  server = await spawnProgram({
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://starting.example',
    DATABASE_URL: withoutLimits(databaseUrl),
    SECRET_KEY: secretKey,
    DATA_DIR: folder,
    FILES_DIR: folder,
    // Node writes there at the end which files it has loaded.
    NODE_V8_COVERAGE: folder,
    PORT: String(port ?? (await freePort())),
  });
  return server;
}

const ask = (address: string) => fetch(`${server?.url}${address}`).catch(() => null);

/** The packages of which a process has loaded files, once it has ended. */
function loadedPackages(): Set<string | undefined> {
  const [report = ''] = readdirSync(folder).filter((name) => name.startsWith('coverage-'));
  const { result }: { result: { url: string }[] } = JSON.parse(
    readFileSync(path.join(folder, report), 'utf8'),
  );
  return new Set(result.map(({ url }) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]));
}

/** Packages that take much memory, and that this start does not need. */
const NOT_NEEDED = ['ajv', 'kysely', 'pino-pretty', 'stripe', 'zod'];

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
  const loaded = loadedPackages();
  expect(loaded).toContain('fastify');
  expect(NOT_NEEDED.filter((name) => loaded.has(name))).toEqual([]);
  // The API, which other packages load as well, has no SDK and no exporter in it.
  expect([...loaded].filter((name) => /^@opentelemetry\/(?!api$)/.test(name ?? ''))).toEqual([]);
});

it('a process whose port is taken says so in a sentence, and ends', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { isAlive, output } = await start(database.url, port);
  await expect.poll(isAlive).toBe(false);
  other.close();
  expect(output()).toContain(
    `Port ${port} of 127.0.0.1 is taken by another program, perhaps by this one. Stop it, or set PORT to another number.`,
  );
  expect(output()).not.toContain('    at ');
});
