import { describe, expect, it } from 'vitest';
import { REST_CALLS } from '#server/rest/table.ts';
import { createTestApp, OUR_PAGE, setUpApp, WEB_SOURCES } from '#tests/support/app.ts';
import { createCoupon, createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { anOffer } from '#tests/support/coupons.ts';

const test = setUpApp({ webRoot: WEB_SOURCES });
const production = setUpApp({ config: { isProduction: true, publicUrl: 'https://clipswap.example' } });

const login = { method: 'POST', url: '/api/login' } as const;
const credentials = (username: string) => ({ username, password: TEST_PASSWORD });

describe('the same-origin check', () => {
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://localhost', 'sec-fetch-site': 'cross-site' },
    { origin: 'http://localhost.evil.example' },
    { origin: 'http://localhost:9999' },
  ];

  it.each(REST_CALLS.filter(({ method }) => method !== 'GET'))('applies to $method $path', async (call) => {
    for (const headers of foreign) {
      const url = call.path.replace(':id', '1');
      const answer = await test.call(null, { method: call.method, url, body: {}, headers });
      expect(answer.statusCode, JSON.stringify(headers)).toBe(403);
      expect(answer.json()).toEqual({
        error: 'This request did not come from ClipSwap itself',
        code: 'forbidden',
      });
    }
  });

  it.each(['/api/trpc/accounts.logout', '/api/upload/qrcode'])('applies to %s, too', async (url) => {
    for (const headers of foreign) {
      const answer = await test.call(null, { method: 'POST', url, headers });
      expect(answer.statusCode, JSON.stringify(headers)).toBe(403);
    }
  });

  it('allows our own pages, and reads from anywhere', async () => {
    const own = { origin: 'http://localhost', 'sec-fetch-site': 'same-origin' };
    expect((await test.call(null, { method: 'POST', url: '/api/logout', headers: own })).statusCode).toBe(
      200,
    );
    const foreignRead = { 'sec-fetch-site': 'cross-site' };
    expect(
      (await test.call(null, { method: 'GET', url: '/api/coupons', headers: foreignRead })).statusCode,
    ).toBe(200);
  });

  it('applies to reads that record a view, of a code for example', async () => {
    const owner = await createUser(test.ctx);
    const { id } = await createCoupon(test.ctx, owner, { code: 'SHOWN-TO-ME-4471' });
    const views = async () =>
      (await test.ctx.db.selectFrom('couponReveals').select('id').where('couponId', '=', id).execute())
        .length;
    const url = `/api/coupons/${id}/qrcode`;
    const referers = ['https://evil.example/', 'nonsense'].map((referer) => ({ referer }));
    const refused = [
      ...foreign,
      ...referers,
      // A link in a mail, a typed address, a prefetched page.
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site', referer: 'http://localhost/coupons' },
      {},
    ];
    const input = encodeURIComponent(JSON.stringify({ id, kind: 'qrcode' }));
    for (const headers of refused)
      for (const path of [url, `/api/trpc/coupons.codeImage?input=${input}`]) {
        const answer = await test.call(owner, { method: 'GET', url: path, headers });
        expect(answer.statusCode, `${path} ${JSON.stringify(headers)}`).toBe(403);
      }
    for (const file of [`/api/coupons/${id}/wallet-pass.pkpass`, '/api/evidence/AAAAAAAAAAAAAAAAAAAAAA'])
      expect((await test.call(owner, { method: 'GET', url: file, headers: foreign[2] })).statusCode).toBe(
        403,
      );
    expect(await views()).toBe(0);
    for (const headers of [OUR_PAGE, { referer: 'http://localhost/coupons' }])
      expect((await test.call(owner, { method: 'GET', url, headers })).statusCode).toBe(200);
    expect(await views()).toBe(1);
  });

  it('compares with the public address alone in production', async () => {
    const logout = { method: 'POST', url: '/api/logout' } as const;
    const byHost = await production.call(null, { ...logout, headers: { origin: 'http://localhost' } });
    expect(byHost.statusCode).toBe(403);
    const byAddress = await production.call(null, {
      ...logout,
      headers: { origin: 'https://clipswap.example' },
    });
    expect(byAddress.statusCode).toBe(200);
  });
});

describe('the session cookie', () => {
  it('is HttpOnly, Lax, for this host only, and new at every sign-in', async () => {
    const { username } = await createUser(test.ctx);
    const first = (await test.call(null, { ...login, body: credentials(username) })).cookies[0];
    const second = (await test.call(null, { ...login, body: credentials(username) })).cookies[0];
    expect(first).toMatchObject({ name: 'clipswap', path: '/', httpOnly: true, sameSite: 'Lax' });
    expect(first).not.toHaveProperty('domain');
    expect(first).not.toHaveProperty('secure');
    expect(second?.value).not.toBe(first?.value);
  });

  it('is Secure and has the __Host- prefix over HTTPS [decisions 5.1.7]', async () => {
    const { username } = await createUser(production.ctx);
    const [cookie] = (await production.call(null, { ...login, body: credentials(username) })).cookies;
    expect(cookie).toMatchObject({
      name: '__Host-clipswap',
      path: '/',
      httpOnly: true,
      secure: true,
      sameSite: 'Lax',
    });
    expect(cookie).not.toHaveProperty('domain');
  });

  it('is invalid after signing out, on the server too', async () => {
    const { username } = await createUser(test.ctx);
    const [cookie] = (await test.call(null, { ...login, body: credentials(username) })).cookies;
    const headers = { cookie: `clipswap=${cookie?.value}` };
    const whoAmI = () => test.call(null, { method: 'GET', url: '/api/user', headers });
    expect((await whoAmI()).json()).toMatchObject({ username });
    const out = await test.call(null, { method: 'POST', url: '/api/logout', headers });
    expect(out.cookies[0]).toMatchObject({ name: 'clipswap', value: '' });
    expect((await whoAmI()).statusCode).toBe(401);
  });

  it('that is unknown is ignored, and the caller counts as a visitor', async () => {
    const answer = await test.call(null, {
      method: 'GET',
      url: '/api/user',
      headers: { cookie: 'clipswap=made-up' },
    });
    expect(answer.statusCode).toBe(401);
    // The browser may have a newer session by now.
    expect(answer.cookies).toEqual([]);
  });
});

describe('rate limits', () => {
  it('apply to REST and tRPC together, and name the time to wait [decisions 6.6.2]', async () => {
    const limited = await createTestApp({ withLimits: true });
    const body = { username: 'somebody', password: 'wrong' };
    const byRest = () => limited.call(null, { ...login, body });
    for (let tries = 1; tries <= 10; tries += 1) expect((await byRest()).statusCode).toBe(401);
    const refused = await byRest();
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({
      code: 'rate_limited',
      error: expect.stringContaining('Too many attempts'),
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const byTrpc = await limited.trpc(null, 'mutation', 'accounts.login', body);
    expect(byTrpc.statusCode).toBe(429);
    expect(Number(byTrpc.headers['retry-after'])).toBeGreaterThan(0);
    await limited.close();
  });
});

describe('an internal error', () => {
  it('is answered with 500 and no detail, by REST and tRPC', async () => {
    const broken = await createTestApp();
    await broken.database.pool.query('alter table leaderboard rename to mislaid');
    const wire = {
      error: 'Something went wrong on our side. Please try again.',
      code: 'internal',
      requestId: expect.any(String),
    };
    const byRest = await broken.call(null, { method: 'GET', url: '/api/leaderboard' });
    expect(byRest.statusCode).toBe(500);
    expect(byRest.json()).toEqual(wire);
    const byTrpc = await broken.trpc(null, 'query', 'leaderboard.list', {});
    expect(byTrpc.statusCode).toBe(500);
    expect(byTrpc.json().error.data.wire).toEqual(wire);
    expect(byTrpc.body).not.toMatch(/relation|select|stack|node_modules/);
    await broken.close();
  });
});

it('several calls are not answered as one batch, which would pass limits of requests', async () => {
  const answer = await test.trpc(null, 'query', 'coupons.list,coupons.list?batch=1');
  expect(answer.statusCode).toBe(400);
});

describe('headers', () => {
  it('keep private answers out of every cache', async () => {
    expect((await test.call(null, { method: 'GET', url: '/api/coupons' })).headers['cache-control']).toBe(
      'no-store',
    );
    const byTrpc = await test.trpc(null, 'query', 'coupons.list', {});
    expect(byTrpc.headers['cache-control']).toBe('no-store');
  });

  it('forbid foreign scripts, frames and content sniffing', async () => {
    const { headers } = await test.call(null, { method: 'GET', url: '/api/coupons' });
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    // The camera's decoder is WebAssembly; no other unsafe source is allowed.
    expect(String(headers['content-security-policy']).replace("'wasm-unsafe-eval'", '')).not.toContain(
      'unsafe',
    );
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['strict-transport-security']).toBeUndefined();
    const overHttps = await production.call(null, { method: 'GET', url: '/api/coupons' });
    expect(overHttps.headers['strict-transport-security']).toContain('max-age=63072000');
  });
});

describe('the web shell', () => {
  it('does not answer unknown files, writes and calls', async () => {
    expect((await test.call(null, { method: 'GET', url: '/assets/gone.js' })).statusCode).toBe(404);
    expect((await test.call(null, { method: 'GET', url: '/api/gone' })).json()).toMatchObject({
      code: 'not_found',
    });
    expect((await test.call(null, { method: 'POST', url: '/coupons/1', body: {} })).statusCode).toBe(404);
  });
});

describe('health', () => {
  it('says that the process lives and that it can serve', async () => {
    expect((await test.call(null, { method: 'GET', url: '/healthz' })).json()).toEqual({ status: 'ok' });
    expect((await test.call(null, { method: 'GET', url: '/readyz' })).json()).toEqual({
      status: 'ready',
      live: 'database',
      limits: 'none',
    });
  });
});

describe('lists', () => {
  it('are bare arrays, with total and links in X-Total-Count and Link [decisions 6.6.1]', async () => {
    const owner = await createUser(test.ctx);
    for (const number of [1, 2, 3]) {
      const body = { ...anOffer(), title: `Loaf number ${number}`, merchant: 'Link Test Bakery' };
      expect((await test.call(owner, { method: 'POST', url: '/api/coupons', body })).statusCode).toBe(201);
    }
    const url = '/api/coupons?search=link%20test%20bakery&limit=2';
    const first = await test.call(null, { method: 'GET', url });
    expect(first.json()).toHaveLength(2);
    expect(first.headers['x-total-count']).toBe('3');
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? '';
    const second = await test.call(null, { method: 'GET', url: next });
    expect(second.json()).toHaveLength(1);
    expect(second.headers.link).toMatch(/^<[^>]+>; rel="prev"$/);
    const titles = [...first.json(), ...second.json()].map(({ title }: { title: string }) => title);
    expect(new Set(titles).size).toBe(3);
  });
});
