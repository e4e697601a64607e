import { t } from '@lingui/core/macro';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { marketName } from '#contract/base/market.ts';
import { AppError } from '#server/core/errors.ts';
import { addressOf } from '#server/core/proxies.ts';
import { createShares, type Shares } from '#server/core/shares.ts';

/**
 * Counts the work of each network: its requests, each of which has a place from when its body is there until its answer is
 * ready, and the megabytes of larger bodies, which are held in memory from when they begin to come until then.
 */
export interface Shedding {
  /** @throws AppError unavailable for a request that found no place */
  check(request: FastifyRequest): void;
  /** Frees what the request has: it waits for its client, or is answered. */
  leave(request: FastifyRequest): void;
  /** Counts a body of which so much has come; its request waits without a place. @throws AppError unavailable */
  receive(request: FastifyRequest, bytes: number): void;
  /**
   * Takes a place again, once the body is there.
   * @param readsFile whether a process is to read a file of it, which takes a large part of all places
   * @throws AppError unavailable
   */
  resume(request: FastifyRequest, readsFile?: boolean): void;
}

/** More requests than this for each connection to the database would wait longer than people do. */
export const REQUESTS_PER_CONNECTION = 20;
/** So many megabytes of bodies, begun ones, at a time: an address may send a fifth, the largest mail. */
const MEGABYTES = 200;
const MEGABYTE = 1024 * 1024;
/** Seconds. */
const RETRY_UPLOAD_AFTER = 5;

/** So many files are read at a time, or wait for it: two processes read them. */
const FILES = 16;

/** Counts the places of each request. */
function countIn(shares: Shares) {
  const taken = new Map<FastifyRequest, { readonly ip: string; places: number }>();
  return {
    of: (request: FastifyRequest) => taken.get(request)?.places ?? 0,
    take(request: FastifyRequest, places: number): boolean {
      const mine = taken.get(request) ?? { ip: addressOf(request), places: 0 };
      if (!shares.take(mine.ip, places)) return false;
      mine.places += places;
      taken.set(request, mine);
      return true;
    },
    leave(request: FastifyRequest) {
      const mine = taken.get(request);
      // A connection that is gone has no address any more.
      if (mine && taken.delete(request)) shares.leave(mine.ip, mine.places);
    },
  };
}

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
  const total = options.databasePoolSize * REQUESTS_PER_CONNECTION;
  const places = countIn(createShares(total));
  const megabytes = countIn(createShares(MEGABYTES));
  const refused = new WeakSet<FastifyRequest>();

  const enter = (request: FastifyRequest, more: number) => {
    // Hooks run twice for a request that a route hands on to the handler of what is not found.
    if (places.of(request) === 0 && !places.take(request, more)) refused.add(request);
  };
  const check = (request: FastifyRequest) => {
    if (!refused.has(request)) return;
    const text = t`${{ market: marketName() }} is very busy right now. Please try again in a moment.`;
    throw new AppError('unavailable', text, { retryAfter: 2 });
  };
  const leave = (request: FastifyRequest) => {
    places.leave(request);
    megabytes.leave(request);
  };
  app.addHook('preHandler', async (request) => {
    const { url: route = '' } = request.routeOptions;
    if (options.always.includes(route)) return;
    enter(request, 1);
    if (/^\/(api|mcp|oauth|sitemap)/.test(route) && route !== options.checksItself) check(request);
  });
  // Not at the end of the response: that never comes for a client who has gone, while its work goes on.
  app.addHook('onSend', async (request) => leave(request));
  return {
    check,
    leave,
    receive(request, bytes) {
      places.leave(request);
      const more = Math.floor(bytes / MEGABYTE) + 1 - megabytes.of(request);
      if (more <= 0 || megabytes.take(request, more)) return;
      const text = t`Too many people are uploading right now. Please try again in a moment.`;
      throw new AppError('unavailable', text, { retryAfter: RETRY_UPLOAD_AFTER });
    },
    resume(request, readsFile = false) {
      enter(request, readsFile ? total / FILES : 1);
      check(request);
    },
  };
}
