import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as cheerio from 'cheerio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FIRST_ANSWERS_ID, type FirstAnswer } from '#contract/first-answers.ts';
import type { Actor } from '#server/domains/context.ts';
import { createTestApp, type TestApp } from '#server/testing/app.ts';
import { createCoupon, createUser } from '#server/testing/builders.ts';

const SHELL = readFileSync(path.resolve(import.meta.dirname, '../../src/web/index.html'), 'utf8');
/** Text that would end a script element without escaping. */
const HOSTILE = '</script><script>alert(1)</script><!-- \u2028';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let test: TestApp;
let olive: Actor;
let mia: Actor;
let webRoot: string;

beforeAll(async () => {
  webRoot = mkdtempSync(path.join(tmpdir(), 'clipswap-web-'));
  writeFileSync(path.join(webRoot, 'index.html'), SHELL);
  test = await createTestApp({ webRoot });
  olive = await createUser(test.ctx, { username: 'olive' });
  mia = await createUser(test.ctx, { username: 'mia' });
  await createCoupon(test.ctx, olive, { title: `Bread ${HOSTILE}`, code: 'HUSH-HUSH-2035' });
});
afterAll(async () => {
  await test.close();
  rmSync(webRoot, { recursive: true });
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
  ['/terms', ['accounts.me']],
])('%s comes with the answers of the API', async (url, names) => {
  for (const who of [null, mia]) {
    const { answer, answers } = await open(url, who);
    expect(answer.statusCode).toBe(200);
    expect([...answers.keys()].sort()).toEqual(names);
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

it('contains no part of a code, not even for its owner', async () => {
  for (const who of [null, mia, olive]) {
    const { answer } = await open('/', who);
    expect(answer.body).not.toContain('HUSH');
  }
  expect((await open('/', olive)).answers.has('coupons.list')).toBe(false);
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
});

it('a page does not wait for a slow database: it comes without the list', async () => {
  const client = await test.database.pool.connect();
  try {
    await client.query('begin');
    await client.query('lock table coupons in access exclusive mode');
    const { answer, answers } = await open('/');
    expect(answer.statusCode).toBe(200);
    expect([...answers.keys()]).toEqual(['accounts.me']);
    expect(answer.body).toContain('id="root"');
  } finally {
    await client.query('rollback');
    client.release();
  }
});

it('a page without a database comes without a list', async () => {
  const broken = await createTestApp({ webRoot });
  await broken.database.pool.end();
  const answer = await broken.call(null, { method: 'GET', url: '/', headers: { 'user-agent': BROWSER } });
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toContain('id="root"');
  expect(answer.body).not.toContain('coupons.list');
  await broken.close().catch(() => undefined);
});
