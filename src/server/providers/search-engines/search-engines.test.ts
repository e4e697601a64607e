import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLocalJWKSet, exportJWK, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HANGS_MS } from '#tests/support/patience.ts';
import { hang, json, type SandboxServer, startSandboxServer } from '#tests/support/voucher-sandbox.ts';
import { type EngineEndpoints, openSearchEngines } from './search-engines.ts';

const SITE = {
  publicUrl: 'https://clipswap.example',
  urls: ['https://clipswap.example/', 'https://clipswap.example/coupons/7'],
};
const KEY = 'a1b2c3d4e5f6a7b8';
const BING_KEY = 'bing-key-5f6e7d';
const NOTHING = { indexNowKey: null, googleServiceAccountFile: null, bingApiKey: null };

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const keyFile = {
  type: 'service_account',
  client_email: 'sitemaps@clipswap.iam.example.com',
  private_key_id: 'key-1',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
};

let folder: string;
let sandbox: SandboxServer;
let endpoints: EngineEndpoints;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'clipswap-engines-'));
  sandbox = await startSandboxServer(json({}));
  const { baseUrl } = sandbox;
  endpoints = { indexNow: baseUrl, googleToken: `${baseUrl}/token`, google: baseUrl, bing: baseUrl };
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  sandbox.asked.length = 0;
});

function writeKeyFile(content: unknown): string {
  const file = path.join(folder, 'google.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** The answer of the only engine that is set up. */
async function submitTo(settings: Partial<typeof NOTHING> | object, timeoutMs = HANGS_MS) {
  const engines = openSearchEngines({ ...NOTHING, ...settings }, endpoints, timeoutMs);
  const results = await engines.submit(SITE);
  return results.find(({ isSetUp }) => isSetUp);
}

describe('search engines', () => {
  it('are not notified without settings, and the answer names the missing ones [decisions 6.5.1]', async () => {
    const engines = openSearchEngines(null, endpoints);
    expect(engines.indexNowKey).toBeNull();
    expect(await engines.submit(SITE)).toEqual([
      {
        name: 'IndexNow',
        isSetUp: false,
        success: false,
        message: 'Not set up: INDEXNOW_KEY is missing.',
      },
      {
        name: 'Google',
        isSetUp: false,
        success: false,
        message: 'Not set up: GOOGLE_SERVICE_ACCOUNT_FILE is missing.',
      },
      { name: 'Bing', isSetUp: false, success: false, message: 'Not set up: BING_API_KEY is missing.' },
    ]);
    expect(sandbox.asked).toEqual([]);
  });

  it('each get their own message when they do not answer in time or cannot be reached', async () => {
    sandbox.answer(hang);
    expect(await submitTo({ bingApiKey: BING_KEY }, 50)).toMatchObject({
      success: false,
      message: 'Did not answer in time.',
    });
    const nowhere = { ...endpoints, indexNow: 'http://127.0.0.1:1' };
    sandbox.answer(json({ d: null }));
    const engines = openSearchEngines({ ...NOTHING, indexNowKey: KEY, bingApiKey: BING_KEY }, nowhere);
    expect(await engines.submit(SITE)).toMatchObject([
      { name: 'IndexNow', success: false, message: 'Could not be reached.' },
      { name: 'Google', success: false },
      { name: 'Bing', success: true },
    ]);
  });

  it('cannot redirect a request', async () => {
    sandbox.answer((_asked, response) => response.writeHead(307, { location: '/elsewhere' }).end());
    expect(await submitTo({ bingApiKey: BING_KEY })).toMatchObject({
      success: false,
      message: 'Answered with status 307.',
    });
    expect(sandbox.asked).toHaveLength(1);
  });
});

describe('IndexNow', () => {
  it('receives the host, the key, the address of the key, and the pages [decisions 6.5.1]', async () => {
    sandbox.answer(json({}));
    expect(await submitTo({ indexNowKey: KEY })).toEqual({
      name: 'IndexNow',
      isSetUp: true,
      success: true,
      message: 'Accepted 2 pages.',
    });
    const [asked] = sandbox.asked;
    expect(asked).toMatchObject({ method: 'POST', url: '/indexnow' });
    expect(asked?.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(asked?.body ?? '')).toEqual({
      host: 'clipswap.example',
      key: KEY,
      keyLocation: `https://clipswap.example/${KEY}.txt`,
      urlList: SITE.urls,
    });
  });

  it.each([
    [202, true, 'Received 2 pages; the key file of this site is still to be checked.'],
    [400, false, 'The request was not understood.'],
    [403, false, 'The key was not accepted: it was not found in the key file of this site.'],
    [422, false, 'The addresses do not belong to this site, or the key does not match.'],
    [429, false, 'Too many requests: they take us for a spammer. Try again later.'],
    [500, false, 'Answered with status 500.'],
  ])('answers %i, which means success %s: %s', async (status, success, message) => {
    sandbox.answer(json({}, status));
    expect(await submitTo({ indexNowKey: KEY })).toMatchObject({ success, message });
  });
});

describe('Bing', () => {
  it('receives the site and its sitemap with the key', async () => {
    sandbox.answer(json({ d: null }));
    expect(await submitTo({ bingApiKey: BING_KEY })).toMatchObject({
      success: true,
      message: 'Accepted the sitemap.',
    });
    const [asked] = sandbox.asked;
    expect(asked).toMatchObject({
      method: 'POST',
      url: `/webmaster/api.svc/json/SubmitFeed?apikey=${BING_KEY}`,
    });
    expect(JSON.parse(asked?.body ?? '')).toEqual({
      siteUrl: 'https://clipswap.example/',
      feedUrl: 'https://clipswap.example/sitemap.xml',
    });
  });

  it('is quoted when it refuses, without our key', async () => {
    sandbox.answer(json({ ErrorCode: 3, Message: `ERROR!!!\n InvalidApiKey ${BING_KEY}` }, 400));
    expect(await submitTo({ bingApiKey: BING_KEY })).toMatchObject({
      success: false,
      message: 'Refused (400): ERROR!!! InvalidApiKey …',
    });
    sandbox.answer((_asked, response) => response.writeHead(503).end('<html>'));
    expect(await submitTo({ bingApiKey: BING_KEY })).toMatchObject({
      success: false,
      message: 'Answered with status 503.',
    });
  });
});

describe('Google', () => {
  it('gives a token for a signed assertion, and receives the sitemap with it', async () => {
    sandbox.answer((asked, response) =>
      asked.url === '/token'
        ? json({ access_token: 'token-1', expires_in: 3600, token_type: 'Bearer' })(asked, response)
        : response.writeHead(204).end(),
    );
    expect(await submitTo({ googleServiceAccountFile: writeKeyFile(keyFile) })).toEqual({
      name: 'Google',
      isSetUp: true,
      success: true,
      message: 'Accepted the sitemap.',
    });
    const [token, put] = sandbox.asked;
    const form = new URLSearchParams(token?.body);
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), kid: 'key-1' }] });
    const { payload } = await jwtVerify(form.get('assertion') ?? '', keys, {
      issuer: keyFile.client_email,
      audience: endpoints.googleToken,
      algorithms: ['RS256'],
      maxTokenAge: '10 minutes',
    });
    expect(payload.scope).toBe('https://www.googleapis.com/auth/webmasters');
    expect(put).toMatchObject({
      method: 'PUT',
      url:
        '/webmasters/v3/sites/https%3A%2F%2Fclipswap.example%2F' +
        '/sitemaps/https%3A%2F%2Fclipswap.example%2Fsitemap.xml',
      body: '',
    });
    expect(put?.headers.authorization).toBe('Bearer token-1');
  });

  it('is quoted when it refuses the account, or does not know it as an owner', async () => {
    const settings = { googleServiceAccountFile: writeKeyFile(keyFile) };
    sandbox.answer(json({ error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }, 400));
    expect(await submitTo(settings)).toMatchObject({
      success: false,
      message: 'The service account was not let in (400): Invalid JWT Signature.',
    });
    sandbox.answer((asked, response) =>
      asked.url === '/token'
        ? json({ access_token: 'token-1' })(asked, response)
        : json({ error: { code: 403, message: "User does not have permission for site 'x'." } }, 403)(
            asked,
            response,
          ),
    );
    expect(await submitTo(settings)).toMatchObject({
      success: false,
      message: "Refused (403): User does not have permission for site 'x'.",
    });
  });

  it.each([
    ['is not there', () => path.join(folder, 'missing.json'), 'it cannot be read'],
    ['is not JSON', () => writeKeyFile('{ secret'), 'it is not the JSON key of a service account'],
    [
      'is of another kind',
      () => writeKeyFile({ ...keyFile, type: 'authorized_user' }),
      'it is not the JSON key of a service account',
    ],
    [
      'holds a broken key',
      () => writeKeyFile({ ...keyFile, private_key: 'abc' }),
      'its private key is broken',
    ],
  ])('stops the start when the key file %s, with a message without its content', (_what, write, reason) => {
    const file = write();
    const open = () => openSearchEngines({ ...NOTHING, googleServiceAccountFile: file });
    expect(open).toThrow(`GOOGLE_SERVICE_ACCOUNT_FILE, ${file}, is not usable: ${reason}.`);
  });
});
