import { callTRPCProcedure } from '@trpc/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IDEMPOTENCY_KEY } from '#contract/people/api-keys.ts';
import { appRouter } from '#server/router.ts';
import { type AppDeps, type CallContext, createCallContext } from '#server/trpc/context.ts';
import { callOnce } from '#server/trpc/once.ts';

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

/** As `callReading`; where the request has an Idempotency-Key, the same call is done once and answered alike. */
export async function callReadingOnce(
  ...[deps, request, reply, path, read]: Parameters<typeof callReading>
): Promise<unknown> {
  const key = request.headers[IDEMPOTENCY_KEY.toLowerCase()]?.toString();
  if (key === undefined) return callReading(deps, request, reply, path, read);
  return callOnce(deps, { procedure: path, key, readInput: read }, (readOnce) =>
    callReading(deps, request, reply, path, readOnce),
  );
}

/** Finds a procedure by its name ('coupons.list'). Its types are unknown here; its own schema validates the input. */
export function procedureOf(caller: Caller, path: string): (input: unknown) => Promise<unknown> {
  const [domain = '', name = ''] = path.split('.');
  const domains = caller as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>;
  const found = domains[domain]?.[name];
  if (!found) throw new Error(`There is no procedure ${path}`);
  return found;
}
