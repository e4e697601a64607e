import * as cheerio from 'cheerio';
import { beforeAll, expect, it, vi } from 'vitest';
import { FIRST_ANSWERS_ID, type FirstAnswer } from '#contract/base/first-answers.ts';
import { CODE_MASK } from '#contract/coupons/limits.ts';
import type { Actor } from '#server/context/context.ts';
import { endSession, startSession } from '#server/people/sessions/sessions.ts';
import { createTestApp, setUpApp, WEB_SOURCES } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { WAIT_MS } from '#tests/support/patience.ts';

/** Text that would end a script element without escaping. */
const HOSTILE = '</script><script>alert(1)</script><!-- \u2028';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const test = setUpApp({ webRoot: WEB_SOURCES });
let olive: Actor;
let mia: Actor;
beforeAll(async () => {
  olive = await createUser(test.ctx, { username: 'olive' });
  mia = await createUser(test.ctx, { username: 'mia' });
  await createCoupon(test.ctx, olive, { title: `Bread ${HOSTILE}`, code: 'HUSH-HUSH-2035' });
});

async function open(url: string, who: Actor | null = null, agent = BROWSER) {
  const answer = await test.call(who, { method: 'GET', url, headers: { 'user-agent': agent } });
  const $ = cheerio.load(answer.body);
  const answers: FirstAnswer[] = JSON.parse($(`#${FIRST_ANSWERS_ID}`).text() || '[]');
  return { answer, $, answers: new Map(answers.map(([name, data, input]) => [name, { data, input }])) };
}

it.each([
  ['/', ['accounts.me', 'coupons.list']],
  ['/?category=food&q=x&min=%00&page=-1', ['accounts.me', 'coupons.list']],
  ['/leaderboard?tab=nonsense', ['accounts.me', 'leaderboard.list']],
  ['/my-coupons?q=x&page=2', ['accounts.me']],
  ['/my-coupons?tab=saved', ['accounts.me']],
  ['/terms', ['accounts.me']],
])('%s comes with the answers of the API', async (url, names) => {
  for (const who of [null, mia]) {
    const { answer, answers } = await open(url, who);
    expect(answer.statusCode).toBe(200);
    // The notices above the list, of members alone, must not come late: they would push it down.
    const notices = names.includes('coupons.list')
      ? ['deals.count', 'deals.list', 'drafts.count', 'matches.count', 'sellers.readiness']
      : [];
    const list = url.endsWith('saved') ? 'coupons.saved' : 'coupons.mine';
    const own = url.startsWith('/my-coupons') ? [list, 'drafts.count', 'matches.count'] : notices;
    expect([...answers.keys()].sort()).toEqual([...names, ...(who ? own : [])]);
    for (const [name, { data, input }] of answers) {
      const { body } = await test.trpc(who, 'query', name, input);
      expect(data, name).toEqual(JSON.parse(body).result.data);
    }
  }
});

it('Discover comes with its merchants for whoever may see them', async () => {
  expect([...(await open('/discover', mia)).answers.keys()].sort()).toEqual(['accounts.me', 'discover.list']);
  expect([...(await open('/discover')).answers.keys()]).toEqual(['accounts.me']);
});

it('what people write cannot end the element', async () => {
  const { answer, $, answers } = await open('/');
  expect(answers.get('coupons.list')?.data).toMatchObject({ items: [{ title: `Bread ${HOSTILE}` }] });
  expect(answer.body).not.toContain('<script>alert');
  expect($(`#${FIRST_ANSWERS_ID}`).text()).not.toMatch(/[<>&\u2028\u2029]/);
});

it('a page for somebody with a session is stored by no cache', async () => {
  for (const url of ['/', '/terms']) {
    const { answer, answers } = await open(url, mia);
    expect(answers.get('accounts.me')?.data).toMatchObject({ username: 'mia' });
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expect(String(answer.headers.vary).toLowerCase()).toContain('cookie');
  }
  const visitor = await open('/');
  expect(visitor.answers.get('accounts.me')?.data).toBeNull();
  expect(visitor.answer.headers['cache-control']).toBe('no-cache');
});

it('contains no part of a code, not even for its owner, who sees the coupon all the same', async () => {
  for (const [url, name] of [
    ['/', 'coupons.list'],
    ['/my-coupons', 'coupons.mine'],
  ] as const) {
    for (const who of [null, mia, olive]) {
      const { answer } = await open(url, who);
      expect(answer.body).not.toContain('HUSH');
    }
    const { data } = (await open(url, olive)).answers.get(name) ?? {};
    expect(data).toMatchObject({ items: [{ title: `Bread ${HOSTILE}`, codePreview: CODE_MASK }] });
  }
});

it('has no answers for HEAD requests, search engines and programs', async () => {
  const head = await test.app.inject({ method: 'HEAD', url: '/', headers: { 'user-agent': BROWSER } });
  expect(head.statusCode).toBe(200);
  // Without answers the page is as long as for a search engine.
  const plain = await open('/', null, 'Googlebot');
  expect(head.headers['content-length']).toBe(plain.answer.headers['content-length']);
  for (const agent of ['Mozilla/5.0 (compatible; Googlebot/2.1)', 'facebookexternalhit/1.1', 'curl/8.0'])
    expect((await open('/', null, agent)).answers.size, agent).toBe(0);
});

it('the coupon of a page comes with the answer that its head was made from', async () => {
  const { id } = await createCoupon(test.ctx, olive, { title: 'Once only' });
  const { answers } = await open(`/coupons/${id}`, mia);
  expect(answers.get('coupons.byId')).toMatchObject({ data: { title: 'Once only' }, input: { id } });
  expect(answers.get('coupons.feedback')).toMatchObject({
    data: { worked: 0, mayGive: false },
    input: { id },
  });
  expect(answers.get('deals.forCoupon')).toMatchObject({
    data: { bid: null, exchange: null },
    input: { id },
  });
});

it('the page of a missing coupon comes with who looks at it only', async () => {
  const { answer, answers } = await open('/coupons/2000000000', mia);
  expect(answer.statusCode).toBe(404);
  expect([...answers.keys()]).toEqual(['accounts.me']);
});

it.each(['/%00?%', '/users/1?page=%ff'])('the address %s has a page, too', async (url) => {
  const { answer } = await open(url);
  expect([200, 404]).toContain(answer.statusCode);
  expect(answer.body).toContain('id="root"');
});

it.each(['ended', 'banned', 'unknown'])(
  'a page has nothing of a person whose session is %s',
  async (state) => {
    const nora = await createUser(test.ctx, { username: `nora_${state}` });
    const { token } = await startSession(test.ctx.db, test.ctx.clock, nora.id);
    if (state === 'ended') await endSession(test.ctx.db, token);
    if (state === 'banned')
      await test.ctx.db.updateTable('users').set({ status: 'banned' }).where('id', '=', nora.id).execute();
    const cookie = `clipswap=${state === 'unknown' ? 'a'.repeat(40) : token}`;
    const answer = await test.call(null, {
      method: 'GET',
      url: '/',
      headers: { 'user-agent': BROWSER, cookie },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expect(answer.body).toContain('["accounts.me",null]');
    expect(answer.body).not.toContain('nora');
  },
);

/** Holds the table of coupons, so that whoever reads it waits. */
async function whileCouponsAreLocked({ pool }: TestDatabase, act: () => Promise<void>) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('lock table coupons in access exclusive mode');
    await act();
  } finally {
    await client.query('rollback');
    client.release();
  }
}

it('a page does not wait for a slow database: it comes without the list, a coupon without its head', async () => {
  const hasty = await createTestApp({ webRoot: WEB_SOURCES, pageWaitMs: 20 });
  const owner = await createUser(hasty.ctx);
  const { id } = await createCoupon(hasty.ctx, owner, { title: 'Slow bread' });
  const call = (url: string, agent: string) =>
    hasty.call(null, { method: 'GET', url, headers: { 'user-agent': agent } });
  await whileCouponsAreLocked(hasty.database, async () => {
    const home = await call('/', BROWSER);
    expect(home.statusCode).toBe(200);
    expect(home.body).toContain('id="root"');
    expect(home.body).toContain('["accounts.me",null]');
    expect(home.body).not.toContain('coupons.list');
    const coupon = await call(`/coupons/${id}`, BROWSER);
    expect(coupon.statusCode).toBe(503);
    expect(coupon.body).toContain('id="root"');
  });
  // A search engine waits for the head.
  expect((await call(`/coupons/${id}`, 'Googlebot')).body).toContain('Slow bread');
  await hasty.close();
});

it('a reader who goes away while a page is made harms nothing', async () => {
  const address = await test.app.listen({ port: 0, host: '127.0.0.1' });
  await whileCouponsAreLocked(test.database, async () => {
    const gone = new AbortController();
    const asked = fetch(address, { headers: { 'user-agent': BROWSER }, signal: gone.signal });
    await vi.waitUntil(
      async () => (await test.database.pool.query('select from pg_locks where not granted')).rowCount,
      { timeout: WAIT_MS },
    );
    gone.abort();
    await expect(asked).rejects.toThrow('abort');
  });
  expect((await open('/')).answers.has('coupons.list')).toBe(true);
});

it('a page without a database comes without answers from it', async () => {
  const broken = await createTestApp({ webRoot: WEB_SOURCES });
  await broken.database.pool.end();
  for (const [url, status] of [
    ['/', 200],
    ['/coupons/1', 503],
  ] as const) {
    const headers = { 'user-agent': BROWSER, cookie: `clipswap=${'a'.repeat(40)}` };
    const answer = await broken.call(null, { method: 'GET', url, headers });
    expect(answer.statusCode).toBe(status);
    expect(answer.body).toContain('id="root"');
    expect(answer.body).not.toContain(FIRST_ANSWERS_ID);
    expect(answer.body.includes('noindex')).toBe(status === 503);
  }
  await broken.close().catch(() => undefined);
});
