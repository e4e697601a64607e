import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { LIVE_LINES } from '#server/core/live.ts';
import { startSession } from '#server/people/sessions/sessions.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { freePort } from '../browser/site.ts';
import { drawFixture, SECOND_CODE } from '../fixtures/codes.ts';
import {
  bundleOf,
  cookiesOf,
  type ServerProcess,
  spawnProgram,
  startServer,
  withoutLimits,
} from '../processes.ts';

const test = setUpApp();

/** How many files the program may have open: three quarters for connections, and of those three quarters for lines. */
const OPEN_FILES = 512;
const LINES = 288;
const PEOPLE = 30;

let server: ServerProcess;
beforeAll(async () => {
  server = await startServer(
    {
      DATABASE_URL: withoutLimits(test.database.url),
      SECRET_KEY: Buffer.alloc(32, 'test vault key').toString('base64'),
      PORT: String(await freePort()),
      PUBLIC_URL: 'http://localhost',
      TRUST_PROXY: '1',
    },
    { openFiles: OPEN_FILES },
  );
});
afterAll(() => server.stop());

/** Opens a connection that asks for something and stays open. */
function hold(request: string): { socket: Socket; heard(): string } {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  let heard = '';
  socket.on('error', () => {});
  socket.on('data', (chunk) => (heard += chunk));
  socket.write(`${request}\r\nhost: 127.0.0.1\r\n\r\n`);
  return { socket, heard: () => heard };
}

/** Asks again until there is a connection, as browsers do. */
async function ask(url: string, init?: RequestInit): Promise<Response> {
  for (;;) {
    const answer = await fetch(`${server.url}${url}`, init).catch(() => null);
    if (answer) return answer;
  }
}

it('connections that do nothing make room for others, and all that is loaded late works meanwhile', async () => {
  const person = await createUser(test.ctx);
  const idle = Array.from({ length: OPEN_FILES * 2 }, () => hold('GET /healthz HTTP/1.1'));
  onTestFinished(() => idle.forEach(({ socket }) => void socket.destroy()));
  await expect.poll(() => idle.every(({ socket, heard }) => socket.closed || heard() !== '')).toBe(true);

  const signedIn = await ask('/api/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: person.username, password: TEST_PASSWORD }),
  });
  expect(signedIn.status).toBe(200);
  const form = new FormData();
  form.set('image', new File([new Uint8Array(await drawFixture(SECOND_CODE))], 'a.png'));
  const uploaded = await ask('/api/upload/qrcode', {
    method: 'POST',
    headers: { cookie: cookiesOf(signedIn) },
    body: form,
  });
  expect(uploaded.status).toBe(201);
  expect(server.output()).toContain('too many connections');
});

it('live lines leave connections for everything else', async () => {
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => createUser(test.ctx)));
  const cookies = await Promise.all(
    people.map(async ({ id }) => (await startSession(test.ctx.db, () => new Date(), id)).token),
  );
  const lines = cookies.flatMap((token, at) =>
    Array.from({ length: LIVE_LINES.ofPerson }, () =>
      hold(
        `GET /api/trpc/live.events HTTP/1.1\r\ncookie: clipswap=${token}\r\nx-forwarded-for: 10.0.0.${at}`,
      ),
    ),
  );
  onTestFinished(() => lines.forEach(({ socket }) => void socket.destroy()));
  const count = (text: string) => lines.filter(({ heard }) => heard().includes(text)).length;
  await expect.poll(() => count('"kind"') + count('serialized-error')).toBe(lines.length);
  expect(count('"kind"')).toBeLessThanOrEqual(LINES);
  expect((await ask('/api/coupons')).status).toBe(200);
});

it('pictures are read again once files can be opened', async () => {
  const program = await spawnProgram(
    { SCRIPT: await bundleOf(path.join(import.meta.dirname, '../fixtures/process.ts')) },
    { entry: path.join(import.meta.dirname, 'open-files-app.ts'), openFiles: 64 },
  );
  await expect.poll(program.isAlive).toBe(false);
  const failure = 'ProcessFailure: The process did not answer: died';
  expect(JSON.parse(program.output())).toEqual({ without: [failure, failure], after: ['three', 'four'] });
});
