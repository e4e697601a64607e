import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/trpc/context.ts';
import { callerFor } from './caller.ts';

const PROVIDERS = ['stripe', 'paypal'] as const;

/** The largest event of a provider, in bytes. */
const BODY_LIMIT = 1024 * 1024;

/**
 * Receives the events of the payment providers. The body is passed on byte for byte, because the signature
 * covers it.
 */
export async function registerWebhooks(app: FastifyInstance, deps: AppDeps): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    for (const provider of PROVIDERS) {
      scope.post<{ Body: string | undefined }>(
        `/api/webhooks/${provider}`,
        { bodyLimit: BODY_LIMIT, schema: { hide: true }, config: { isFromAnywhere: true } },
        async (request, reply) => {
          const caller = await callerFor(deps, request, reply);
          const headers = singleHeaders(request.headers);
          return caller.payments.receiveEvent({ provider, body: request.body ?? '', headers });
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
