import { callTRPCProcedure } from '@trpc/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { appRouter } from '#server/router.ts';
import { type AppDeps, type CallContext, createCallContext } from '#server/trpc/context.ts';

/** The queries that record a view (`recordsView`). Their routes change state. */
export const RECORDING: ReadonlySet<string> = new Set(
  Object.entries(
    appRouter._def.procedures as unknown as Record<string, { _def: { meta?: { recordsView?: boolean } } }>,
  )
    .filter(([, { _def }]) => _def.meta?.recordsView)
    .map(([path]) => path),
);

export type Caller = ReturnType<typeof appRouter.createCaller>;

/** The procedures, called with the key or the session of this request. */
export async function callerFor(
  deps: AppDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  return appRouter.createCaller(await createCallContext(deps, request, reply));
}

/** The procedures, called for nobody: for answers that caches keep and share. */
export async function callerWithoutSession(
  deps: AppDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  request.cookies = {};
  request.bearerKey = null;
  return callerFor(deps, request, reply);
}

/**
 * Calls a procedure whose input is read from the body once its middleware lets the caller pass.
 * @param path its name ('images.upload')
 */
export async function callReading(
  deps: AppDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  read: (ctx: CallContext) => Promise<unknown>,
): Promise<unknown> {
  const ctx = await createCallContext(deps, request, reply);
  const call = { router: appRouter, path, ctx, type: 'mutation', signal: undefined, batchIndex: 0 } as const;
  return callTRPCProcedure({ ...call, getRawInput: () => read(ctx) });
}

/** Finds a procedure by its name ('coupons.list'). Its types are unknown here; its own schema validates the input. */
export function procedureOf(caller: Caller, path: string): (input: unknown) => Promise<unknown> {
  const [domain = '', name = ''] = path.split('.');
  const domains = caller as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>;
  const found = domains[domain]?.[name];
  if (!found) throw new Error(`There is no procedure ${path}`);
  return found;
}
