import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { REQUESTS_PER_CONNECTION } from '#server/rest/shedding.ts';
import { createCoupon, createTestContext, createUser, TEST_PASSWORD } from '#server/testing/builders.ts';
import { setUpDatabase } from '#server/testing/database.ts';
import { itLong } from '#server/testing/long-form.ts';
import { HANGS_MS } from '#server/testing/patience.ts';
import { freePort } from '../browser/site.ts';
import { type ServerProcess, startServer } from '../processes.ts';

/** Many more visitors than the process can serve at a time, who try again at once whatever they are told. */
const VISITORS = 400;
const POOL = 2;
/** Of one address. */
const SHARE = (POOL * REQUESTS_PER_CONNECTION) / 5;
const LOAD_MS = 600_000;
const SAMPLES = 10;

const database = setUpDatabase();
let server: ServerProcess;
beforeAll(async () => {
  const ctx = createTestContext(database);
  const owner = await createUser(ctx);
  signIn = { username: owner.username, password: TEST_PASSWORD };
  for (let count = 0; count < 50; count += 1) await createCoupon(ctx, owner);
  const port = String(await freePort());
  const settings = {
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: String(POOL),
    SECRET_KEY: Buffer.alloc(32, 'test vault key').toString('base64'),
    PORT: port,
  };
  server = await startServer(settings, { entry: path.resolve(import.meta.dirname, 'overload-app.ts') });
});
afterAll(() => server.stop());

const statuses: Record<string, number> = {};
const memory: string[] = [];
let isOver = false;

let signIn: { username: string; password: string };
const ASKED: readonly (() => Promise<Response>)[] = [
  () => fetch(`${server.url}/api/coupons`),
  () => fetch(`${server.url}/api/coupons?search=pizza`),
  () => fetch(`${server.url}/api/leaderboard`),
  () => fetch(`${server.url}/api/trpc/coupons.list?input=%7B%7D`),
  () =>
    fetch(`${server.url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(signIn),
    }),
  // Somebody who does not wait for the answer.
  () => fetch(`${server.url}/api/coupons`, { signal: AbortSignal.timeout(5) }),
];

function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
}

/** Knocks until the load is over, and counts the answers. */
async function knock(visitor: number): Promise<void> {
  for (let turn = visitor; !isOver; turn += 1) {
    const status = await ASKED[turn % ASKED.length]?.()
      .then(async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      })
      // Also of a body that was not waited for.
      .catch(({ name, cause }: Error) => codeOf(cause) ?? name);
    statuses[String(status)] = (statuses[String(status)] ?? 0) + 1;
  }
}

/** Asks whether the server is alive, every 100 ms; a process of its own, since this one is busy with the load. */
const ASK_IF_ALIVE = `
  for (;;) {
    const begun = performance.now();
    const status = await fetch(process.argv[1]).then((answer) => answer.status, String);
    console.log(status, Math.round(performance.now() - begun));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }`;

/** @returns a function that ends it, and tells the answers: status and milliseconds */
function watch(): () => Promise<[string, number][]> {
  const watcher = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    ASK_IF_ALIVE,
    `${server.url}/healthz`,
  ]);
  let said = '';
  watcher.stdout.on('data', (chunk) => (said += chunk));
  return async () => {
    await expect.poll(() => said.split('\n').length).toBeGreaterThan(3);
    watcher.kill();
    return [...said.matchAll(/^(.+) (\d+)$/gm)].map(([, status = '', ms]) => [status, Number(ms)]);
  };
}

/** Megabytes after a garbage collection: of the heap, and of the process. */
async function sampleMemory(): Promise<number> {
  const samples = () => [...server.output().matchAll(/^memory (\d+) (\d+)$/gm)];
  const before = samples().length;
  server.signal('SIGCONT');
  await expect
    .poll(() => samples().length, { message: `alive: ${server.isAlive()}: ${server.output().slice(-3_000)}` })
    .toBeGreaterThan(before);
  const [, heap, all] = samples().at(-1) ?? [];
  memory.push(`${heap}/${all}`);
  return Number(heap);
}

// api/overload has its parts in the short form.
itLong(
  'an overloaded process answers or refuses, stays alive, keeps its memory, and recovers',
  async ({ annotate }) => {
    const load = Promise.all(Array.from({ length: VISITORS }, (_, visitor) => knock(visitor)));
    const endWatch = watch();
    const heaps: number[] = [];
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      await sleep(LOAD_MS / SAMPLES);
      heaps.push(await sampleMemory());
    }
    const alive = await endWatch();
    isOver = true;
    await load;
    const times = alive.map(([, ms]) => ms).sort((one, other) => one - other);
    const aliveAfterMs = [0.5, 0.99, 1].map((part) => times[Math.ceil(times.length * part) - 1]);
    await annotate(JSON.stringify({ statuses, aliveAfterMs, memory }));

    const { TimeoutError: _gone, ...answered } = statuses;
    expect(Object.keys(answered).filter((status) => !['200', '429', '503'].includes(status))).toEqual([]);
    expect(statuses['200']).toBeGreaterThan(0);
    expect(statuses['503']).toBeGreaterThan(0);
    expect(alive.filter(([status]) => status !== '200')).toEqual([]);
    // Nothing accumulates: the second half needs what the first did.
    const [first, second] = [heaps.slice(0, SAMPLES / 2), heaps.slice(SAMPLES / 2)];
    expect(Math.min(...second)).toBeLessThan(Math.max(...first) * 1.1 + 5);
    // Each place is free again, also those of visitors who have left.
    const calm = async () => {
      const answers = await Promise.all(
        Array.from({ length: SHARE }, () => fetch(`${server.url}/api/coupons`)),
      );
      return answers.filter(({ status }) => status === 200).length;
    };
    await expect.poll(calm).toBe(SHARE);
  },
  HANGS_MS + LOAD_MS,
);
