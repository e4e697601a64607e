import { generateSecret } from 'otplib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { AppError } from '#server/core/errors.ts';
import { createLogger } from '#server/core/log.ts';
import { JOBS } from '#server/jobs/jobs.ts';
import { openDeniedRequests, ROWS_PER_HOUR } from '#server/people/audit/denied-requests.ts';
import { createTestApp, setUpApp } from '#tests/support/app.ts';
import { createAuthenticator } from '#tests/support/authenticator.ts';
import { createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { HANGS_MS } from '#tests/support/patience.ts';

const test = setUpApp({ withLimits: true });
let admin: Actor;
let acted = 0;
beforeAll(async () => {
  admin = await createUser(test.ctx, { role: 'admin' });
});

/** What the admins see, the latest first. */
async function seen(): Promise<Record<string, unknown>[]> {
  await test.deps.deniedRequests.flush();
  const answer = await test.call(admin, { method: 'GET', url: '/api/admin/denied-requests?limit=100' });
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

const post = (who: Actor | null, url: string, body: object, ip: string, headers = {}) =>
  test.call(who, { method: 'POST', url, body, ip, headers });

describe('an admin sees', () => {
  it.each([
    ['a call that a role may not make', 'forbidden', 'admin.stats', 'person'],
    ['a wrong password at the sign-in, by the account', 'sign_in', 'accounts.login', 'person'],
    ['a sign-in with an unknown name', 'sign_in', 'accounts.login', null],
    ['a sign-in of somebody who is banned', 'sign_in', 'accounts.login', 'banned'],
    ['a wrong code at the sign-in', 'second_factor', 'accounts.login', 'person'],
    ['a wrong password of somebody signed in', 'password', 'accounts.startSecondFactor', 'person'],
    ['an unknown passkey at the sign-in', 'sign_in', 'accounts.loginWithPasskey', null],
    [
      'a passkey of somebody signed in that is not theirs',
      'second_factor',
      'accounts.startPasskey',
      'person',
    ],
    ['a wrong token of a mailed link', 'link', 'accounts.resetPassword', null],
    ['a write from another site', 'origin', 'POST /api/login', null],
    ['a limit that is reached', 'limit', 'accounts.register', null],
  ])('%s', async (what, kind, call, who) => {
    const person = await createUser(test.ctx, { status: what.includes('banned') ? 'banned' : 'active' });
    acted += 1;
    const ip = `198.51.100.${acted}`;
    const login = (change: object) =>
      post(null, '/api/login', { username: person.username, password: TEST_PASSWORD, ...change }, ip);
    const passkey = createAuthenticator('http://localhost').get({ challenge: 'unknown' });
    const acts: Record<string, () => Promise<unknown>> = {
      'a call that a role may not make': () =>
        test.call(person, { method: 'GET', url: '/api/admin/stats', ip }),
      'a wrong password at the sign-in, by the account': () => login({ password: 'not that one' }),
      'a sign-in with an unknown name': () => login({ username: 'nobody-at-all' }),
      'a sign-in of somebody who is banned': () => login({}),
      'a wrong code at the sign-in': async () => {
        const secret = test.ctx.vault.seal(generateSecret(), `second factor ${person.id}`);
        const at = test.ctx.clock();
        await test.ctx.db
          .insertInto('secondFactors')
          .values({ userId: person.id, secret, createdAt: at, enabledAt: at })
          .execute();
        // Without a code the sign-in only asks for one: that is no refusal.
        await login({});
        await login({ code: 'no such code' });
      },
      'a wrong password of somebody signed in': () =>
        post(person, '/api/user/second-factor', { password: 'not that one' }, ip),
      'an unknown passkey at the sign-in': () =>
        post(null, '/api/trpc/accounts.loginWithPasskey', { passkey }, ip),
      'a passkey of somebody signed in that is not theirs': () =>
        post(person, '/api/trpc/accounts.startPasskey', { passkey }, ip),
      'a wrong token of a mailed link': () => {
        const newPassword = 'Another-river-9';
        const body = { token: 'x'.repeat(43), newPassword, confirmPassword: newPassword };
        return post(null, '/api/password-reset', body, ip);
      },
      'a write from another site': () =>
        post(null, '/api/login', {}, ip, { origin: 'https://elsewhere.example' }),
      'a limit that is reached': async () => {
        const body = { username: 'new-one', email: 'x@example.org', password: 'password1' };
        for (let tries = 0; tries < 11; tries += 1)
          await post(null, '/api/register', { ...body, acceptTerms: true, isAdult: true }, ip);
      },
    };
    await acts[what]?.();
    const rows = (await seen()).filter(({ address }) => address === ip);
    expect(rows).toMatchObject([
      { kind, call, count: 1, address: ip, username: who === null ? null : person.username },
    ]);
  });

  it('each kind, person and address once an hour, with a count, also over tRPC', async () => {
    const person = await createUser(test.ctx);
    for (const ip of ['203.0.113.1', '203.0.113.1', '203.0.113.2']) {
      await test.call(person, { method: 'GET', url: '/api/trpc/admin.stats', ip });
      await test.deps.deniedRequests.flush();
    }
    const rows = (await seen()).filter(({ userId }) => userId === person.id);
    expect(rows.map(({ address, count }) => [address, count]).sort()).toEqual([
      ['203.0.113.1', 2],
      ['203.0.113.2', 1],
    ]);
    test.ctx.clock.advanceDays(1 / 24);
    await test.call(person, { method: 'GET', url: '/api/admin/stats', ip: '203.0.113.1' });
    expect((await seen())[0]).toMatchObject({ userId: person.id, count: 1 });
  });

  it('neither what anybody may get, nor what does not exist', async () => {
    const ip = '203.0.113.9';
    await test.call(null, { method: 'GET', url: '/api/coupons', ip });
    await test.call(null, { method: 'GET', url: '/api/nothing-here', ip });
    await test.call(null, { method: 'GET', url: '/api/notifications', ip });
    await post(null, '/api/login', {}, ip);
    expect((await seen()).filter(({ address }) => address === ip)).toEqual([]);
  });
});

describe('a flood', () => {
  const forbidden = new AppError('forbidden', 'No');

  it('of 10,000 refusals from as many addresses is one statement and few rows', async () => {
    const flooded = await createTestApp();
    const statements: string[] = [];
    const { db, clock, log } = flooded.deps;
    const counted = db.withPlugin({
      transformQuery: ({ node }) => {
        statements.push(node.kind);
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const deniedRequests = openDeniedRequests({ db: counted, clock, log });
    for (let i = 0; i < 10_000; i += 1) {
      const ip = `10.1.${i >> 8}.${i & 255}`;
      deniedRequests.note(forbidden, { userId: null, ip, call: 'accounts.login' });
    }
    await deniedRequests.flush();
    expect(statements).toEqual(['InsertQueryNode']);
    const person = await createUser(flooded.ctx);
    deniedRequests.note(forbidden, { userId: person.id, ip: '10.2.0.1', call: 'admin.stats' });
    await deniedRequests.close();
    const { rows } = await flooded.database.pool.query(
      `select count(*)::int as rows, sum(count)::int as counted, count(user_id)::int as people,
         sum(count) filter (where address = '')::int as others from denied_requests`,
    );
    expect(rows).toEqual([
      { rows: ROWS_PER_HOUR + 2, counted: 10_001, people: 1, others: 10_000 - ROWS_PER_HOUR },
    ]);
    await flooded.close();
  });

  it('that two processes store at once loses no count', { timeout: HANGS_MS }, async () => {
    const { db, clock, log } = test.deps;
    const processes = [openDeniedRequests({ db, clock, log }), openDeniedRequests({ db, clock, log })];
    for (let round = 0; round < 20; round += 1) {
      for (const deniedRequests of processes)
        for (let i = 0; i < 50; i += 1)
          deniedRequests.note(forbidden, { userId: null, ip: `10.3.0.${i}`, call: 'race' });
      await Promise.all(processes.map((each) => each.flush()));
    }
    await Promise.all(processes.map((each) => each.close()));
    const { rows } = await test.database.pool.query(
      `select count(*)::int as rows, sum(count)::int as counted from denied_requests where call = 'race'`,
    );
    expect(rows).toEqual([{ rows: 50, counted: 2_000 }]);
  });

  it('is kept while the database is away, and stored afterwards', async () => {
    const { clock, db } = test.deps;
    const log = createLogger({ logLevel: 'silent', isProduction: true });
    let isAway = true;
    const broken = db.withPlugin({
      transformQuery: ({ node }) => {
        if (isAway) throw new AppError('unavailable', 'The database is away');
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const deniedRequests = openDeniedRequests({ db: broken, clock, log });
    deniedRequests.note(forbidden, { userId: null, ip: '10.4.0.1', call: 'outage' });
    await deniedRequests.flush();
    deniedRequests.note(forbidden, { userId: null, ip: '10.4.0.1', call: 'outage' });
    isAway = false;
    await deniedRequests.close();
    const { rows } = await test.database.pool.query(
      `select count from denied_requests where call = 'outage'`,
    );
    expect(rows).toEqual([{ count: 2 }]);
  });
});

it('refusals are removed after 30 days', async () => {
  await test.call(await createUser(test.ctx), { method: 'GET', url: '/api/admin/stats' });
  expect((await seen()).length).toBeGreaterThan(0);
  test.ctx.clock.advanceDays(29);
  const cleanUp = JOBS.find(({ name }) => name === 'clean-up');
  await cleanUp?.run(test.ctx, AbortSignal.timeout(HANGS_MS));
  expect((await seen()).length).toBeGreaterThan(0);
  test.ctx.clock.advanceDays(2);
  await cleanUp?.run(test.ctx, AbortSignal.timeout(HANGS_MS));
  expect(await seen()).toEqual([]);
});
