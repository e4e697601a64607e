import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/trpc/context.ts';

/** Whether the database answers and is fully migrated; it may reject. */
export type Readiness = () => Promise<boolean>;

/**
 * `/healthz`: the process runs. `/readyz`: it can serve; 503 while it cannot, and while it is stopping. It also
 * says how live events are heard, where limits are counted, and when the replica is not read.
 */
export function registerHealth(app: FastifyInstance, deps: AppDeps, isReady: Readiness): void {
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
  });
  app.get('/healthz', { schema: { hide: true } }, () => ({ status: 'ok' }));
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const ready =
      !stopping &&
      (await isReady().catch((error: unknown) => {
        deps.log.warn({ err: error }, 'not ready');
        return false;
      }));
    return reply.status(ready ? 200 : 503).send({
      status: ready ? 'ready' : 'unavailable',
      live: deps.live.transport(),
      limits: deps.limiter.store(),
      ...(deps.replica && !deps.replica.state().isUsed && { replica: 'left out' }),
    });
  });
}
