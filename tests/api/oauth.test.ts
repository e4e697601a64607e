import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ACCESS_MINUTES, CODE_SECONDS, CONSENT_DAYS } from '#contract/people/oauth.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { forgetUnusedClients } from '#server/people/oauth/service.ts';
import { createApiKey } from '#tests/support/api-keys.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';

/** How people connect assistants, and what nobody gets by it. */

const test = setUpApp();
const RESOURCE = 'http://localhost/mcp';
const DONE = 'https://helper.example/done';

const postForm = async (url: string, fields: Record<string, string>) => {
  const payload = new URLSearchParams(fields).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return test.app.inject({ method: 'POST', url, headers, payload });
};
const register = async (redirectUris: string[] = [DONE], name = 'Helper') => {
  const payload = { client_name: name, redirect_uris: redirectUris };
  const answer = await test.app.inject({ method: 'POST', url: '/oauth/register', payload });
  return { status: answer.statusCode, json: answer.json(), id: String(answer.json().client_id) };
};

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

/** A consent of somebody, up to the code. */
async function consented(given: { person?: Actor; clientId?: string } = {}) {
  const person = given.person ?? (await createUser(test.ctx));
  const clientId = given.clientId ?? (await register()).id;
  const verifier = randomBytes(32).toString('base64url');
  const asked = {
    responseType: 'code',
    clientId,
    redirectUri: DONE,
    codeChallenge: challengeOf(verifier),
    codeChallengeMethod: 'S256',
    state: 'mine',
    resource: RESOURCE,
  };
  const approve = (more: object = {}, who: Actor | null = person, headers: Record<string, string> = {}) =>
    test.trpc(who, 'mutation', 'oauth.approve', { ...asked, ...more }, headers);
  const answer = await approve();
  const redirect = new URL(answer.json().result.data.redirectTo);
  const code = redirect.searchParams.get('code') ?? '';
  const exchange = (more: Record<string, string> = {}) =>
    postForm('/oauth/token', {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      redirect_uri: DONE,
      code_verifier: verifier,
      resource: RESOURCE,
      ...more,
    });
  return { person, clientId, approve, redirect, exchange };
}

/** A connected assistant. */
async function connected(given: Parameters<typeof consented>[0] = {}) {
  const consent = await consented(given);
  const tokens = (await consent.exchange()).json();
  const refresh = (token: string, more: Record<string, string> = {}) =>
    postForm('/oauth/token', {
      grant_type: 'refresh_token',
      client_id: consent.clientId,
      refresh_token: token,
      ...more,
    });
  return { ...consent, tokens, refresh };
}

const PING = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const useAt = (url: '/mcp' | '/api/user/key', token: string) =>
  test.app.inject({
    method: url === '/mcp' ? 'POST' : 'GET',
    url,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
    ...(url === '/mcp' && { payload: PING }),
  });
const works = async (token: string) => (await useAt('/mcp', token)).statusCode === 200;

describe('a consent', () => {
  it('leads back with the state and the issuer, and is announced like a new key', async () => {
    const { redirect, person } = await consented();
    expect(redirect.origin + redirect.pathname).toBe(DONE);
    expect(Object.fromEntries(redirect.searchParams)).toMatchObject({
      state: 'mine',
      iss: 'http://localhost',
    });
    const mails = await test.ctx.db
      .selectFrom('mailOutbox')
      .select('kind')
      .where('userId', '=', person.id)
      .execute();
    expect(mails).toEqual([{ kind: 'api_key' }]);
  });

  it('is given by the person alone, in a browser, on our own page', async () => {
    const { approve, person } = await consented();
    const key = await createApiKey(test.ctx, person);
    expect((await approve({}, null)).statusCode).toBe(401);
    expect((await approve({}, null, key.header)).statusCode).toBe(403);
    expect((await approve({}, person, { origin: 'https://helper.example' })).statusCode).toBe(403);
    const page = await test.app.inject({ method: 'POST', url: '/oauth/authorize', payload: {} });
    expect(page.statusCode).toBe(404);
  });

  it('asks for the second factor where there is one', async () => {
    const { approve, person } = await consented();
    const at = test.ctx.clock();
    const row = { userId: person.id, secret: Buffer.from('s'), enabledAt: at, createdAt: at };
    await test.ctx.db.insertInto('secondFactors').values(row).execute();
    expect((await approve()).json().error.data.wire.code).toBe('second_factor_required');
  });

  it.each([
    ['another address', { redirectUri: 'https://helper.example/other' }, 'redirectUri'],
    ['an address of somebody else', { redirectUri: 'https://thief.example/done' }, 'redirectUri'],
    ['an unknown program', { clientId: 'unknown' }, 'clientId'],
    ['a token at once', { responseType: 'token' }, 'responseType'],
    ['a plain challenge', { codeChallengeMethod: 'plain' }, 'codeChallenge'],
    ['no challenge', { codeChallenge: '' }, 'codeChallenge'],
    ['tokens for another resource', { resource: 'https://other.example/mcp' }, 'resource'],
    ['more than an assistant gets', { scope: 'codes:read' }, 'scope'],
  ])('is refused for %s, and nothing is sent there', async (_what, more, field) => {
    const { approve } = await consented();
    const answer = await approve(more);
    expect([answer.statusCode, answer.json().error.data.wire.issues[0].path]).toEqual([400, field]);
    expect(answer.body).not.toContain('redirectTo');
  });
});

describe('a code', () => {
  it('gives tokens once: when it comes again, the consent ends', async () => {
    const { exchange } = await consented();
    const tokens = (await exchange()).json();
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: ACCESS_MINUTES * 60 });
    expect(await works(tokens.access_token)).toBe(true);
    expect((await exchange()).json()).toMatchObject({ error: 'invalid_grant' });
    expect(await works(tokens.access_token)).toBe(false);
  });

  it.each([
    ['another program', { client_id: 'OTHER' }, 'invalid_grant'],
    ['another address', { redirect_uri: 'https://helper.example/other' }, 'invalid_grant'],
    ['another verifier', { code_verifier: 'A'.repeat(43) }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_grant'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['another kind of grant', { grant_type: 'password' }, 'unsupported_grant_type'],
  ])('gives nothing to %s', async (_what, more, error) => {
    const { exchange } = await consented();
    const other = (await register()).id;
    const fields = Object.fromEntries(
      Object.entries(more).map(([name, value]) => [name, value === 'OTHER' ? other : value]),
    );
    const answer = await exchange(fields);
    expect([answer.statusCode, answer.json().error]).toEqual([400, error]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('expires, and ends with its consent', async () => {
    const late = await consented();
    test.ctx.clock.advanceDays(CODE_SECONDS / 86_400);
    expect((await late.exchange()).statusCode).toBe(400);
    const revoked = await consented();
    const [key] = (await test.trpc(revoked.person, 'query', 'apiKeys.list')).json().result.data;
    await test.trpc(revoked.person, 'mutation', 'apiKeys.revoke', { id: key.id });
    expect((await revoked.exchange()).statusCode).toBe(400);
  });
});

describe('a token', () => {
  it('works for assistants alone: not for REST, and no other token works here', async () => {
    const { tokens } = await connected();
    expect((await useAt('/api/user/key', tokens.access_token)).statusCode).toBe(401);
    const foreign = await useAt('/mcp', 'eyJhbGciOiJIUzI1NiJ9.eyJhdWQiOiJvdGhlciJ9.c2ln');
    expect([foreign.statusCode, foreign.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining(
        'resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp"',
      ),
    ]);
    expect((await useAt('/mcp', tokens.refresh_token)).statusCode).toBe(401);
  });

  it('is refreshed; the one before stops working, and one that comes again ends the consent', async () => {
    const { tokens, refresh } = await connected();
    test.ctx.clock.advanceDays(ACCESS_MINUTES / 1_440);
    expect(await works(tokens.access_token)).toBe(false);
    const next = (await refresh(tokens.refresh_token)).json();
    expect(await works(next.access_token)).toBe(true);
    expect((await refresh(tokens.refresh_token)).json()).toMatchObject({ error: 'invalid_grant' });
    expect(await works(next.access_token)).toBe(false);
    expect((await refresh(next.refresh_token)).statusCode).toBe(400);
  });

  it('is refreshed for its own program alone, and no longer than the consent holds', async () => {
    const { tokens, refresh } = await connected();
    const other = (await register()).id;
    expect((await refresh(tokens.refresh_token, { client_id: other })).statusCode).toBe(400);
    test.ctx.clock.advanceDays(CONSENT_DAYS);
    expect((await refresh(tokens.refresh_token)).statusCode).toBe(400);
  });

  it('is revoked by its program, and by the next consent', async () => {
    const one = await connected();
    expect((await postForm('/oauth/revoke', { token: one.tokens.refresh_token })).statusCode).toBe(200);
    expect(await works(one.tokens.access_token)).toBe(false);
    const two = await connected();
    const again = await connected(two);
    expect([await works(two.tokens.access_token), await works(again.tokens.access_token)]).toEqual([
      false,
      true,
    ]);
  });

  it('does not end the keys that people make', async () => {
    const person = await createUser(test.ctx);
    const key = await createApiKey(test.ctx, person);
    await postForm('/oauth/revoke', { token: key.token });
    expect(await works(key.token)).toBe(true);
  });

  it('is nowhere in the database', async () => {
    const { tokens, redirect } = await connected();
    const { rows } = await test.database.pool.query(
      'select (select json_agg(k) from api_keys k)::text || (select json_agg(r) from oauth_refresh_tokens r)::text || (select json_agg(c) from oauth_codes c)::text as all',
    );
    const code = redirect.searchParams.get('code') ?? 'none';
    for (const secret of [tokens.access_token, tokens.refresh_token, code])
      expect(rows[0]?.all).not.toContain(secret);
  });
});

describe('a program', () => {
  it.each([
    ['no address', [], 'invalid_redirect_uri'],
    ['an address without TLS', ['http://helper.example/done'], 'invalid_redirect_uri'],
    ['a script', ['javascript:alert(1)'], 'invalid_redirect_uri'],
  ])('is not registered with %s', async (_what, uris, error) => {
    expect(await register(uris)).toMatchObject({ status: 400, json: { error } });
  });

  it('is forgotten after a day unless somebody has connected it', async () => {
    const unused = (await register()).id;
    const { clientId } = await connected();
    const clients = async () =>
      (await test.ctx.db.selectFrom('oauthClients').select('id').execute()).map(({ id }) => id);
    expect(await clients()).toContain(unused);
    const later = addDays(test.ctx.clock(), 2);
    await forgetUnusedClients({ db: test.ctx.db, clock: () => later });
    expect(await clients()).not.toContain(unused);
    expect(await clients()).toContain(clientId);
  });
});

it('the metadata say where everything is, and that PKCE is needed', async () => {
  const read = async (url: string) => (await test.app.inject(url)).json();
  const resource = await read('/.well-known/oauth-protected-resource/mcp');
  expect(resource).toMatchObject({ resource: RESOURCE, authorization_servers: ['http://localhost'] });
  expect(await read('/.well-known/oauth-protected-resource')).toEqual(resource);
  expect(await read('/.well-known/oauth-authorization-server')).toMatchObject({
    issuer: 'http://localhost',
    authorization_endpoint: 'http://localhost/oauth/authorize',
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  });
});
