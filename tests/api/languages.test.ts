import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { language, speakByDefault } from '#contract/base/i18n.ts';
import { inLanguageOf } from '#server/people/accounts/service.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';

const PUBLIC_URL = 'https://clipswap.example';
const SHELL = readFileSync(path.resolve(import.meta.dirname, '../../src/web/index.html'), 'utf8');

let test: TestApp;
let couponId: number;
let webRoot: string;
beforeAll(async () => {
  webRoot = mkdtempSync(path.join(tmpdir(), 'clipswap-languages-'));
  mkdirSync(path.join(webRoot, 'fr'));
  writeFileSync(path.join(webRoot, 'index.html'), SHELL);
  writeFileSync(path.join(webRoot, 'fr/index.html'), SHELL.replace('lang="en"', 'lang="fr-CA"'));
  test = await createTestApp({ config: { publicUrl: PUBLIC_URL }, webRoot });
  couponId = (await createCoupon(test.ctx, await createUser(test.ctx))).id;
});
afterAll(async () => {
  await test.close();
  rmSync(webRoot, { recursive: true });
});

const read = (url: string, headers: Record<string, string> = {}) =>
  test.call(null, { method: 'GET', url, headers });

const FRENCH = { 'accept-language': 'fr-CA,fr;q=0.9,en;q=0.8' };

describe('a page without a language in its address', () => {
  it('is English for search engines and for whoever prefers nothing else', async () => {
    const { statusCode, body, headers } = await read(`/coupons/${couponId}`);
    expect([statusCode, headers['content-language']]).toEqual([200, 'en']);
    expect(headers.vary).toContain('Accept-Language');
    expect(body).toContain('<html lang="en"');
  });

  it('leads to the same page in the language that the browser prefers', async () => {
    const { statusCode, headers } = await read('/discover?q=soup', FRENCH);
    expect([statusCode, headers.location]).toEqual([302, '/fr/discover?q=soup']);
    expect(headers['cache-control']).toBe('private, no-store');
    expect(headers.vary).toBe('Cookie, Accept-Language');
  });

  it('comes in the language that somebody has chosen in this browser', async () => {
    expect((await read('/', { ...FRENCH, cookie: 'language=en' })).statusCode).toBe(200);
    expect((await read('/', { cookie: 'language=fr' })).headers.location).toBe('/fr/');
    expect((await read('/', { cookie: 'language=xx' })).statusCode).toBe(200);
  });
});

describe('a page with a language in its address', () => {
  it('comes in it for everybody, and names itself in all languages', async () => {
    const { statusCode, body, headers } = await read(`/fr/coupons/${couponId}`, { cookie: 'language=en' });
    expect([statusCode, headers['content-language']]).toEqual([200, 'fr-CA']);
    expect(body).toContain('<html lang="fr-CA"');
    for (const tag of [
      `<link rel="canonical" href="${PUBLIC_URL}/fr/coupons/${couponId}" />`,
      `<link rel="alternate" hreflang="en" href="${PUBLIC_URL}/coupons/${couponId}" />`,
      `<link rel="alternate" hreflang="fr" href="${PUBLIC_URL}/fr/coupons/${couponId}" />`,
      `<link rel="alternate" hreflang="x-default" href="${PUBLIC_URL}/coupons/${couponId}" />`,
      '<meta property="og:locale" content="fr_CA" />',
      '<link rel="manifest" href="/fr/manifest.webmanifest" />',
    ])
      expect(body).toContain(tag);
  });

  it('is found at one address: the first page ends with a slash, as its service worker needs', async () => {
    expect((await read('/fr?from=mail')).headers.location).toBe('/fr/?from=mail');
    expect((await read('/fr/')).statusCode).toBe(200);
    expect((await read('/fr/nothing-here')).statusCode).toBe(404);
  });
});

it('in a French market French is for whoever wishes nothing else, and for search engines', async () => {
  speakByDefault('fr');
  onTestFinished(() => speakByDefault('en'));
  expect((await read('/')).headers.location).toBe('/fr/');
  expect((await read('/', { 'accept-language': 'de' })).headers.location).toBe('/fr/');
  expect((await read('/', { 'accept-language': 'en-CA' })).statusCode).toBe(200);
  expect((await read('/', { cookie: 'language=en' })).statusCode).toBe(200);
  const { body } = await read(`/fr/coupons/${couponId}`);
  const alternates = [...body.matchAll(/hreflang="([^"]+)" href="([^"]+)"/g)].map(([, lang, url]) => [
    lang,
    url,
  ]);
  expect(alternates).toEqual(
    ['fr', 'x-default'].map((lang) => [lang, `${PUBLIC_URL}/fr/coupons/${couponId}`]),
  );
  const somebody = await createUser(test.ctx);
  const spoken = (userId: number) => inLanguageOf(test.ctx.db, userId, async () => language());
  expect([await spoken(somebody.id), await spoken(-1)]).toEqual(['en', 'fr']);
});

it('the manifest of each language opens its own pages', async () => {
  expect((await read('/fr/manifest.webmanifest')).json()).toMatchObject({
    lang: 'fr-CA',
    start_url: '/fr/',
    scope: '/fr/',
    share_target: { action: '/fr/share-target' },
  });
  expect((await read('/manifest.webmanifest', FRENCH)).json()).toMatchObject({ lang: 'en', scope: '/' });
});

describe('the API', () => {
  const wrong = (headers: Record<string, string>) =>
    test.call(null, { method: 'POST', url: '/api/login', headers, body: { username: 'x', password: '' } });

  it('answers in English unless Accept-Language says otherwise; a chosen language is for pages', async () => {
    expect((await wrong({})).json().error).toBe('Password is required');
    expect((await wrong({ cookie: 'language=fr' })).json().error).toBe('Password is required');
    expect((await wrong(FRENCH)).json().error).toBe('Entrez un mot de passe');
  });
});

it('we write to a member in the language of the page they registered on, until they choose another', async () => {
  const body = {
    username: 'marie.claude',
    email: 'marie@example.org',
    password: 'Correct-Horse-7-Battery',
    acceptTerms: true,
    isAdult: true,
  };
  const call = { method: 'POST', url: '/api/register', headers: FRENCH, body } as const;
  const answer = await test.call(null, call);
  expect(answer.json()).toMatchObject({ language: 'fr' });
  const cookie = answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const choose = {
    method: 'PUT',
    url: '/api/user/language',
    body: { language: 'en' },
    headers: { cookie },
  } as const;
  expect((await test.call(null, choose)).statusCode).toBe(200);
  expect((await read('/api/user', { cookie })).json()).toMatchObject({ language: 'en' });
});
