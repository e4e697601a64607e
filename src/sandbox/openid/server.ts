import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { CryptoKey } from 'jose';
import { z } from 'zod';
import { escapeHtml } from '#contract/base/escape-html.ts';
import { pageHtml } from '#sandbox/page.ts';
import { Refusal, textOf } from '#sandbox/server.ts';

/** What the paths of its API begin with. */
export const OPENID_PREFIX = '/openid';
const PAGE = '/sandbox/openid/authorize';
const KEY_ID = 'sandbox-1';
const SECONDS = { code: 60, token: 300 } as const;

interface Options {
  readonly clientId: string;
  readonly clientSecret: string;
  /** http://127.0.0.1:PORT of the sandbox. */
  readonly url: () => string;
  /** Where browsers reach the marketplace, which shows the page. */
  readonly publicUrl: string;
}

/** What the provider does wrong, or a forger in its place. */
interface OpenIdFault {
  /** Claims of the ID token in place of the right ones; undefined leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** How the ID token is signed: not at all, by a key that the provider has not published, or as it published. */
  readonly signature?: 'none' | 'foreign';
  /** Every call is answered with 503. */
  readonly isDown?: boolean;
  /** The address comes with the person's data alone, not in the ID token. */
  readonly hasAddressApart?: boolean;
}

/** What a test does with the provider. */
export interface OpenIdSandbox {
  /** Replaces what it does wrong from now on. */
  fault: OpenIdFault;
}

/** A person as they fill in the provider's page. */
interface Person {
  readonly email: string;
  readonly isEmailVerified: boolean;
}

interface Grant extends Person {
  readonly redirectUri: string;
  readonly nonce: string;
  readonly challenge: string;
  readonly expiresAt: number;
}

const requestSchema = z.object({
  response_type: z.literal('code'),
  client_id: z.string(),
  redirect_uri: z.url(),
  scope: z.string().regex(/(^| )openid( |$)/),
  state: z.string().min(1),
  nonce: z.string().min(1),
  code_challenge: z.string().length(43),
  code_challenge_method: z.literal('S256'),
});

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/**
 * A provider of OpenID Connect: a page on which anybody is whoever they say, and the API behind it. Takes the
 * authorization code flow with PKCE alone, and each code once.
 */
export function addOpenId(app: FastifyInstance, options: Options): OpenIdSandbox {
  const { clientId, url, publicUrl } = options;
  const issuer = () => `${url()}${OPENID_PREFIX}`;
  const grants = new Map<string, Grant>();
  const people = new Map<string, Person>();
  const sandbox: OpenIdSandbox = { fault: {} };
  let keys: ReturnType<typeof makeKeys> | undefined;
  const keyPair = () => {
    keys ??= makeKeys();
    return keys;
  };
  const api = (path: string) => `${OPENID_PREFIX}${path}`;
  const upOrGone = () => {
    if (sandbox.fault.isDown)
      throw new Refusal('Down', { status: 503, body: { error: 'temporarily_unavailable' } });
  };

  app.get(api('/.well-known/openid-configuration'), async () => {
    upOrGone();
    return {
      issuer: issuer(),
      authorization_endpoint: `${publicUrl}${PAGE}`,
      token_endpoint: `${issuer()}/token`,
      userinfo_endpoint: `${issuer()}/userinfo`,
      jwks_uri: `${issuer()}/jwks`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: ['openid', 'email'],
      authorization_response_iss_parameter_supported: true,
    };
  });

  app.get(api('/jwks'), async () => {
    upOrGone();
    return { keys: [(await keyPair()).jwk] };
  });

  app.get(PAGE, async ({ query }, reply) => sendPage(reply, readRequest(query, options)));

  app.post(PAGE, async ({ query, body }, reply) => {
    const request = readRequest(query, options);
    const form = new URLSearchParams(textOf(body));
    const answer = new URL(request.redirect_uri);
    answer.searchParams.set('state', request.state);
    answer.searchParams.set('iss', issuer());
    if (form.get('choice') === 'cancel') {
      answer.searchParams.set('error', 'access_denied');
      return reply.redirect(answer.href, 303);
    }
    const code = randomBytes(24).toString('base64url');
    grants.set(code, {
      email: form.get('email') ?? '',
      isEmailVerified: form.get('verified') === 'yes',
      redirectUri: request.redirect_uri,
      nonce: request.nonce,
      challenge: request.code_challenge,
      expiresAt: Date.now() + SECONDS.code * 1_000,
    });
    answer.searchParams.set('code', code);
    return reply.redirect(answer.href, 303);
  });

  app.post(api('/token'), async ({ headers, body }, reply) => {
    upOrGone();
    const form = new URLSearchParams(textOf(body));
    if (!isClient(headers.authorization ?? '', form, options))
      return reply.status(401).send({ error: 'invalid_client' });
    const code = form.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    const verifier = form.get('code_verifier') ?? '';
    const isRight =
      grant &&
      form.get('grant_type') === 'authorization_code' &&
      form.get('redirect_uri') === grant.redirectUri &&
      createHash('sha256').update(verifier).digest('base64url') === grant.challenge &&
      grant.expiresAt > Date.now();
    if (!isRight) return reply.status(400).send({ error: 'invalid_grant' });
    const access = randomBytes(24).toString('base64url');
    people.set(access, grant);
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: issuer(),
      sub: subjectOf(grant),
      aud: clientId,
      iat: now,
      exp: now + SECONDS.token,
      nonce: grant.nonce,
      ...(!sandbox.fault.hasAddressApart && addressOf(grant)),
      ...sandbox.fault.claims,
    };
    return {
      access_token: access,
      token_type: 'Bearer',
      expires_in: SECONDS.token,
      id_token: await sign(claims, sandbox.fault.signature, await keyPair()),
    };
  });

  app.get(api('/userinfo'), async ({ headers }, reply) => {
    upOrGone();
    const person = people.get((headers.authorization ?? '').replace(/^Bearer /i, ''));
    if (!person) return reply.status(401).send({ error: 'invalid_token' });
    return { sub: subjectOf(person), ...addressOf(person) };
  });

  return sandbox;
}

function readRequest(query: unknown, { clientId, publicUrl }: Options): z.output<typeof requestSchema> {
  const request = requestSchema.safeParse(query).data;
  const isOurs = request?.client_id === clientId && new URL(request.redirect_uri).origin === publicUrl;
  if (request && isOurs) return request;
  throw new Refusal('Bad request', { status: 400, body: { error: 'invalid_request' } });
}

function isClient(
  authorization: string,
  form: URLSearchParams,
  { clientId, clientSecret }: Options,
): boolean {
  const [id = '', secret = ''] = Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
    .toString()
    .split(':')
    .map(decodeURIComponent);
  const isPosted = form.get('client_id') === clientId && form.get('client_secret') === clientSecret;
  return (id === clientId && secret === clientSecret) || isPosted;
}

const addressOf = ({ email, isEmailVerified }: Person) =>
  email === '' ? {} : { email, email_verified: isEmailVerified };

/** The same for the same address, and nothing of it. */
function subjectOf({ email }: Person): string {
  return createHash('sha256').update(`sandbox ${email.toLowerCase()}`).digest('base64url');
}

async function makeKeys() {
  const { exportJWK, generateKeyPair } = await import('jose');
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' };
  return { privateKey, jwk };
}

async function sign(
  claims: Record<string, unknown>,
  signature: OpenIdFault['signature'],
  { privateKey }: { readonly privateKey: CryptoKey },
): Promise<string> {
  const { generateKeyPair, SignJWT } = await import('jose');
  if (signature === 'none') {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${part({ alg: 'none' })}.${part(claims)}.`;
  }
  const key = signature === 'foreign' ? (await generateKeyPair('RS256')).privateKey : privateKey;
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: KEY_ID }).sign(key);
}

function sendPage(reply: FastifyReply, { redirect_uri: to }: z.output<typeof requestSchema>): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', POLICY)
    .header('cache-control', 'no-store')
    .send(
      pageHtml({
        theme: 'provider',
        title: 'Sandbox ID',
        header: '<p class="brand">Sandbox ID <span>sandbox</span></p>',
        notice:
          '<strong>Nobody is checked here.</strong> You are whoever you say: this page stands in for a provider.',
        content: `<h1>Sign in to go on to ${escapeHtml(new URL(to).host)}</h1>
<form method="post" class="act tall">
<label>Email address <input name="email" type="email" autocomplete="off" value="sandy@example.org" required></label>
<label>The provider has checked it <select name="verified"><option value="yes">Yes</option><option value="">No</option></select></label>
<button type="submit" class="first">Continue</button>
<button type="submit" name="choice" value="cancel" formnovalidate>Cancel</button>
</form>`,
      }),
    );
}
