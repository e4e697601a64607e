import type { FastifyInstance } from 'fastify';
import { localPath } from '#contract/base/i18n.ts';
import { identityPath } from '#contract/people/identities.ts';
import type { AppDeps } from '#server/trpc/context.ts';
import { toWire } from '#server/trpc/errors.ts';
import { callerFor } from './caller.ts';

/**
 * Where a provider of OpenID sends browsers back to. The answer counts for the browser that has begun the sign-in, and
 * signs nobody in: the page that follows does. The address with the code is left at once.
 */
export function registerIdentities(app: FastifyInstance, deps: AppDeps): void {
  app.get('/api/identities/callback', { schema: { hide: true } }, async (request, reply) => {
    const caller = await callerFor(deps, request, reply);
    const query = new URL(request.url, 'http://here').search.slice(1);
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
    try {
      const { path } = await caller.identities.finish({ query });
      return reply.redirect(path, 303);
    } catch (error) {
      const isKnown = ['unauthorized', 'not_found', 'bad_input'].includes(toWire(error).code);
      if (!isKnown) throw error;
      return reply.redirect(localPath(identityPath({ from: null, failed: 'refused' })), 303);
    }
  });
}
