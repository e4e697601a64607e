import { t } from '@lingui/core/macro';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { marketName } from '#contract/base/market.ts';
import type { Config } from '#server/core/config.ts';
import { AppError } from '#server/core/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A write that uses no session, because it proves its sender by a signature or changes nothing: it may come from anywhere. */
    isFromAnywhere?: boolean;
    /** A GET that changes something: it must come from our own pages, like any write. */
    changesState?: boolean;
  }
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a write comes from our own pages (OWASP's cheat sheet on cross-site request forgery): checks
 * Sec-Fetch-Site first, then Origin. A client that sends neither is no browser, so it carries nobody else's
 * cookie. Outside production the request's own host is accepted too, so that 127.0.0.1 works like localhost.
 */
function isSameOrigin(request: FastifyRequest, config: Config): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const origin = request.headers.origin;
  return origin === undefined || isOwnOrigin(origin, request, config);
}

function isOwnOrigin(origin: string, request: FastifyRequest, config: Config): boolean {
  if (origin === new URL(config.publicUrl).origin) return true;
  return !config.isProduction && origin === `${request.protocol}://${request.host}`;
}

/**
 * A link on another site makes a browser send our cookie with a GET but no Origin, so a GET needs a proof of
 * where it comes from. When the browser sends no Sec-Fetch-Site (old, or over plain HTTP), the Referer
 * decides.
 */
function isSameOriginRead(request: FastifyRequest, config: Config): boolean {
  const { 'sec-fetch-site': site, origin, referer } = request.headers;
  if (site !== undefined) return site === 'same-origin';
  const from = origin ?? (referer && URL.canParse(referer) ? new URL(referer).origin : undefined);
  return from !== undefined && isOwnOrigin(from, request, config);
}

/** Refuses every state-changing request that comes from a page of another site. */
export function registerSameOrigin(app: FastifyInstance, config: Config): void {
  app.addHook('onRequest', async (request) => {
    const { isFromAnywhere, changesState } = request.routeOptions.config;
    const isRead = SAFE_METHODS.has(request.method);
    // A program's key: no browser sends it by itself.
    if (isFromAnywhere || (isRead && !changesState) || request.bearerKey !== null) return;
    if (isRead ? isSameOriginRead(request, config) : isSameOrigin(request, config)) return;
    request.log.warn({ origin: request.headers.origin }, 'refused a write from another origin');
    throw new AppError('forbidden', t`This request did not come from ${{ market: marketName() }} itself`, {
      refused: { kind: 'origin' },
    });
  });
}
