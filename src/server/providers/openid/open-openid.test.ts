import { afterAll, beforeAll, expect, it } from 'vitest';
import { openIdSettings, openSandbox, type Sandbox } from '#sandbox/main.ts';
import { openStore } from '#sandbox/store.ts';
import { environmentSchema } from '#server/core/environment.ts';
import { openIdOf } from '#server/core/provider-settings.ts';
import { openOpenId } from './open-openid.ts';
import { OpenIdUnavailable } from './openid.ts';

const PUBLIC_URL = 'http://localhost';
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ store: openStore(), marketplace: () => null, publicUrl: PUBLIC_URL });
});
afterAll(() => sandbox.close());

function settings(more: Record<string, string> = {}) {
  const found = openIdOf(environmentSchema.parse({ ...openIdSettings(sandbox.url), ...more }));
  if (!found) throw new Error('Not set up');
  return found;
}

it('asks a provider that is away again after half a minute, and is away itself until it answers', async () => {
  let now = 0;
  sandbox.openId.fault = { isDown: true };
  const openId = openOpenId(settings(), PUBLIC_URL, () => now);
  await expect(openId.begin()).rejects.toThrow(OpenIdUnavailable);
  expect(await openId.isAvailable()).toBe(false);
  sandbox.openId.fault = {};
  now += 29_000;
  expect(await openId.isAvailable()).toBe(false);
  now += 1_000;
  await openId.isAvailable();
  await expect.poll(() => openId.isAvailable()).toBe(true);
});

it('is away when another issuer answers than the one that was set', async () => {
  const openId = openOpenId(settings({ OPENID_ISSUER: `${sandbox.url}/openid/` }), PUBLIC_URL);
  await expect(openId.begin()).rejects.toThrow(OpenIdUnavailable);
});

it('asks for the scopes of the settings, by PKCE', async () => {
  const { url, state, nonce, verifier } = await openOpenId(
    settings({ OPENID_SCOPES: 'openid email profile' }),
    PUBLIC_URL,
  ).begin();
  const { searchParams } = new URL(url);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    scope: 'openid email profile',
    redirect_uri: 'http://localhost/api/identities/callback',
    response_type: 'code',
    code_challenge_method: 'S256',
    ...{ state, nonce },
  });
  expect(url).not.toContain(verifier);
});

it.each([
  ['http://accounts.example', false],
  ['https://accounts.example/?a=1', false],
  ['https://accounts.example/realms/one', true],
  ['http://127.0.0.1:8080/realms/one', true],
])('of issuers, takes %s: %s', (issuer, isTaken) => {
  expect(environmentSchema.safeParse({ OPENID_ISSUER: issuer }).success).toBe(isTaken);
});
