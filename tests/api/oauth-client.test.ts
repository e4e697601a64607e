import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { setUpApp } from '#tests/support/app.ts';
import { fetchOf } from '#tests/support/assistants.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';

const test = setUpApp();
const RESOURCE = 'http://localhost/mcp';

it('an assistant of the protocol’s own client finds the way by a 401, registers, asks the person, and is connected', async () => {
  const person = await createUser(test.ctx);
  await createCoupon(test.ctx, person, { title: 'Own tart' });
  const kept = new Map<string, unknown>();
  const provider: OAuthClientProvider = {
    redirectUrl: 'http://localhost:4711/callback',
    clientMetadata: { client_name: 'Kitchen helper', redirect_uris: ['http://localhost:4711/callback'] },
    clientInformation: () => kept.get('client') as undefined,
    saveClientInformation: (client) => void kept.set('client', client),
    tokens: () => kept.get('tokens') as undefined,
    saveTokens: (tokens) => void kept.set('tokens', tokens),
    redirectToAuthorization: (url) => void kept.set('asked', url),
    saveCodeVerifier: (verifier) => void kept.set('verifier', verifier),
    codeVerifier: () => String(kept.get('verifier')),
  };
  const transportOf = () =>
    new StreamableHTTPClientTransport(new URL(RESOURCE), { authProvider: provider, fetch: fetchOf(test) });
  const clientOf = () =>
    new Client(
      { name: 'Kitchen helper', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
  const first = transportOf();
  await expect(clientOf().connect(first)).rejects.toBeInstanceOf(UnauthorizedError);
  const asked = new URL(String(kept.get('asked')));
  expect(asked.pathname).toBe('/oauth/authorize');
  const query = Object.fromEntries(asked.searchParams);
  const input = {
    responseType: query.response_type,
    clientId: query.client_id,
    redirectUri: query.redirect_uri,
    scope: query.scope,
    state: query.state,
    codeChallenge: query.code_challenge,
    codeChallengeMethod: query.code_challenge_method,
    resource: query.resource,
  };
  const shown = await test.trpc(person, 'query', 'oauth.authorization', input);
  expect(shown.json().result.data).toMatchObject({ clientName: 'Kitchen helper', isOnDevice: true });
  const approved = await test.trpc(person, 'mutation', 'oauth.approve', input);
  await first.finishAuth(new URL(approved.json().result.data.redirectTo).searchParams);
  const client = clientOf();
  await client.connect(transportOf());
  const { content } = await client.callTool({ name: 'my_coupons', arguments: {} });
  expect(JSON.stringify(content)).toContain('Own tart');
  const keys = (await test.trpc(person, 'query', 'apiKeys.list')).json().result.data;
  expect(keys).toMatchObject([{ name: 'Kitchen helper', isExpired: false }]);
  await test.trpc(person, 'mutation', 'apiKeys.revoke', { id: keys[0].id });
  await expect(clientOf().connect(transportOf())).rejects.toThrow('expired or used');
});
