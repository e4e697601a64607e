import { execFileSync } from 'node:child_process';
import { afterAll, expect, it } from 'vitest';
import { setUpDatabase } from '#tests/support/database.ts';
import { freePort } from '../browser/site.ts';
import { drawFixture, SECOND_CODE } from '../fixtures/codes.ts';
import { type ServerProcess, startServer } from '../processes.ts';

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

/** The processes in which these servers read pictures, each with its server. */
const decodersOf = (servers: readonly number[]) =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s.*\/child\.js/.exec(line) ?? [])
    .map(([, pid, parent]) => ({ pid: Number(pid), server: Number(parent) }))
    .filter(({ server }) => servers.includes(server));

async function upload(url: string, picture: Uint8Array<ArrayBuffer>): Promise<string> {
  const body = new FormData();
  body.append('image', new Blob([picture], { type: 'image/png' }), 'code.png');
  // A connection of its own: the workers take them in turn.
  const headers = { connection: 'close' };
  const answer = await fetch(`${url}/api/upload/qrcode`, { method: 'POST', body, headers });
  return `${answer.status} ${await answer.text()}`;
}

it('several processes serve on one port; one that is killed is replaced, as is one that reads pictures, and all end when told to', async () => {
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

  const workers = pids(output()).slice(1);
  const picture = new Uint8Array(await drawFixture(SECOND_CODE));
  await expect
    .poll(async () => {
      expect(await upload(url, picture)).toMatch(/^201/);
      return new Set(decodersOf(workers).map(({ server }) => server)).size;
    })
    .toBe(2);
  const stopped = decodersOf(workers);
  for (const { pid } of stopped) process.kill(pid, 'SIGSTOP');
  const answers: string[] = [];
  const uploads = Array.from({ length: 4 }, async () => answers.push(await upload(url, picture)));
  // Whoever answers has given the first picture to a process that stands still, and another one to a new process.
  await expect.poll(() => answers.length).toBeGreaterThan(0);
  for (const { pid } of stopped) process.kill(pid, 'SIGKILL');
  await Promise.all(uploads);
  expect(new Set(answers.map((answer) => answer.slice(0, 3)))).toEqual(new Set(['201', '503']));
  expect(answers.find((answer) => answer.startsWith('503'))).toContain('was interrupted. Please try again.');
  expect(await upload(url, picture)).toMatch(/^201/);

  // As a terminal does it: everybody is signalled.
  const decoders = decodersOf(workers).map(({ pid }) => pid);
  for (const pid of [...workers, ...decoders]) process.kill(pid, 'SIGINT');
  signal('SIGINT');
  await expect.poll(isAlive).toBe(false);
  expect([...workers, ...decoders].filter(isRunning)).toEqual([]);
  expect(output().match(/ClipSwap is open/g)).toHaveLength(1);
});
