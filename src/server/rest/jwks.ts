import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/trpc/context.ts';
import { callerWithoutSession } from './caller.ts';

/** Serves the public keys that sign statements and daily roots (RFC 7517), old ones too. */
export function registerJwks(app: FastifyInstance, deps: AppDeps): void {
  app.get('/.well-known/jwks.json', { schema: { hide: true } }, async (request, reply) => {
    const keySet = await (await callerWithoutSession(deps, request, reply)).proofs.keys();
    return (
      reply
        .header('cache-control', 'public, max-age=300')
        // Others check statements on their own pages.
        .header('access-control-allow-origin', '*')
        .type('application/jwk-set+json')
        .send(keySet)
    );
  });
}
