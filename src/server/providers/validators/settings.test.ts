import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadValidatorSettings } from './settings.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'clipswap-validators-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function load(content: unknown, env: Record<string, string> = {}) {
  const file = path.join(folder, 'validators.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return loadValidatorSettings(file, env);
}

const VOUCHERIFY = { source: 'voucherify', appId: '$VOUCHERIFY_ID', appToken: '$VOUCHERIFY_TOKEN' };
const ENV = { VOUCHERIFY_ID: 'the-id', VOUCHERIFY_TOKEN: 'the-token' };
const HTTP = {
  source: 'aklamio',
  baseUrl: 'https://api.example.org/v1',
  path: '/codes/{code}',
  read: { valid: '/valid' },
};

it('has no adapters without a file', () => {
  expect(loadValidatorSettings(null, {})).toEqual({ adapters: [] });
});

it('fills in keys from the environment, and defaults', () => {
  const merchants = ['Corner Coffee', 'Bar $AVE'];
  expect(load({ adapters: [{ ...VOUCHERIFY, merchants }] }, ENV).adapters).toEqual([
    {
      source: 'voucherify',
      merchants,
      baseUrl: 'https://api.voucherify.io',
      appId: 'the-id',
      appToken: 'the-token',
      currency: 'CAD',
      timeoutMs: 4_000,
      concurrency: 20,
      failuresToOpen: 5,
      openMs: 30_000,
      reissue: false,
      checksPerDay: 100,
    },
  ]);
});

it.each([
  [
    'tells uses for nobody in particular',
    { ...HTTP, redemptions: { path: '/{code}', count: '/n' } },
    'merchants',
  ],
  [
    'tells uses without a time',
    { ...HTTP, merchants: ['Knit Nook'], redemptions: { path: '/{code}', list: '/uses' } },
    'list',
  ],
  [
    'tells uses of no code',
    { ...HTTP, merchants: ['Knit Nook'], redemptions: { path: '/uses', count: '/n' } },
    'path',
  ],
  ['reissues for nobody in particular', { ...VOUCHERIFY, merchants: [], reissue: true }, 'merchants'],
  [
    'cannot restore what it reissues',
    { ...HTTP, merchants: ['Knit Nook'], reissue: { path: '/new/{code}/{key}/{newCode}' } },
    'restore',
  ],
  [
    'names no key',
    {
      ...HTTP,
      merchants: ['Knit Nook'],
      reissue: { path: '/new/{code}' },
      restore: { path: '/old/{code}/{key}' },
    },
    'key',
  ],
])('refuses an account that %s', (_what, adapter, word) => {
  expect(() => load({ adapters: [adapter] }, ENV)).toThrow(word);
});

it('replaces variables inside addresses, headers and bodies', () => {
  const given = {
    ...HTTP,
    method: 'POST',
    baseUrl: 'https://$HOST_NAME/v1',
    headers: { authorization: 'Bearer $API_TOKEN' },
    body: { account: ['$ACCOUNT'], code: '{code}' },
  };
  const env = { HOST_NAME: 'api.example.org', API_TOKEN: 't', ACCOUNT: '7' };
  expect(load({ adapters: [given] }, env).adapters[0]).toMatchObject({
    baseUrl: 'https://api.example.org/v1',
    headers: { authorization: 'Bearer t' },
    body: { account: ['7'], code: '{code}' },
  });
});

it.each(['http://localhost:8080', 'http://127.0.0.1:9/api', 'http://[::1]:9'])('accepts %s', (baseUrl) => {
  expect(load({ adapters: [{ ...HTTP, baseUrl }] }).adapters[0]).toMatchObject({ baseUrl });
});

it.each([
  [
    { adapters: [{ ...HTTP, baseUrl: 'http://api.example.org' }] },
    'adapters.0.baseUrl: must begin with https://',
  ],
  [
    { adapters: [{ ...HTTP, baseUrl: 'http://127.0.0.1.example.org' }] },
    'adapters.0.baseUrl: must begin with',
  ],
  [{ adapters: [{ ...HTTP, baseUrl: 'https://me:pw@example.org' }] }, 'adapters.0.baseUrl: must begin with'],
  [{ adapters: [{ ...HTTP, baseUrl: 'file:///etc/passwd' }] }, 'adapters.0.baseUrl: must begin with'],
  [{ adapters: [{ ...HTTP, path: 'codes/{code}' }] }, 'adapters.0.path: must begin with /'],
  [{ adapters: [{ ...HTTP, path: '/codes' }] }, 'adapters.0.path: needs {code}'],
  [{ adapters: [{ ...HTTP, body: { code: '{code}' } }] }, 'adapters.0.body: needs "method"'],
  [{ adapters: [{ ...HTTP, read: { valid: 'valid' } }] }, 'adapters.0.read.valid: is not a JSON pointer'],
  [{ adapters: [{ ...HTTP, read: undefined, statuses: { 200: 'read' } }] }, 'adapters.0.read: is needed'],
  [{ adapters: [{ ...HTTP, statuses: { 429: 'valid' } }] }, 'adapters.0.statuses.429'],
  [{ adapters: [{ ...HTTP, statuses: { 404: 'gone' } }] }, 'adapters.0.statuses.404'],
  [{ adapters: [{ ...HTTP, headers: { 'x-key': 'a\nb' } }] }, 'adapters.0.headers.x-key'],
  [{ adapters: [{ ...HTTP, timeoutMs: 60_000 }] }, 'adapters.0.timeoutMs'],
  [{ adapters: [{ ...HTTP, source: 'library' }] }, 'adapters.0.source'],
  [{ adapters: [{ ...HTTP, hedaers: {} }] }, 'adapters.0: Unknown field: hedaers'],
  [{ adapters: [{ ...VOUCHERIFY, appId: undefined }] }, 'adapters.0.appId'],
  [{}, 'adapters: '],
  ['{ "adapters": [ secret', 'it is not JSON.'],
])('reports the mistake in %j', (content, problem) => {
  const message = problemOf(() => load(content, ENV));
  expect(message).toContain(problem);
  expect(message).not.toContain('secret');
});

it('reports every variable that is not set, without values', () => {
  const message = problemOf(() =>
    load({ adapters: [{ ...VOUCHERIFY, baseUrl: '$BASE' }] }, { BASE: 'a-secret' }),
  );
  expect(message).toMatch(/need these variables, which are not set: VOUCHERIFY_ID, VOUCHERIFY_TOKEN$/);
});

it('reports a missing file', () => {
  const message = problemOf(() => loadValidatorSettings(path.join(folder, 'nowhere.json'), {}));
  expect(message).toMatch(/nowhere\.json are not usable: it cannot be read\.$/);
});

function problemOf(load: () => unknown): string {
  try {
    load();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error('It was expected to fail');
}
