import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { CONNECTIONS_OF_ADDRESS, SWEEP_MS } from '#server/rest/connections.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { formOf } from '../api/upload-forms.ts';
import { drawFixture, SECOND_CODE } from '../fixtures/codes.ts';

/** Clients of a few addresses open connections, and keep the server waiting on them. */

const POOL = 2;
const MANY = shortOrLong(250, 2_000);
/** More than the system's buffers hold. */
const LARGE_BYTES = 64 * 1024 * 1024;

let test: TestApp;
let webRoot: string;
let port: number;
let signIn: string;
let picture: Buffer;
beforeAll(async () => {
  webRoot = mkdtempSync(path.join(tmpdir(), 'clipswap-web-'));
  mkdirSync(path.join(webRoot, 'assets'));
  writeFileSync(path.join(webRoot, 'index.html'), '<html><head><title></title></head><body></body></html>');
  writeFileSync(path.join(webRoot, 'assets/large.bin'), Buffer.alloc(LARGE_BYTES));
  // Only the server's intervals stand still.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  test = await createTestApp({ webRoot, config: { databasePoolSize: POOL } });
  port = Number(new URL(await test.app.listen({ port: 0, host: '127.0.0.1' })).port);
  const { username } = await createUser(test.ctx);
  signIn = JSON.stringify({ username, password: TEST_PASSWORD });
  picture = await drawFixture(SECOND_CODE);
});
afterAll(async () => {
  vi.useRealTimers();
  await test.close();
  rmSync(webRoot, { recursive: true });
});

const halfUpload = (() => {
  const { headers, payload } = formOf({ file: Buffer.alloc(50_000) });
  const head = `content-type: ${headers['content-type']}\r\ncontent-length: ${payload.length}`;
  return `POST /api/upload/qrcode HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n${payload.subarray(0, 10_000)}`;
})();
const WAYS: Record<string, string> = {
  'without a request': '',
  'with half of the headers': 'GET /api/coupons HTTP/1.1\r\nhost: x\r\n',
  'with half of a body':
    'POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 60\r\n\r\n{"username"',
  'with half of an upload': halfUpload,
  'whose answers nobody reads': 'GET /assets/large.bin HTTP/1.1\r\nhost: x\r\n\r\n',
};

/** Fewer than the system lets wait for the server at a time: it drops the others, if they say nothing. */
const AT_ONCE = 250;

/** Opens connections from so many addresses. Resolves when the server has heard or refused each. */
async function crowd(connections: number, addresses: number, words: string): Promise<Socket[]> {
  const arrive = vi.fn();
  const ask = vi.fn();
  test.app.server.on('connection', arrive).on('request', ask);
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await expect.poll(openConnections).toBeLessThan(50);
  });
  while (sockets.length < connections) {
    const localAddress = `127.0.1.${1 + (sockets.length % addresses)}`;
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
    socket.pause();
    if (words) socket.write(words);
    sockets.push(socket);
    if (sockets.length % AT_ONCE === 0 || sockets.length === connections)
      await expect.poll(() => arrive.mock.calls.length).toBeGreaterThanOrEqual(sockets.length);
  }
  // Of an address that has too many connections, some never get to a request.
  const isRequest = words.includes('\r\n\r\n');
  const least = isRequest ? Math.min(connections, addresses * CONNECTIONS_OF_ADDRESS) : 0;
  await expect.poll(() => ask.mock.calls.length).toBeGreaterThanOrEqual(least);
  test.app.server.off('connection', arrive).off('request', ask);
  return sockets;
}

const openConnections = () =>
  new Promise<number>((resolve, reject) => {
    test.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

/** What somebody at another address does, and the statuses. */
async function answersOfOthers(): Promise<number[]> {
  const url = `http://127.0.0.1:${port}`;
  const form = new FormData();
  form.set('image', new File([new Uint8Array(picture)], 'a.png'));
  const json = { 'content-type': 'application/json' };
  const statuses: number[] = [];
  for (const [address, init] of [
    ['/', {}],
    ['/api/coupons', {}],
    ['/api/login', { method: 'POST', headers: json, body: signIn }],
    ['/api/upload/qrcode', { method: 'POST', body: form }],
  ] as const) {
    const answer = await fetch(url + address, init);
    await answer.arrayBuffer();
    statuses.push(answer.status);
  }
  return statuses;
}

const ANSWERED = [200, 200, 200, 201];

const CASES = Object.keys(WAYS).flatMap((way) => [1, 50].map((addresses) => [way, addresses] as const));

it.each(CASES)('connections %s from %i addresses: everybody else is answered', async (way, addresses) => {
  await crowd(MANY, addresses, WAYS[way] ?? '');
  expect(await answersOfOthers()).toEqual(ANSWERED);
});

it('an address has so many connections, and the next ones are closed', async () => {
  await crowd(shortOrLong(600, MANY), 1, '');
  // Also those of other people.
  await expect.poll(openConnections).toBeLessThan(CONNECTIONS_OF_ADDRESS + 50);
  expect(await openConnections()).toBeGreaterThanOrEqual(CONNECTIONS_OF_ADDRESS);
  expect(await answersOfOthers()).toEqual(ANSWERED);
});

it('a connection is closed whose client does not read, and not one that is read from', async () => {
  const ours: Socket[] = [];
  const accept = (socket: Socket) => void ours.push(socket);
  test.app.server.on('connection', accept);
  const [, read] = await crowd(2, 2, WAYS['whose answers nobody reads'] ?? '');
  test.app.server.off('connection', accept);
  let received = 0;
  read?.on('data', (part: Buffer) => (received += part.length)).resume();
  const [stalled, other] = [1, 2].map((last) =>
    ours.find((each) => each.remoteAddress === `127.0.1.${last}`),
  );
  for (let sweep = 1; sweep <= 4; sweep += 1) {
    await expect.poll(() => received).toBeGreaterThan((sweep * LARGE_BYTES) / 5);
    await expect.poll(() => stalled?.destroyed === true || (stalled?.writableLength ?? 0) > 0).toBe(true);
    vi.advanceTimersByTime(SWEEP_MS);
  }
  expect(stalled?.destroyed).toBe(true);
  expect(other?.destroyed).toBe(false);
  await expect.poll(() => received).toBeGreaterThan(LARGE_BYTES);
});
