import { describe, expect, it, vi } from 'vitest';
import { type DeviceSession, deviceSessionSchema } from '#contract/people/accounts.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { sha256 } from '#server/core/crypto.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createTestClock, createUser } from '#tests/support/builders.ts';
import { endSessionsOf, resolveSession, startSession } from './sessions.ts';

const test = setUpApp({ clock: createTestClock() });

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1';

const MINUTE = 1 / (24 * 60);

const signIn = (person: Actor, userAgent = '') =>
  startSession(test.ctx.db, test.ctx.clock, person.id, userAgent);

/** Makes a call with a session's cookie. */
const callWith = (token: string, method: 'GET' | 'POST' | 'DELETE', url: string) =>
  test.app.inject({ method, url, headers: { cookie: `clipswap=${token}` } });

async function listWith(token: string): Promise<DeviceSession[]> {
  const answer = await callWith(token, 'GET', '/api/user/sessions');
  return deviceSessionSchema.strict().array().parse(answer.json());
}

/** Runs `act` and resolves with the next live event that the person's browsers get. */
async function nextEvent(person: Actor, act: () => Promise<unknown>): Promise<unknown> {
  const line = test.deps.live.follow({ userId: person.id, ip: '192.0.2.1' });
  expect((await line.next()).value).toEqual({ kind: 'resync' });
  const next = line.next();
  await act();
  const { value } = await next;
  await line.return();
  return value;
}

describe('the list of sessions', () => {
  it('lists the current session first, then the most recently used, without tokens', async () => {
    const person = await createUser(test.ctx);
    const first = await signIn(person, FIREFOX);
    test.ctx.clock.advanceDays(1);
    const second = await signIn(person, SAFARI);
    test.ctx.clock.advanceDays(1);
    const third = await signIn(person);
    await signIn(await createUser(test.ctx));
    const seen = (daysAgo: number) => addDays(test.ctx.clock(), -daysAgo).toISOString();
    const list = await listWith(first.token);
    expect(list).toEqual([
      {
        id: expect.any(Number),
        isCurrent: true,
        device: 'Firefox on Linux',
        createdAt: seen(2),
        // This session has just made the call.
        lastSeenAt: seen(0),
      },
      {
        id: expect.any(Number),
        isCurrent: false,
        device: 'Unknown device',
        createdAt: seen(0),
        lastSeenAt: seen(0),
      },
      {
        id: expect.any(Number),
        isCurrent: false,
        device: 'Safari on iOS',
        createdAt: seen(1),
        lastSeenAt: seen(1),
      },
    ]);
    for (const { token } of [first, second, third]) {
      for (const secret of [token, sha256(token)]) expect(JSON.stringify(list)).not.toContain(secret);
    }
  });

  it.each([
    ['', 'Unknown device'],
    ['curl/8.4.0', 'Unknown device'],
    ['<script>alert(1)</script>/1 (x) y/2 z', 'Unknown device'],
    ['Mozilla/5.0 (X11; Linux x86_64)', 'Linux'],
    [FIREFOX, 'Firefox on Linux'],
  ])('names the browser of %j "%s"', async (userAgent, device) => {
    const person = await createUser(test.ctx);
    const { token } = await signIn(person, userAgent);
    expect((await listWith(token)).map((session) => session.device)).toEqual([device]);
  });

  it('leaves out expired sessions', async () => {
    const person = await createUser(test.ctx);
    await signIn(person, SAFARI);
    test.ctx.clock.advanceDays(31);
    const { token } = await signIn(person, FIREFOX);
    expect((await listWith(token)).map(({ device }) => device)).toEqual(['Firefox on Linux']);
  });
});

describe('the last use of a session', () => {
  it('is stored at most once in fifteen minutes; other calls need one query', async () => {
    const person = await createUser(test.ctx);
    const { token } = await signIn(person);
    const lastSeen = async () => (await listWith(token))[0]?.lastSeenAt;
    const queries = vi.spyOn(test.database.pool, 'connect');
    const queriesOf = async () => {
      queries.mockClear();
      await resolveSession(test.ctx, token);
      return queries.mock.calls.length;
    };
    const signedInAt = test.ctx.clock().toISOString();
    expect(await queriesOf()).toBe(1);
    test.ctx.clock.advanceDays(14.9 * MINUTE);
    expect(await queriesOf()).toBe(1);
    expect(await lastSeen()).toBe(signedInAt);
    test.ctx.clock.advanceDays(0.1 * MINUTE);
    expect(await queriesOf()).toBe(2);
    expect(await queriesOf()).toBe(1);
    expect(await lastSeen()).toBe(test.ctx.clock().toISOString());
    // Renewing a session stores its last use, too.
    test.ctx.clock.advanceDays(16);
    expect(await queriesOf()).toBe(2);
    expect(await lastSeen()).toBe(test.ctx.clock().toISOString());
    queries.mockRestore();
  });
});

describe('ending sessions', () => {
  it('ends another session of the same person and notifies it at once', async () => {
    const person = await createUser(test.ctx);
    const here = await signIn(person);
    const there = await signIn(person, SAFARI);
    const [, other] = await listWith(here.token);
    const event = await nextEvent(person, async () => {
      const answer = await callWith(here.token, 'DELETE', `/api/user/sessions/${other?.id}`);
      expect(answer.json()).toEqual({ ok: true });
      expect(answer.cookies).toEqual([]);
    });
    expect(event).toEqual({ kind: 'account' });
    expect(await resolveSession(test.ctx, there.token)).toBeNull();
    expect((await listWith(here.token)).map(({ isCurrent }) => isCurrent)).toEqual([true]);
    // An ended session is not found.
    expect((await callWith(here.token, 'DELETE', `/api/user/sessions/${other?.id}`)).statusCode).toBe(404);
  });

  it('ends the current session and clears its cookie', async () => {
    const person = await createUser(test.ctx);
    const here = await signIn(person);
    const [current] = await listWith(here.token);
    const answer = await callWith(here.token, 'DELETE', `/api/user/sessions/${current?.id}`);
    expect(answer.json()).toEqual({ ok: true });
    expect(answer.cookies).toMatchObject([{ name: 'clipswap', value: '' }]);
    expect(await resolveSession(test.ctx, here.token)).toBeNull();
  });

  it('ends all other sessions and returns how many', async () => {
    const person = await createUser(test.ctx);
    const here = await signIn(person);
    const others = [await signIn(person), await signIn(person)];
    const stranger = await signIn(await createUser(test.ctx));
    const end = () => callWith(here.token, 'POST', '/api/user/sessions/end-others');
    const event = await nextEvent(person, async () => expect((await end()).json()).toEqual({ ended: 2 }));
    expect(event).toEqual({ kind: 'account' });
    for (const { token } of others) expect(await resolveSession(test.ctx, token)).toBeNull();
    for (const { token } of [here, stranger]) expect(await resolveSession(test.ctx, token)).not.toBeNull();
    expect((await end()).json()).toEqual({ ended: 0 });
  });

  it('notifies a person who is signed out everywhere at once', async () => {
    const person = await createUser(test.ctx);
    const { token } = await signIn(person);
    const event = await nextEvent(person, () => endSessionsOf(test.ctx.db, person.id));
    expect(event).toEqual({ kind: 'account' });
    expect((await callWith(token, 'GET', '/api/user')).statusCode).toBe(401);
  });
});
