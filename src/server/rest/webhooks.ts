import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/trpc/context.ts';
import { discardBody, textOfBody } from './bodies.ts';
import { callerFor } from './caller.ts';

const PROVIDERS = ['stripe', 'paypal'] as const;

/** Larger than any event about what we do at the providers, in bytes: as much is read before its signature is known. */
const BODY_LIMIT = 256 * 1024;

/**
 * Receives the events of the payment providers. The body is passed on byte for byte, because the signature
 * covers it.
 */
export async function registerWebhooks(app: FastifyInstance, deps: AppDeps): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    for (const provider of PROVIDERS) {
      scope.post(
        `/api/webhooks/${provider}`,
        { schema: { hide: true }, config: { isFromAnywhere: true } },
        async (request, reply) => {
          const caller = await callerFor(deps, request, reply);
          const headers = singleHeaders(request.headers);
          const read = () => textOfBody(request, BODY_LIMIT);
          try {
            return await caller.payments.receiveEvent({ provider, headers, read });
          } finally {
            discardBody(request);
          }
        },
      );
    }
  });
}

function singleHeaders(headers: Readonly<Record<string, string | string[] | undefined>>) {
  const single = Object.entries(headers).filter(
    (header): header is [string, string] => typeof header[1] === 'string',
  );
  return Object.fromEntries(single);
}
