import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AppDeps, createCallContext } from '#server/trpc/context.ts';
import { appRouter } from '#server/trpc/root.ts';

export type Caller = ReturnType<typeof appRouter.createCaller>;

/** The calls as whoever sends this request may make them. */
export async function callerFor(
  deps: AppDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  return appRouter.createCaller(await createCallContext(deps, request, reply));
}

/** The calls as anybody may make them: for answers that others keep, and pass on to everybody. */
export async function callerForAnybody(
  deps: AppDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  request.cookies = {};
  return callerFor(deps, request, reply);
}
