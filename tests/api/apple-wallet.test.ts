import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { tokenOf } from '#server/coupons/wallet-passes/making.ts';
import { tellWallets } from '#server/coupons/wallet-passes/service.ts';
import { withSettings } from '#server/rest/page-head.ts';
import { createTestApp, OUR_PAGE, type TestApp } from '#tests/support/app.ts';
import { createCoupon, createUser, type TestCoupon } from '#tests/support/builders.ts';
import { PASS_TYPE, setUpWallets } from '#tests/support/wallets.ts';

/** Apple's wallet, as its phones call us: without a session, from anywhere. */

const sandbox = setUpWallets();
const test = {} as TestApp;
let owner: Actor;
let stranger: Actor;
let soup: TestCoupon;
let serial: string;
beforeAll(async () => {
  Object.assign(test, await createTestApp({ providers: { wallets: sandbox.wallets }, withLimits: true }));
  owner = await createUser(test.ctx);
  stranger = await createUser(test.ctx);
  soup = await createCoupon(test.ctx, owner, { title: 'Soup' });
  const added = await test.call(owner, {
    method: 'POST',
    url: `/api/coupons/${soup.id}/wallet-passes`,
    body: { wallet: 'apple' },
  });
  expect(added.json()).toEqual({ url: `/api/coupons/${soup.id}/wallet-pass.pkpass` });
  serial = (await test.ctx.db.selectFrom('walletPasses').select('id').executeTakeFirstOrThrow()).id;
});
afterAll(() => test.close());

const base = '/api/apple-wallet/v1';
const registration = (device = 'phone') => `${base}/devices/${device}/registrations/${PASS_TYPE}/${serial}`;
const headers = () => ({
  authorization: `ApplePass ${tokenOf(test.ctx, serial)}`,
  origin: 'https://elsewhere.example',
});
const register = (given: { headers?: Record<string, string>; ip?: string; url?: string } = {}) =>
  test.call(null, {
    method: 'POST',
    url: registration(),
    body: { pushToken: 'p1' },
    headers: headers(),
    ...given,
  });
const latest = (more: Record<string, string> = {}) =>
  test.call(null, {
    method: 'GET',
    url: `${base}/passes/${PASS_TYPE}/${serial}`,
    headers: { ...headers(), ...more },
  });

it('gives the pass as a file that no cache keeps', async () => {
  const url = `/api/coupons/${soup.id}/wallet-pass.pkpass`;
  const ask = { method: 'GET', url, headers: OUR_PAGE } as const;
  const answer = await test.call(owner, ask);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/vnd.apple.pkpass',
    'cache-control': 'private, no-store',
  });
  expect(answer.rawPayload.subarray(0, 2).toString()).toBe('PK');
});

it('is offered by the pages where the operator has set it up, and nowhere else', () => {
  const { config } = test.deps;
  const headWith = (wallets: typeof config.wallets) => withSettings('</head>', { ...config, wallets });
  const google = { issuerId: '1', serviceAccountFile: '/nowhere' };
  expect(headWith({ apple: null, google: null })).not.toContain('"wallets"');
  expect(headWith({ apple: null, google })).toContain('<meta name="wallets" content="google" />');
});

describe('a device', () => {
  it('registers, asks for changes, gets the void pass after a transfer, and leaves', async () => {
    expect((await register()).statusCode).toBe(201);
    expect((await register()).statusCode).toBe(200);
    const list = `${base}/devices/phone/registrations/${PASS_TYPE}`;
    const changed = await test.call(null, { method: 'GET', url: list });
    expect(changed.json()).toEqual({ serialNumbers: [serial], lastUpdated: expect.stringMatching(/^\d+$/) });
    const nobody = `${base}/devices/nobody/registrations/${PASS_TYPE}`;
    expect((await test.call(null, { method: 'GET', url: nobody })).statusCode).toBe(204);

    const before = await latest();
    expect(before.statusCode).toBe(200);
    const modified = String(before.headers['last-modified']);
    expect((await latest({ 'if-modified-since': modified })).statusCode).toBe(304);

    await test.ctx.db
      .updateTable('coupons')
      .set({ ownerId: stranger.id })
      .where('id', '=', soup.id)
      .execute();
    await tellWallets(test.ctx);
    expect(sandbox.push.pushes).toMatchObject([{ token: 'p1', topic: PASS_TYPE }]);
    const after = await latest({ 'if-modified-since': modified });
    expect(after.statusCode).toBe(200);
    expect(after.headers['content-type']).toBe('application/vnd.apple.pkpass');
    expect(after.rawPayload.includes('"voided":true')).toBe(true);
    expect(after.rawPayload.includes(String(soup.code))).toBe(false);

    const leaving = { method: 'DELETE', url: registration(), headers: headers() } as const;
    expect((await test.call(null, leaving)).statusCode).toBe(200);
    expect((await test.call(null, { method: 'GET', url: list })).statusCode).toBe(204);
  });

  it('may report problems, in few lines', async () => {
    const url = `${base}/log`;
    expect((await test.call(null, { method: 'POST', url, body: { logs: ['x'] } })).statusCode).toBe(200);
    expect((await test.call(null, { method: 'POST', url, body: 'x' })).statusCode).toBe(200);
    const much = { logs: ['x'.repeat(20_000)] };
    expect((await test.call(null, { method: 'POST', url, body: much })).statusCode).toBe(413);
  });
});

describe('whoever has no token of the pass', () => {
  it.each([
    ['none', () => undefined],
    ['another', () => 'ApplePass AAAA'],
    ['that of another pass', () => `ApplePass ${tokenOf(test.ctx, 'B'.repeat(22))}`],
    ['that of a session', () => `Bearer ${tokenOf(test.ctx, serial)}`],
  ])('is refused: %s', async (_, authorization) => {
    const given = authorization();
    const withIt: Record<string, string> = given === undefined ? {} : { authorization: given };
    const ip = '192.0.2.7';
    expect((await register({ headers: withIt, ip })).statusCode).toBe(401);
    for (const [method, url] of [
      ['DELETE', registration()],
      ['GET', `${base}/passes/${PASS_TYPE}/${serial}`],
    ] as const) {
      const answer = await test.call(null, { method, url, headers: withIt, ip });
      expect(answer.statusCode).toBe(401);
      expect(answer.body).not.toContain(tokenOf(test.ctx, serial));
    }
  });

  it('can try few', async () => {
    const ip = '198.51.100.9';
    const statuses = [];
    for (let nth = 1; nth <= 31; nth += 1)
      statuses.push((await register({ headers: { authorization: 'ApplePass x' }, ip })).statusCode);
    expect(statuses.filter((status) => status === 401)).toHaveLength(30);
    expect(statuses.at(-1)).toBe(429);
  });

  it('finds no pass of another type', async () => {
    const url = registration().replace(PASS_TYPE, 'pass.example.other');
    expect((await register({ url })).statusCode).toBe(404);
  });
});
