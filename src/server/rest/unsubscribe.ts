import type { FastifyInstance, FastifyRequest } from 'fastify';
import { paths } from '#contract/base/pages.ts';
import type { AppDeps } from '#server/trpc/context.ts';
import { callerFor } from './caller.ts';

/** In bytes; mail programs send one short line. */
const BODY_LIMIT = 1024;

function tokenOf(request: FastifyRequest): string {
  const { token } = request.query as Record<string, unknown>;
  return typeof token === 'string' ? token : '';
}

/**
 * Answers the address in a mail's List-Unsubscribe header. Mail programs post to it when their reader presses
 * their unsubscribe button (RFC 8058): from anywhere, without a cookie, with the token as the proof. A GET
 * changes nothing, because scanners follow links: it redirects to our page, which asks for a confirmation.
 */
export async function registerUnsubscribe(app: FastifyInstance, deps: AppDeps): Promise<void> {
  await app.register(async (scope) => {
    // The body is a form without any information for us.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, undefined));
    scope.post(
      '/api/unsubscribe',
      { bodyLimit: BODY_LIMIT, schema: { hide: true }, config: { isFromAnywhere: true } },
      async (request, reply) => {
        const caller = await callerFor(deps, request, reply);
        return caller.notifications.unsubscribe({ token: tokenOf(request) });
      },
    );
    scope.get('/api/unsubscribe', { schema: { hide: true } }, async (request, reply) =>
      reply.redirect(paths.mailed('unsubscribe', tokenOf(request))),
    );
  });
}
