import { afterAll, expect, it } from 'vitest';
import { setUpDatabase } from '#server/testing/database.ts';
import { freePort } from '../browser/site.ts';
import { type ServerProcess, spawnProgram, startServer } from '../processes.ts';

const database = setUpDatabase();
let server: ServerProcess | undefined;
afterAll(() => server?.kill());

const settings = async (more: Record<string, string> = {}) => ({
  DATABASE_URL: database.url,
  SECRET_KEY: Buffer.alloc(32, 'test vault key').toString('base64'),
  PORT: String(await freePort()),
  WEB_CONCURRENCY: '2',
  ...more,
});

/** The workers that have done so far what the log says, in that order. */
const workersThat = (did: 'serves' | 'starts', output: string) =>
  Array.from(output.matchAll(new RegExp(`a worker ${did}.*?worker: (\\d+)`, 'gs')), ([, pid]) => Number(pid));
const pids = (output: string) => workersThat('serves', output);

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('several processes serve on one port; one that is killed is replaced, and all end when told to', async () => {
  const metricsPort = await freePort();
  server = await startServer(await settings({ METRICS_PORT: String(metricsPort), LOG_LEVEL: 'info' }));
  const { url, output, signal, isAlive } = server;
  await expect.poll(() => pids(output())).toHaveLength(2);
  const [first = 0, second = 0] = pids(output());
  for (const port of [metricsPort, metricsPort + 1])
    expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain(
      'clipswap_database_up 1',
    );

  process.kill(first, 'SIGKILL');
  // So is the one that replaces it, while it starts.
  await expect.poll(() => workersThat('starts', output())).toHaveLength(3);
  process.kill(workersThat('starts', output())[2] ?? 0, 'SIGKILL');
  await expect.poll(() => workersThat('starts', output())).toHaveLength(4);
  await expect.poll(() => pids(output())).toHaveLength(3);
  // Signals are for the program as a whole.
  process.kill(second, 'SIGTERM');
  const statuses = await Promise.all(
    Array.from({ length: 8 }, async () => (await fetch(`${url}/readyz`)).status),
  );
  expect(statuses).toEqual(Array(8).fill(200));

  // As a terminal does it: everybody is signalled.
  for (const pid of pids(output()).slice(1)) process.kill(pid, 'SIGINT');
  signal('SIGINT');
  await expect.poll(isAlive).toBe(false);
  expect(pids(output()).filter(isRunning)).toEqual([]);
  expect(output().match(/ClipSwap is open/g)).toHaveLength(1);
});

it('a program whose workers cannot start ends, and says why', async () => {
  server = await spawnProgram(await settings({ SECRET_KEY: Buffer.alloc(32, 'another').toString('base64') }));
  await expect.poll(server.isAlive).toBe(false);
  expect(server.output()).toContain('SECRET_KEY');
});
