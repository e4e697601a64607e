import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createDatabase, type DatabaseHandle } from '#server/database/client.ts';
import { createTestApp, OUR_PAGE, type TestApp, WEB_SOURCES } from '#tests/support/app.ts';
import { createCoupon, createUser, TEST_PASSWORD, type TestCoupon } from '#tests/support/builders.ts';
import { stripeSignature } from '#tests/support/payments.ts';
import { openConnections } from '#tests/support/races.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { uploadFile } from '../api/upload-forms.ts';
import { drawFixture, SECOND_CODE } from '../fixtures/codes.ts';
import { type Fault, type FaultProxy, openFaultProxy, through } from './proxy.ts';

/** Short, so that the test need not wait; the program's are seconds. */
const LIMIT_MS = 2_000;
const LIMITS = {
  connectionTimeoutMillis: LIMIT_MS,
  statement_timeout: LIMIT_MS,
  lock_timeout: LIMIT_MS,
  idle_in_transaction_session_timeout: 60_000,
};
const POOL = 5;
const DELAY_MS = 800;

let test: TestApp;
let proxy: FaultProxy;
let member: Actor;
let admin: Actor;
let coupon: TestCoupon;
let picture: Buffer;
let own: DatabaseHandle & { readonly url: string };

beforeAll(async () => {
  test = await createTestApp({
    webRoot: WEB_SOURCES,
    withLimits: true,
    standIns: ['stripe'],
    async connect({ url }) {
      proxy = await openFaultProxy({ port: Number(new URL(url).port) });
      const proxied = through(proxy, url);
      own = { ...createDatabase({ url: proxied, poolSize: POOL, limits: LIMITS }), url: proxied };
      return own;
    },
  });
  member = await createUser(test.ctx);
  admin = await createUser(test.ctx, { role: 'admin' });
  coupon = await createCoupon(test.ctx, member);
  picture = await drawFixture(SECOND_CODE);
});
afterAll(async () => {
  await test.close();
  await proxy.close();
});

const event = () =>
  JSON.stringify({ id: `evt_${Math.random()}`, object: 'event', type: 'payout.paid', data: { object: {} } });

/** A call at each of the program's APIs and pages, as a visitor and as somebody signed in. */
const CALLS: Record<string, () => Promise<LightMyRequestResponse>> = {
  'a REST read': () => test.call(null, { method: 'GET', url: '/api/coupons' }),
  'a REST read with a session': () => test.call(member, { method: 'GET', url: '/api/my-coupons' }),
  'a REST write': () =>
    test.call(member, { method: 'POST', url: '/api/save-coupon', body: { couponId: coupon.id } }),
  'a sign-in': () =>
    test.call(null, {
      method: 'POST',
      url: '/api/login',
      body: { username: member.username, password: TEST_PASSWORD },
    }),
  'a tRPC query': () => test.trpc(null, 'query', 'coupons.byId', { id: coupon.id }),
  'a tRPC query with a session': () => test.trpc(member, 'query', 'accounts.currentUser'),
  'a tRPC mutation': () => test.trpc(member, 'mutation', 'coupons.save', { couponId: coupon.id }),
  'an upload': () => uploadFile(test, member, { file: picture }),
  'a picture': () =>
    test.call(member, { method: 'GET', url: `/api/coupons/${coupon.id}/qrcode`, headers: OUR_PAGE }),
  'a webhook': () => {
    const body = event();
    return test.call(null, {
      method: 'POST',
      url: '/api/webhooks/stripe',
      body,
      headers: { 'stripe-signature': stripeSignature(body) },
    });
  },
  'the sitemap': () => test.call(null, { method: 'GET', url: '/sitemap.xml' }),
  'an export': () => test.call(admin, { method: 'GET', url: '/api/admin/platform-fees.csv' }),
  'a page': () => test.call(null, { method: 'GET', url: `/coupons/${coupon.id}` }),
};

async function answersOf(): Promise<Record<string, { status: number; retryAfter: unknown; said: unknown }>> {
  const answers = await Promise.all(
    Object.entries(CALLS).map(async ([name, call]) => {
      const { statusCode: status, headers, body } = await call();
      const isPage = String(headers['content-type']).startsWith('text/html');
      const said = status < 500 ? null : isPage ? 'a page' : codeIn(body);
      return [name, { status, retryAfter: headers['retry-after'], said }] as const;
    }),
  );
  return Object.fromEntries(answers);
}

function codeIn(body: string): unknown {
  const parsed = JSON.parse(body);
  return typeof parsed.error === 'string' ? parsed.code : parsed.error?.data?.wire?.code;
}

/** What every call answers; a page answers as a page, so that it can try again itself. */
function everyAnswer(answer: { status: number; retryAfter: unknown; said: unknown }) {
  const answerTo = (name: string) => (name === 'a page' ? { ...answer, said: 'a page' } : answer);
  return Object.fromEntries(Object.keys(CALLS).map((name) => [name, answerTo(name)]));
}

const UNAVAILABLE = { status: 503, retryAfter: '2', said: 'unavailable' };

const areOpen = async () => Object.values(await answersOf()).every(({ status }) => status < 500);

/** The short form takes a connection that is gone, and one that is silent. */
const FAULTS = shortOrLong<Fault[], Fault[]>(['cut', 'half-open'], ['refuse', 'cut', 'swallow', 'half-open']);

describe.each(FAULTS)('while the network does this: %s', (fault) => {
  it('every call answers 503 with Retry-After, and as before when it is over', async () => {
    await openConnections(own, POOL);
    expect(await areOpen()).toBe(true);
    await proxy.set(fault);
    expect(await answersOf()).toEqual(everyAnswer(UNAVAILABLE));
    await proxy.set('none');
    await expect.poll(areOpen).toBe(true);
  });
});

describe('a network that is late with every answer', () => {
  it('holds no call up for longer than the time it has for the database in all', async () => {
    await openConnections(own, POOL);
    const signIn = async () => {
      const before = proxy.requests;
      const answer = await CALLS['a sign-in']?.();
      return { status: answer?.statusCode, statements: proxy.requests - before };
    };
    const quick = await signIn();
    await proxy.set('delay', DELAY_MS);
    const late = await signIn();
    await proxy.set('none');
    expect([quick.status, late.status]).toEqual([200, 503]);
    expect(late.statements).toBeLessThan(quick.statements);
  });
});

describe('connections that look open and are dead', () => {
  it('are given up together once one of them has not answered', async () => {
    await openConnections(own, POOL);
    await proxy.set('half-open');
    expect((await CALLS['a REST read']?.())?.statusCode).toBe(503);
    await proxy.set('none');
    // The others are as dead, and nobody has to find that out by waiting.
    for (let call = 0; call < POOL; call += 1) expect((await CALLS['a REST read']?.())?.statusCode).toBe(200);
  });
});

describe('a commit whose answer is lost', () => {
  it('is told as unknown, is not tried again, and has happened once', async () => {
    await proxy.set('lose-commit');
    const body = {
      username: 'once-only',
      email: 'once@example.org',
      password: TEST_PASSWORD,
      acceptTerms: true,
      isAdult: true,
    };
    const answer = await test.call(null, { method: 'POST', url: '/api/register', body });
    await proxy.set('none');
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      {
        error: 'The connection broke before we knew whether this worked. Please check before you try again.',
        code: 'outcome_unknown',
        requestId: expect.any(String),
      },
    ]);
    expect(answer.headers['retry-after']).toBeUndefined();
    const people = await test.ctx.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', 'once-only')
      .execute();
    expect(people).toHaveLength(1);
  });
});
