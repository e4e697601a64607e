import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_PASSWORD } from '#server/testing/builders.ts';
import { shortOrLong } from '#server/testing/rounds.ts';
import { freePort } from '../browser/site.ts';
import { type ServerProcess, startServer } from '../processes.ts';
import { type Cluster, hasPatroni, type NodeName, openCluster } from './patroni.ts';

/** What docs/operations.md promises of three database nodes with Patroni. */

const ANSWERS_WITHIN_MS = 30_000;
const PEOPLE = 4;

/** Somebody who changes their profile again and again, to a higher number each time. */
interface Writer {
  /** The highest number that the market has said it stored. */
  acknowledged(): number;
  /** The number that the market has stored. */
  stored(): Promise<number>;
  /** When the last change was begun that the market has stored. */
  beganAt(): number;
  stop(): Promise<void>;
}

async function startWriter(url: string, index: number): Promise<Writer> {
  const username = `writer_${index}`;
  const email = `${username}@example.com`;
  const agreed = { acceptTerms: true, isAdult: true };
  const send = (method: string, at: string, body: object, cookie = '') =>
    fetch(`${url}${at}`, {
      method,
      headers: { 'content-type': 'application/json', origin: url, cookie },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(5_000),
    });
  const registered = await send('POST', '/api/register', {
    ...{ username, email, password: TEST_PASSWORD },
    ...agreed,
  });
  expect(registered.status, await registered.clone().text()).toBe(201);
  const cookie = registered.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  let number = 0;
  let acknowledged = 0;
  let beganAt = 0;
  let isOver = false;
  const write = async () => {
    while (!isOver) {
      number += 1;
      const now = performance.now();
      const answer = await send(
        'PUT',
        '/api/user/profile',
        { email, bio: String(number), profileImageUrl: null, preferredCurrency: 'CAD', country: 'CA' },
        cookie,
      ).catch(() => null);
      if (answer?.ok) [acknowledged, beganAt] = [number, now];
      await answer?.arrayBuffer().catch(() => {});
      await sleep(50);
    }
  };
  const writing = write();
  return {
    acknowledged: () => acknowledged,
    beganAt: () => beganAt,
    async stored() {
      const answer = await fetch(`${url}/api/user`, { headers: { cookie } });
      return Number(((await answer.json()) as { bio: string }).bio);
    },
    async stop() {
      isOver = true;
      await writing;
    },
  };
}

describe.runIf(hasPatroni && shortOrLong(false, true))('with three nodes of Patroni', () => {
  let cluster: Cluster;
  let dataDir: string;
  let server: ServerProcess;
  const writers: Writer[] = [];
  beforeAll(async () => {
    cluster = await openCluster();
    dataDir = await mkdtemp(path.join(tmpdir(), 'clipswap-availability-'));
    const port = String(await freePort());
    server = await startServer({
      PORT: port,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: dataDir,
      DATABASE_URL: cluster.url,
      DATABASE_DIRECT_URL: cluster.directUrl,
      SECRET_KEY: randomBytes(32).toString('base64'),
    });
    for (let index = 0; index < PEOPLE; index += 1) writers.push(await startWriter(server.url, index));
  });
  afterAll(async () => {
    await Promise.all(writers.map((writer) => writer.stop()));
    await server?.stop();
    await cluster?.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  type Act = (leader: NodeName) => Promise<void>;
  const FAULTS: [fault: string, harm: Act, mend: Act][] = [
    ['the primary’s machine loses its power', (name) => cluster.kill(name), (name) => cluster.start(name)],
    [
      'the primary’s machine is cut off',
      (name) => cluster.setCable(name, false),
      (name) => cluster.setCable(name, true),
    ],
    ['an operator switches over', () => cluster.switchOver(), async () => {}],
  ];

  it.each(FAULTS)(
    '%s: all can write again within 30 seconds, and nothing acknowledged is lost',
    async (_, harm, mend) => {
      const leader = await cluster.leader();
      if (!leader) throw new Error('There is no leader');
      const began = performance.now();
      const haveWrittenSince = (at: number) => writers.every((writer) => writer.beganAt() > at);
      await expect.poll(() => haveWrittenSince(began), { timeout: ANSWERS_WITHIN_MS }).toBe(true);
      await harm(leader);
      const broken = performance.now();
      await expect.poll(() => haveWrittenSince(broken), { timeout: ANSWERS_WITHIN_MS }).toBe(true);
      await mend(leader);
      await cluster.untilWhole();
      for (const writer of writers) {
        const acknowledged = writer.acknowledged();
        expect(await writer.stored()).toBeGreaterThanOrEqual(acknowledged);
      }
      expect(await cluster.leader()).not.toBe(leader);
    },
  );
});
