import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { LIVE_LINES } from '#server/core/live.ts';
import { announce } from '#server/database/live.ts';
import { startSession } from '#server/domains/sessions/service.ts';
import { setUpApp } from '#server/testing/app.ts';
import { createUser } from '#server/testing/builders.ts';
import { shortOrLong } from '#server/testing/rounds.ts';
import { sessionCookieName } from '#server/trpc/context.ts';
import { bundleOf } from '../processes.ts';

const test = setUpApp({ config: { trustProxy: 1 } });

const PEOPLE = shortOrLong(10, 1_000);
const EACH = LIVE_LINES.ofPerson;
const LINES = PEOPLE * EACH;
const BYTES_A_LINE = 20_000;

/** What a line must do without: these took most of the 78 kB that one once held. */
const HEAVY = ['ReadableStream', 'TransformStream', 'Request', 'Response', 'AbortController'] as const;

/** Counts how many of these are made. */
function countMade(): Record<string, number> {
  const made: Record<string, number> = {};
  for (const name of HEAVY) {
    made[name] = 0;
    const counted = new Proxy(globalThis[name] as unknown as new () => object, {
      construct(kind, given, asked) {
        made[name] = (made[name] ?? 0) + 1;
        return Reflect.construct(kind, given, asked);
      },
    });
    vi.stubGlobal(name, counted);
  }
  onTestFinished(() => void vi.unstubAllGlobals());
  return made;
}

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

interface Message {
  readonly isOpen?: true;
  readonly heard?: number;
  readonly failure?: string;
}

/** Waits for a message of the clients. */
function said(clients: ChildProcess, isIt: (message: Message) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    clients.on('message', (message: Message) => {
      if (message.failure) reject(new Error(message.failure));
      else if (isIt(message)) resolve();
    });
  });
}

it('a line holds neither web streams nor timers, and little memory; each hears what is announced', async () => {
  const url = new URL(await test.app.listen({ host: '127.0.0.1', port: 0 }));
  const people = [];
  const cookies = [];
  for (let at = 0; at < PEOPLE; at += 1) {
    const person = await createUser(test.ctx);
    const { token } = await startSession(test.ctx.db, test.ctx.clock, person.id);
    people.push(person);
    cookies.push(`${sessionCookieName(test.deps.config)}=${token}`);
  }
  const program = await bundleOf(path.join(import.meta.dirname, 'lines-app.ts'));
  const clients = fork(program, { execArgv: [] });
  onTestFinished(() => void clients.kill());
  const before = { made: countMade(), timers: timers(), bytes: process.memoryUsage().rss };
  const isOpen = said(clients, (message) => message.isOpen === true);
  clients.send({ port: Number(url.port), cookies, each: EACH });
  await isOpen;
  expect(test.deps.live.count()).toBe(LINES);
  for (const [name, count] of Object.entries(before.made)) expect(count, name).toBeLessThan(LINES / 10);
  // The pool of connections has some.
  expect(timers() - before.timers).toBeLessThan(LINES / 4);
  const aLine = Math.round((process.memoryUsage().rss - before.bytes) / LINES);
  // Of fewer lines, most is what a process takes in advance.
  if (LINES >= 10_000) {
    process.stdout.write(`${LINES} live lines: ${aLine} bytes of memory each\n`);
    expect(aLine).toBeLessThan(BYTES_A_LINE);
  }

  const isHeard = said(clients, ({ heard }) => heard === LINES);
  await announce(
    test.ctx.db,
    people.map(({ id }) => ({ userId: id, event: { kind: 'notification' } })),
  );
  await isHeard;
  clients.kill();
  await expect.poll(test.deps.live.count).toBe(0);
});
