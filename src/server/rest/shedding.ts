import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#server/core/errors.ts';

export interface Shedding {
  /** @throws AppError unavailable for a request that came when too many were being answered */
  check(request: FastifyRequest): void;
}

/** More requests than this for each connection to the database would wait longer than people do. */
export const REQUESTS_PER_CONNECTION = 20;

/**
 * Answers no more requests at a time than it can in good time, and refuses others at once. Calls and sitemaps with 503;
 * pages come without their content, and try again.
 * @param options.always paths that are answered even then
 */
export function registerShedding(
  app: FastifyInstance,
  options: { databasePoolSize: number; always: readonly string[] },
): Shedding {
  const most = options.databasePoolSize * REQUESTS_PER_CONNECTION;
  const answering = new Set<FastifyRequest>();
  const refused = new WeakSet<FastifyRequest>();

  const check = (request: FastifyRequest) => {
    if (!refused.has(request)) return;
    const text = 'ClipSwap has more visitors than it can serve right now. Please try again in a moment.';
    throw new AppError('unavailable', text, { retryAfter: 2 });
  };
  app.addHook('onRequest', async (request) => {
    if (options.always.includes(request.url.split('?')[0] ?? '')) return;
    if (answering.size < most) answering.add(request);
    else refused.add(request);
    if (/^\/(api|sitemap)/.test(request.url)) check(request);
  });
  // Not at the end of the response: that never comes for a client who has gone, while its work goes on.
  app.addHook('onSend', async (request) => void answering.delete(request));
  return { check };
}
