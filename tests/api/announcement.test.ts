import * as cheerio from 'cheerio';
import { beforeAll, expect, it } from 'vitest';
import { OFFLINE_SHELL } from '#contract/base/offline.ts';
import type { Actor } from '#server/context/context.ts';
import { setUpApp, WEB_SOURCES } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';

const HOSTILE = `Pay <b>&"later"</b></script><script>alert(1)</script>`;
const ID = '0b8f6c1e-8a52-4c0e-9f0a-2f6b1f1f0a11';

const test = setUpApp({ webRoot: WEB_SOURCES });
let admin: Actor;
beforeAll(async () => {
  admin = await createUser(test.ctx, { role: 'admin' });
});

async function set(name: 'announcement' | 'maintenance', value: object | null) {
  const before = await test.trpc(admin, 'query', 'settings.list');
  const follows = before.json().result.data[name].change?.id ?? null;
  const answer = await test.trpc(admin, 'mutation', 'settings.change', { name, value, follows });
  expect(answer.statusCode).toBe(200);
}

const announcement = (given: object = {}) => ({
  id: ID,
  kind: 'news',
  text: { en: 'Hello' },
  until: null,
  ...given,
});

/** The strips of a page, and what their elements are allowed by. */
async function strips(url = '/') {
  const answer = await test.call(null, { method: 'GET', url });
  const page = cheerio.load(answer.body);
  const nonce = /'nonce-([^']+)'/.exec(String(answer.headers['content-security-policy']))?.[1];
  const found = page('body > .news-strip');
  if (found.length > 0) {
    expect(page('body > style').attr('nonce')).toBe(nonce);
    expect(found.last().next('script').attr('nonce')).toBe(nonce);
    expect(found.last().nextAll('#root')).toHaveLength(1);
  }
  return found.map((_index, strip) => page(strip).find('p').text()).get();
}

it('a page has no strip and nothing of one while there is nothing to say', async () => {
  expect(await strips()).toEqual([]);
  expect((await test.call(null, { method: 'GET', url: '/' })).body).not.toContain('news-strip');
});

it('an announcement stands above every page as plain text, until it ends', async () => {
  const until = new Date(test.ctx.clock().getTime() + 3_600_000).toISOString();
  await set('announcement', announcement({ text: { en: HOSTILE, fr: 'Bonjour' }, until }));
  expect(await strips()).toEqual([HOSTILE]);
  expect(await strips('/how-it-works')).toEqual([HOSTILE]);
  expect((await test.call(null, { method: 'GET', url: '/' })).body).not.toContain('<script>alert');
  const said = await test.call(null, {
    method: 'GET',
    url: '/api/announcement',
    headers: { 'accept-language': 'fr' },
  });
  expect(said.json().announcement).toEqual({ id: ID, kind: 'news', text: 'Bonjour', until });
  test.ctx.clock.advanceDays(1);
  expect(await strips()).toEqual([]);
});

it('maintenance is said besides, and cannot be dismissed', async () => {
  await set('announcement', announcement());
  await set('maintenance', { text: { en: 'A larger server.' }, until: '2035-06-20T14:00:00.000Z' });
  expect(await strips()).toEqual([
    'A larger server. ClipSwap can only be read for now. What you have begun is kept, and nothing is lost. We expect to be done by this time: Jun 20, 2035, 14:00 UTC',
    'Hello',
  ]);
  const page = cheerio.load((await test.call(null, { method: 'GET', url: '/' })).body);
  expect(page('.news-strip button')).toHaveLength(1);
  expect(page('.news-strip[role=status]')).toHaveLength(2);
});

it('the page that browsers keep for later says nothing: it would be old', async () => {
  const offline = await test.call(null, { method: 'GET', url: OFFLINE_SHELL });
  expect(offline.statusCode).toBe(200);
  expect(offline.body).not.toContain('news-strip');
});
