import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { marketName } from '#contract/base/market.ts';
import { PAGES } from '#contract/base/pages.ts';
import { ASSISTANT_SCOPES, ASSISTANTS_PATH } from '#contract/people/oauth.ts';
import { inLanguage } from '#server/core/language.ts';
import { type AppDeps, languageOf } from '#server/trpc/context.ts';
import { retryAfterOf, statusOf, toWire } from '#server/trpc/errors.ts';
import { callerWithoutSession } from './caller.ts';

/** Where the metadata of the assistants' door is (RFC 9728). */
export const RESOURCE_METADATA = `/.well-known/oauth-protected-resource${ASSISTANTS_PATH}`;

/** In bytes. */
const BODY_LIMIT = 8 * 1024;

/** What OAuth calls a refusal, by the field that is wrong. */
const ERRORS: Readonly<Record<string, string>> = {
  clientId: 'invalid_client',
  code: 'invalid_grant',
  refreshToken: 'invalid_grant',
  redirectUri: 'invalid_grant',
  codeVerifier: 'invalid_grant',
  redirectUris: 'invalid_redirect_uri',
  name: 'invalid_client_metadata',
  resource: 'invalid_target',
  grantType: 'unsupported_grant_type',
};

type Fields = Readonly<Record<string, unknown>>;

/** How assistants are connected by OAuth 2.1: the metadata, and the calls of programs. The consent is a page. */
export function registerOAuth(app: FastifyInstance, deps: AppDeps): void {
  const { publicUrl } = deps.config;
  const at = (path: string) => new URL(path, publicUrl).href;
  const issuer = new URL(publicUrl).origin;
  const resource = {
    resource: at(ASSISTANTS_PATH),
    resource_name: marketName(),
    authorization_servers: [issuer],
    scopes_supported: ASSISTANT_SCOPES,
    bearer_methods_supported: ['header'],
  };
  const server = {
    issuer,
    authorization_endpoint: at(PAGES.authorize.path),
    token_endpoint: at('/oauth/token'),
    registration_endpoint: at('/oauth/register'),
    revocation_endpoint: at('/oauth/revoke'),
    scopes_supported: ASSISTANT_SCOPES,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
  };
  const documents = {
    '/.well-known/oauth-protected-resource': resource,
    [RESOURCE_METADATA]: resource,
    '/.well-known/oauth-authorization-server': server,
  };
  for (const [path, document] of Object.entries(documents))
    app.get(path, { schema: { hide: true } }, (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=300')
        .header('access-control-allow-origin', '*')
        .send(document),
    );
  app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    scope.setErrorHandler((error, request, reply) => sendRefusal(error, request, reply));
    const options = { bodyLimit: BODY_LIMIT, schema: { hide: true }, config: { isFromAnywhere: true } };
    const callFor = (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('cache-control', 'no-store');
      return callerWithoutSession(deps, request, reply);
    };
    scope.post('/oauth/register', options, async (request, reply) => {
      const { client_name: name, redirect_uris: redirectUris } = fieldsOf(request);
      const caller = await callFor(request, reply);
      const client = await caller.oauth.register({ name, redirectUris } as Parameters<
        typeof caller.oauth.register
      >[0]);
      return reply.status(201).send({
        client_id: client.clientId,
        client_name: client.name,
        redirect_uris: client.redirectUris,
        grant_types: server.grant_types_supported,
        response_types: server.response_types_supported,
        token_endpoint_auth_method: 'none',
      });
    });
    scope.post('/oauth/token', options, async (request, reply) => {
      const given = fieldsOf(request);
      const caller = await callFor(request, reply);
      const input = {
        grantType: given.grant_type,
        clientId: given.client_id,
        code: given.code,
        redirectUri: given.redirect_uri,
        codeVerifier: given.code_verifier,
        refreshToken: given.refresh_token,
        resource: given.resource,
      };
      const tokens = await caller.oauth.token(input as Parameters<typeof caller.oauth.token>[0]);
      return {
        access_token: tokens.accessToken,
        token_type: 'Bearer',
        expires_in: tokens.expiresIn,
        refresh_token: tokens.refreshToken,
        scope: tokens.scopes.join(' '),
      };
    });
    scope.post('/oauth/revoke', options, async (request, reply) => {
      const { token } = fieldsOf(request);
      const caller = await callFor(request, reply);
      await caller.oauth.revoke({ token } as Parameters<typeof caller.oauth.revoke>[0]);
      return {};
    });
  });
}

/** The procedure's own schema checks them. */
const fieldsOf = ({ body }: FastifyRequest): Fields =>
  typeof body === 'object' && body !== null ? { ...body } : {};

/** A refusal in the form of OAuth (RFC 6749 5.2). */
function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { error: text, code, issues } = inLanguage(languageOf(request), () => toWire(error, request.id));
  const status = statusOf({ error: text, code });
  if (status >= 500) request.log.error({ err: error }, 'a program could not be connected');
  const retryAfter = retryAfterOf(error);
  if (retryAfter) reply.header('retry-after', String(retryAfter));
  const field = issues?.[0]?.path.split('.')[0] ?? '';
  const name = status >= 500 ? 'server_error' : (ERRORS[field] ?? 'invalid_request');
  return reply
    .status(status)
    .header('cache-control', 'no-store')
    .send({ error: name, error_description: text });
}
