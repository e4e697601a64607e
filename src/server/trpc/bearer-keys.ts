import type { FastifyInstance } from 'fastify';
import { TOKEN_PREFIX } from '#server/people/api-keys/service.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What a program sent as a key for the API; null: none. Whether it works is not known yet. */
    bearerKey: string | null;
  }
}

const HEADER = new RegExp(`^Bearer +(${TOKEN_PREFIX}.*)$`, 'i');

/**
 * Reads the keys of programs (`Authorization: Bearer clipswap_…`) from requests to the API. With a key a request has no
 * cookies, so that only the key decides whose call it is. Everything else in that header is not ours: a proxy may need it.
 */
export function registerBearerKeys(app: FastifyInstance): void {
  app.decorateRequest('bearerKey', null);
  app.addHook('onRequest', async (request) => {
    const isForPrograms = request.routeOptions.url?.startsWith('/api/') ?? false;
    const key = isForPrograms && HEADER.exec(request.headers.authorization ?? '')?.[1];
    if (!key) return;
    request.bearerKey = key.trim();
    request.cookies = {};
  });
}
