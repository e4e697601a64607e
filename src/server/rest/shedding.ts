import { t } from '@lingui/core/macro';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { marketName } from '#contract/base/market.ts';
import { AppError } from '#server/core/errors.ts';
import { addressOf } from '#server/core/proxies.ts';
import { createShares } from '#server/core/shares.ts';

/** Counts what is being answered. A request has a place from when its body is there until its answer is ready. */
export interface Shedding {
  /** Takes a place again, after `leave`. */
  enter(request: FastifyRequest): void;
  /** @throws AppError unavailable for a request that found no place */
  check(request: FastifyRequest): void;
  /** Frees the place: the request waits for its client, or is answered. */
  leave(request: FastifyRequest): void;
}

/** More requests than this for each connection to the database would wait longer than people do. */
export const REQUESTS_PER_CONNECTION = 20;

/**
 * Answers no more requests at a time than it can in good time, of each address only a share of them, and refuses others at
 * once. Calls and sitemaps with 503; pages come without their content, and try again.
 * @param options.always routes that are answered even then
 * @param options.checksItself the route whose handler calls `check`
 */
export function registerShedding(
  app: FastifyInstance,
  options: {
    databasePoolSize: number;
    always: readonly string[];
    checksItself: string;
  },
): Shedding {
  const places = createShares(options.databasePoolSize * REQUESTS_PER_CONNECTION);
  const answering = new Map<FastifyRequest, string>();
  const refused = new WeakSet<FastifyRequest>();

  const enter = (request: FastifyRequest) => {
    // Hooks run twice for a request that a route hands on to the handler of what is not found.
    if (answering.has(request)) return;
    const ip = addressOf(request);
    if (places.take(ip)) answering.set(request, ip);
    else refused.add(request);
  };
  const check = (request: FastifyRequest) => {
    if (!refused.has(request)) return;
    const text = t`${{ market: marketName() }} is very busy right now. Please try again in a moment.`;
    throw new AppError('unavailable', text, { retryAfter: 2 });
  };
  const leave = (request: FastifyRequest) => {
    const ip = answering.get(request);
    if (ip !== undefined && answering.delete(request)) places.leave(ip);
  };
  app.addHook('preHandler', async (request) => {
    const { url: route = '' } = request.routeOptions;
    if (options.always.includes(route)) return;
    enter(request);
    if (/^\/(api|sitemap)/.test(route) && route !== options.checksItself) check(request);
  });
  // Not at the end of the response: that never comes for a client who has gone, while its work goes on.
  app.addHook('onSend', async (request) => leave(request));
  return { enter, check, leave };
}
