import { t } from '@lingui/core/macro';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { TEXTS } from '#contract/base/texts.ts';
import { ASSISTANTS_PATH } from '#contract/people/oauth.ts';
import { AppError } from '#server/core/errors.ts';
import { inLanguage } from '#server/core/language.ts';
import { addressOf } from '#server/core/proxies.ts';
import { appRouter } from '#server/router.ts';
import { type AppDeps, type CallContext, createCallContext, languageOf } from '#server/trpc/context.ts';
import { retryAfterOf, statusOf, toWire } from '#server/trpc/errors.ts';
import { RESOURCE_METADATA } from '../oauth.ts';
import { createToolServer } from './server.ts';

/** In bytes: the longest text that a tool takes, in any alphabet, has room. */
const BODY_LIMIT = 128 * 1024;

/** What JSON-RPC calls a request that is refused, and a failure of ours. */
const REFUSED = -32_600;
const FAILED = -32_603;

/**
 * Answers assistants by the Model Context Protocol (streamable HTTP, without sessions): each request stands alone. The
 * origin, the key and its limits are checked before the body is read. Errors have the protocol's form.
 */
export function registerMcp(app: FastifyInstance, deps: AppDeps): void {
  const contexts = new WeakMap<FastifyRequest, CallContext>();
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The protocol says what is wrong with a body.
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.setErrorHandler((error, request, reply) => {
      deps.deniedRequests.note(error, { userId: null, ip: addressOf(request), call: 'mcp' });
      const wire = inLanguage(languageOf(request), () => toWire(error, request.id));
      const status = statusOf(wire);
      if (status >= 500) request.log.error({ err: error }, 'an assistant could not be answered');
      const retryAfter = retryAfterOf(error);
      if (retryAfter) reply.header('retry-after', String(retryAfter));
      if (status === 401) reply.header('www-authenticate', challengeFor(request, deps.config.publicUrl));
      const { error: message, ...data } = wire;
      const code = status >= 500 ? FAILED : REFUSED;
      return reply.status(status).send({ jsonrpc: '2.0', error: { code, message, data }, id: null });
    });
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: ASSISTANTS_PATH,
      exposeHeadRoute: false,
      bodyLimit: BODY_LIMIT,
      schema: { hide: true },
      config: { isForKeys: true, isFromAnywhere: true },
      onRequest: async (request, reply) => {
        reply.header('cache-control', 'no-store');
        const { origin } = request.headers;
        // By the public address alone: the `Host` of a page that has taken our address is its own.
        if (origin !== undefined && origin !== new URL(deps.config.publicUrl).origin)
          throw new AppError('forbidden', t`Pages of other sites cannot call this address`, {
            refused: { kind: 'origin' },
          });
        if (request.bearerKey === null) throw new AppError('unauthorized', TEXTS.requests.unauthorized());
        contexts.set(request, await createCallContext(deps, request, reply));
      },
      handler: async (request, reply) => {
        const ctx = contexts.get(request);
        if (!ctx) throw new Error('A request of an assistant has no caller');
        if (isBatch(request.body)) throw new AppError('bad_input', t`Send one message in each request`);
        // Most programs run without an assistant: the package and its zod are loaded when the first one comes.
        const protocol = await import('@modelcontextprotocol/server');
        const server = () => createToolServer(protocol, ctx, appRouter.createCaller(ctx));
        // Nothing changes of what is listed, so there is nothing to subscribe to.
        const handler = protocol.createMcpHandler(server, { maxSubscriptions: 0 });
        return reply.send(await handler.fetch(webRequest(request, deps.config.publicUrl)));
      },
    });
  });
}

/** Where an assistant without a token that works learns how its person connects it (RFC 9728). */
function challengeFor({ bearerKey }: FastifyRequest, publicUrl: string): string {
  const metadata = `resource_metadata="${new URL(RESOURCE_METADATA, publicUrl).href}"`;
  return bearerKey === null ? `Bearer ${metadata}` : `Bearer error="invalid_token", ${metadata}`;
}

/** Earlier versions of the protocol allowed several messages at once: each of them is to be counted. */
const isBatch = (body: unknown) => typeof body === 'string' && body.trimStart().startsWith('[');

/** Of a request, what the protocol's package reads. */
function webRequest({ method, url, headers, body }: FastifyRequest, publicUrl: string): Request {
  const given = Object.entries(headers).filter(([, value]) => typeof value === 'string') as [
    string,
    string,
  ][];
  const kept = given.filter(
    ([name]) => !['connection', 'content-length', 'transfer-encoding'].includes(name),
  );
  const init = { method, headers: kept, ...(typeof body === 'string' && { body }) };
  return new Request(new URL(url, publicUrl), init);
}
