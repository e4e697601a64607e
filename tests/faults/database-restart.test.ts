import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { TEST_PASSWORD } from '#server/testing/builders.ts';
import { itLong } from '#server/testing/long-form.ts';
import { freePort } from '../browser/site.ts';
import { type ServerProcess, startServer } from '../processes.ts';

/** As after `npm start`: one process, which has started its own PostgreSQL. */

const KILLS = 3;

let dataDir: string;
let server: ServerProcess;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'clipswap-restart-'));
  // Root's PostgreSQL runs under another account, which has to get in.
  await chmod(dataDir, 0o711);
  server = await startServer({ DATA_DIR: dataDir, PORT: String(await freePort()) });
});
afterAll(async () => {
  await server.stop();
  const home = await realpath(path.join(dataDir, 'postgres'));
  await rm(home, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
});

async function postmasterPid(): Promise<number> {
  const file = path.join(dataDir, 'postgres/data/postmaster.pid');
  return Number.parseInt(await readFile(file, 'utf8'), 10);
}

const register = (username: string) =>
  fetch(`${server.url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      username,
      email: `${username}@example.org`,
      password: TEST_PASSWORD,
      acceptTerms: true,
      isAdult: true,
    }),
  });

// chaos.test.ts kills a database, too, and embedded.test.ts restarts one.
itLong('outlives kills of its database, answers 503 meanwhile, restarts it, and loses nothing', async () => {
  const seen = { ok: 0, away: 0, wrong: [] as unknown[] };
  let isOver = false;
  const visit = async () => {
    while (!isOver) {
      const answer = await fetch(`${server.url}/api/coupons`);
      const body: unknown = await answer.json();
      if (answer.status === 200) seen.ok += 1;
      else if (answer.status === 503 && answer.headers.get('retry-after') === '2') seen.away += 1;
      else seen.wrong.push({ status: answer.status, body });
      await sleep(5);
    }
  };
  const visitors = Promise.all(Array.from({ length: 8 }, visit));
  for (let kill = 1; kill <= KILLS; kill += 1) {
    expect((await register(`before-kill-${kill}`)).status).toBe(201);
    process.kill(await postmasterPid(), 'SIGKILL');
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503);
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200);
  }
  isOver = true;
  await visitors;
  expect(server.isAlive(), server.output()).toBe(true);
  expect(seen.wrong).toEqual([]);
  expect(seen.ok).toBeGreaterThan(0);
  expect(seen.away).toBeGreaterThan(0);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    expect((await register(`before-kill-${kill}`)).status, 'the name is taken').toBe(409);
  }
});
