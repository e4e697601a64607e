import type { TRPCError } from '@trpc/server';
import {
  type FastifyTRPCPluginOptions,
  fastifyRequestHandler,
  fastifyTRPCPlugin,
} from '@trpc/server/adapters/fastify';
import type { FastifyInstance } from 'fastify';
import { type AppRouter, appRouter } from '#server/router.ts';
import { type AppDeps, createCallContext } from '#server/trpc/context.ts';
import { retryAfterOf, toTrpcError } from '#server/trpc/errors.ts';
import { RECORDING } from './caller.ts';
import { createLiveHandler, LIVE_PATH } from './live-handler.ts';
import type { Shedding } from './shedding.ts';

export const TRPC_PREFIX = '/api/trpc';

/** Where a browser asks for its live line. */
export const LIVE_ROUTE = `${TRPC_PREFIX}/${LIVE_PATH}`;

function retryHeaders(error: TRPCError | undefined): Record<string, string> {
  const retryAfter = retryAfterOf(error);
  return retryAfter ? { 'retry-after': String(retryAfter) } : {};
}

/** The API of our pages: tRPC's plugin answers everything but the live lines. */
export async function registerTrpc(app: FastifyInstance, deps: AppDeps, shedding: Shedding): Promise<void> {
  const trpcOptions = {
    router: appRouter,
    // A failure here passes no procedure, whose middleware would translate it.
    createContext: ({ req, res }) =>
      createCallContext(deps, req, res).catch((error: unknown) => {
        throw toTrpcError(error);
      }),
    allowBatching: false,
    responseMeta: ({ errors }) => ({ headers: retryHeaders(errors[0]) }),
  } satisfies FastifyTRPCPluginOptions<AppRouter>['trpcOptions'];
  app.get(LIVE_ROUTE, { exposeHeadRoute: false }, createLiveHandler(app, deps, shedding));
  // Each has a route of its own, which other sites cannot call.
  for (const path of RECORDING)
    app.get(`${TRPC_PREFIX}/${path}`, { config: { changesState: true } }, (req, res) =>
      fastifyRequestHandler({ ...trpcOptions, req, res, path }),
    );
  await app.register(async (scope) => {
    // Our pages send a content type only with a body (spec/1 section 1); tRPC requires one on every write.
    scope.addHook('onRequest', async ({ method, headers }) => {
      const isEmpty = !Number(headers['content-length']) && headers['transfer-encoding'] === undefined;
      if (method === 'POST' && isEmpty) headers['content-type'] ??= 'application/json';
    });
    scope.addHook('preHandler', async (request) => {
      if (request.method === 'POST') request.body ||= '{}';
    });
    await scope.register(fastifyTRPCPlugin, { prefix: TRPC_PREFIX, trpcOptions });
  });
}
