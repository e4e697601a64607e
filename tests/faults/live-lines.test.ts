import { connect } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { LIVE_LINES } from '#server/core/live.ts';
import { announce } from '#server/database/live.ts';
import { startSession } from '#server/people/sessions/sessions.ts';
import { sessionCookieName } from '#server/trpc/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { shortOrLong } from '#tests/support/rounds.ts';

const test = setUpApp({ config: { trustProxy: 1 } });

const PEOPLE = shortOrLong(10, 100);
const LINES = PEOPLE * LIVE_LINES.ofPerson;

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

it('a line holds neither web streams nor timers; each hears what is announced', async () => {
  const { port } = new URL(await test.app.listen({ host: '127.0.0.1', port: 0 }));
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => createUser(test.ctx)));
  const before = { made: countMade(), timers: timers() };
  const lines: { heard: string }[] = [];
  for (const [at, { id }] of people.entries()) {
    const { token } = await startSession(test.ctx.db, test.ctx.clock, id);
    const headers = `host: x\r\nx-forwarded-for: 10.0.0.${at}\r\ncookie: ${sessionCookieName(test.deps.config)}=${token}`;
    for (let each = 0; each < LIVE_LINES.ofPerson; each += 1) {
      const line = { heard: '' };
      const socket = connect(Number(port), '127.0.0.1').on('data', (chunk) => {
        line.heard += chunk;
      });
      onTestFinished(() => void socket.destroy());
      socket.write(`GET /api/trpc/live.events HTTP/1.1\r\n${headers}\r\n\r\n`);
      lines.push(line);
    }
  }
  const heard = (kind: string) => lines.filter((line) => line.heard.includes(`"kind":"${kind}"`)).length;
  await expect.poll(() => heard('resync')).toBe(LINES);
  expect(test.deps.live.count()).toBe(LINES);
  for (const [name, count] of Object.entries(before.made)) expect(count, name).toBeLessThan(LINES / 10);
  // The pool of connections has some.
  expect(timers() - before.timers).toBeLessThan(LINES / 4);

  const signals = people.map(({ id }) => ({ userId: id, event: { kind: 'notification' } as const }));
  await announce(test.ctx.db, signals);
  await expect.poll(() => heard('notification')).toBe(LINES);
});
