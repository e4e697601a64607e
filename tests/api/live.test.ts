import { once } from 'node:events';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { LIVE_LINES } from '#server/core/live.ts';
import { inTransaction } from '#server/database/client.ts';
import { announce } from '#server/database/live.ts';
import { startSession } from '#server/people/sessions/sessions.ts';
import { sessionCookieName } from '#server/trpc/context.ts';
import { createTestApp, setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { MANY_CONNECTIONS } from '#tests/support/database.ts';
import { createDeal } from '#tests/support/exchanges.ts';

const test = setUpApp({ connections: MANY_CONNECTIONS });
let url: string;
beforeAll(async () => {
  url = await test.app.listen({ host: '127.0.0.1', port: 0 });
});

/**
 * Opens the event stream as a browser does. `next()` is the next event, undefined at the end; `refusal()` the code and
 * status in its place.
 */
async function open(who: Actor) {
  const { token } = await startSession(test.ctx.db, test.ctx.clock, who.id);
  const leaving = new AbortController();
  const response = await fetch(`${url}/api/trpc/live.events`, {
    headers: {
      accept: 'text/event-stream',
      cookie: `${sessionCookieName(test.deps.config)}=${token}`,
    },
    signal: leaving.signal,
  });
  const text = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  return {
    response,
    leave: () => leaving.abort(),
    async refusal() {
      for (let said = rest; ; said += (await text?.read())?.value ?? '') {
        const [, data] = /^event: serialized-error\ndata: (.*)\n\n/m.exec(said) ?? [];
        if (data === undefined) continue;
        const { httpStatus, wire } = JSON.parse(data).data;
        return [httpStatus, wire];
      }
    },
    async next(): Promise<unknown> {
      for (;;) {
        const end = rest.indexOf('\n\n');
        if (end >= 0) {
          const block = rest.slice(0, end);
          rest = rest.slice(end + 2);
          const [, data] = /^data: (.*)$/m.exec(block) ?? [];
          // Named events (connected, ping, return) are the protocol's own.
          if (data !== undefined && !/^event: /m.test(block)) return JSON.parse(data);
          continue;
        }
        const chunk = await text?.read();
        if (!chunk || chunk.done) return undefined;
        rest += chunk.value;
      }
    },
  };
}

describe('the stream of live events over HTTP', () => {
  it('is refused to visitors [decisions 5.2.1]', async () => {
    const answer = await fetch(`${url}/api/trpc/live.events`);
    // An event stream has no error status: the refusal is its only event.
    const [event, ...rest] = (await answer.text())
      .trim()
      .split(/\n{2,}/)
      .slice(1);
    expect(event).toMatch(/^event: serialized-error\ndata: .*"code":"unauthorized"/);
    expect(rest).toEqual([]);
  });

  it('sends both parties a message’s event, and nobody else', async () => {
    const { requester, owner, id } = await createDeal(test.ctx);
    const stranger = await createUser(test.ctx);
    const lines = await Promise.all([requester, owner, stranger].map(open));
    for (const line of lines) expect(await line.next()).toEqual({ kind: 'resync' });
    const sent = await test.trpc(requester, 'mutation', 'messages.send', {
      dealType: 'exchange',
      dealId: id,
      content: 'A word that no line carries',
    });
    expect(sent.statusCode).toBe(200);
    const told = { kind: 'message', dealType: 'exchange', dealId: id };
    const [mine, theirs, strangers] = lines;
    expect(await mine?.next()).toEqual(told);
    const received = [await theirs?.next(), await theirs?.next()];
    expect(received).toContainEqual(told);
    expect(received).toContainEqual({ kind: 'notification' });
    await announce(test.ctx.db, [{ userId: stranger.id, event: { kind: 'notification' } }]);
    expect(await strangers?.next()).toEqual({ kind: 'notification' });
    for (const line of lines) line.leave();
  });

  it('is open to suspended people, who may read', async () => {
    const line = await open(await createUser(test.ctx, { status: 'suspended' }));
    expect(await line.next()).toEqual({ kind: 'resync' });
    line.leave();
  });

  it('refuses more lines than a person may have with 429, and a closed tab frees its place', async () => {
    const person = await createUser(test.ctx);
    const lines = await Promise.all(Array.from({ length: LIVE_LINES.ofPerson }, () => open(person)));
    for (const line of lines) expect(await line.next()).toEqual({ kind: 'resync' });
    const refused = await open(person);
    expect(await refused.refusal()).toEqual([
      429,
      {
        code: 'rate_limited',
        error: 'ClipSwap is open in too many windows. Close some of them for faster updates here.',
      },
    ]);
    lines.pop()?.leave();
    await expect.poll(test.deps.live.count).toBe(lines.length);
    const again = await open(person);
    expect(await again.next()).toEqual({ kind: 'resync' });
    for (const line of [...lines, again]) line.leave();
    await expect.poll(test.deps.live.count).toBe(0);
  });

  it('keeps no line of a browser that leaves while its session is looked up', async () => {
    const { token } = await startSession(test.ctx.db, test.ctx.clock, (await createUser(test.ctx)).id);
    const follow = vi.spyOn(test.deps.live, 'follow');
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await inTransaction(test.ctx.db, async (trx) => {
      await sql`lock table sessions in access exclusive mode`.execute(trx);
      const cookie = `${sessionCookieName(test.deps.config)}=${token}`;
      const arrived = once(test.app.server, 'request');
      socket.write(`GET /api/trpc/live.events HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\n\r\n`);
      const [{ socket: ours }] = await arrived;
      const gone = once(ours, 'close');
      socket.destroy();
      await gone;
    });
    await expect.poll(() => follow.mock.calls.length).toBe(1);
    await expect.poll(test.deps.live.count).toBe(0);
    follow.mockRestore();
  });

  it('ends when the account changes, so that its access is checked again [decisions 5.2.1]', async () => {
    const person = await createUser(test.ctx);
    const line = await open(person);
    await line.next();
    await announce(test.ctx.db, [{ userId: person.id, event: { kind: 'account' } }]);
    expect(await line.next()).toEqual({ kind: 'account' });
    expect(await line.next()).toBeUndefined();
  });

  it('renews a session in its second half, with its cookie', async () => {
    const { token } = await startSession(test.ctx.db, test.ctx.clock, (await createUser(test.ctx)).id);
    const name = sessionCookieName(test.deps.config);
    test.ctx.clock.advanceDays(16);
    const answer = await fetch(`${url}/api/trpc/live.events`, { headers: { cookie: `${name}=${token}` } });
    const seconds = 30 * 86_400;
    expect(answer.headers.getSetCookie()).toEqual([
      `${name}=${token}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax`,
    ]);
    await answer.body?.cancel();
  });

  it('does not delay the shutdown', async () => {
    const stopping = await createTestApp();
    const address = await stopping.app.listen({ host: '127.0.0.1', port: 0 });
    const person = await createUser(stopping.ctx);
    const { token } = await startSession(stopping.ctx.db, stopping.ctx.clock, person.id);
    const response = await fetch(`${address}/api/trpc/live.events`, {
      headers: { cookie: `${sessionCookieName(stopping.deps.config)}=${token}` },
    });
    const stopped = stopping.close();
    // The stream breaks off instead of completing, so that a browser reconnects.
    expect(await response.text()).not.toContain('event: return');
    await stopped;
  });
});
