import { callTRPCProcedure } from '@trpc/server';
import type { FastifyInstance } from 'fastify';
import { type AppDeps, createCallContext } from '#server/trpc/context.ts';
import { appRouter } from '#server/trpc/root.ts';

const PROVIDERS = ['stripe', 'paypal'] as const;

/** A provider's event, at most. */
const BODY_LIMIT = 1024 * 1024;

/**
 * Where the payment providers tell us what has happened. The body is passed on exactly as it came, byte for byte:
 * that is what their signature is over.
 */
export async function registerWebhooks(app: FastifyInstance, deps: AppDeps): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    for (const provider of PROVIDERS) {
      scope.post(
        `/api/webhooks/${provider}`,
        { bodyLimit: BODY_LIMIT, schema: { hide: true }, config: { isSigned: true } },
        async (request, reply) => {
          const input = { provider, body: request.body ?? '', headers: singleHeaders(request.headers) };
          return callTRPCProcedure({
            router: appRouter,
            path: 'payments.receiveEvent',
            type: 'mutation',
            ctx: await createCallContext(deps, request, reply),
            getRawInput: async () => input,
            signal: undefined,
            batchIndex: 0,
          });
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
