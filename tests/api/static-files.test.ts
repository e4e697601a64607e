import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { precompress } from '../../scripts/build/precompress.ts';

const SCRIPT = 'console.log("a script that is long enough");\n'.repeat(100);
const SHELL = `<html><head><title></title></head><body>${'<p>Text</p>'.repeat(200)}</body></html>`;
const DECODE = { br: brotliDecompressSync, gzip: gunzipSync } as const;

let webRoot: string;
let test: TestApp;

beforeAll(async () => {
  webRoot = mkdtempSync(path.join(tmpdir(), 'clipswap-web-'));
  mkdirSync(path.join(webRoot, 'assets'));
  writeFileSync(path.join(webRoot, 'index.html'), SHELL);
  writeFileSync(path.join(webRoot, '.built-from'), 'a hash');
  writeFileSync(path.join(webRoot, 'assets/page-1.js'), SCRIPT);
  writeFileSync(path.join(webRoot, 'assets/font-1.woff2'), SCRIPT);
  writeFileSync(path.join(webRoot, 'assets/lost-1.js'), SCRIPT);
  await precompress(webRoot);
  test = await createTestApp({ webRoot });
});
afterAll(async () => {
  await test.close();
  rmSync(webRoot, { recursive: true });
});

const get = (url: string, encoding: string) =>
  test.app.inject({ url, headers: { 'accept-encoding': encoding } });

describe('a file of the web application', () => {
  it.each(['br', 'gzip'] as const)('is sent as %s as it was compressed at the build', async (encoding) => {
    const { headers, rawPayload } = await get('/assets/page-1.js', encoding);
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-type': expect.stringContaining('javascript'),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: expect.stringMatching(/accept-encoding/i),
      // Known before it is sent: it is not compressed on the way.
      'content-length': String(rawPayload.length),
    });
    expect(DECODE[encoding](rawPayload).toString()).toBe(SCRIPT);
  });

  it('is sent whole to whoever takes no compression, and when it does not compress', async () => {
    for (const [url, encoding] of [
      ['/assets/page-1.js', 'identity'],
      ['/assets/font-1.woff2', 'br, gzip'],
    ] as const) {
      const { headers, body } = await get(url, encoding);
      expect(headers['content-encoding']).toBeUndefined();
      expect(body).toBe(SCRIPT);
    }
  });

  it.each(['br', 'identity'])(
    'that cannot be read is an error which no cache keeps, asked for as %s',
    async (encoding) => {
      const file = path.join(webRoot, encoding === 'br' ? 'assets/lost-1.js.br' : 'assets/lost-1.js');
      rmSync(file);
      // It is there, and cannot be opened, as when too many files are open.
      const socket = createServer().listen(file);
      onTestFinished(() => void socket.close());
      await once(socket, 'listening');
      const { statusCode, headers, json } = await get('/assets/lost-1.js', encoding);
      expect([statusCode, json()]).toEqual([
        500,
        { error: expect.any(String), code: 'internal', requestId: headers['x-request-id'] },
      ]);
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      });
      for (const name of ['content-encoding', 'etag', 'last-modified', 'accept-ranges'])
        expect(headers[name]).toBeUndefined();
    },
  );
});

describe('what the build needs for itself', () => {
  it.each(['/index.html', '/assets/../index.html'])(
    'leads from the template to the page: %s',
    async (url) => {
      const { statusCode, headers, body } = await get(url, 'identity');
      expect([statusCode, headers.location, body]).toEqual([301, '/', '']);
    },
  );

  it.each([
    '//index.html',
    '/index%2Ehtml',
    '/%69ndex.html?a=1',
    '/index.html/',
    '/index.html.br',
    '/assets/page-1.js.br',
    '/assets/page-1.js.gz',
    '/.built-from',
  ])('is not served: %s', async (url) => {
    expect((await get(url, 'identity')).statusCode).toBe(404);
  });
});

it('a password manager finds where a password is changed', async () => {
  const { statusCode, headers } = await get('/.well-known/change-password', 'identity');
  expect([statusCode, headers.location]).toEqual([302, '/profile-settings#password']);
  // By this name it learns whether the statuses of this server mean anything.
  const none = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200';
  expect((await get(none, 'identity')).statusCode).toBe(404);
});

it.each(['br', 'gzip'] as const)('the shell of a page is compressed as %s', async (encoding) => {
  const { headers, rawPayload } = await get('/privacy', encoding);
  expect(headers).toMatchObject({
    'content-encoding': encoding,
    vary: expect.stringMatching(/accept-encoding/i),
  });
  expect(DECODE[encoding](rawPayload).toString()).toContain('<p>Text</p>');
});

it('security.txt says where to report a hole, and expires within a year; without an address for help there is none', async () => {
  const ask = () => get('/.well-known/security.txt', 'identity');
  const { headers, body } = await ask();
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  const expires = new Date(test.ctx.clock().getTime() + 180 * 86_400_000).toISOString();
  expect(body.split('\n')).toEqual([
    'Contact: mailto:help@clipswap.example',
    `Expires: ${expires}`,
    'Canonical: http://localhost/.well-known/security.txt',
    'Preferred-Languages: en',
    '',
  ]);
  const helpless = await createTestApp({ config: { supportEmail: null } });
  expect((await helpless.app.inject('/.well-known/security.txt')).statusCode).toBe(404);
  await helpless.close();
});
