import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '#server/core/clock.ts';
import type { Config } from '#server/core/config.ts';
import type { Vault } from '#server/core/crypto.ts';
import type { LiveEvents } from '#server/core/live.ts';
import type { ProgramLogger } from '#server/core/log.ts';
import type { RateLimiter } from '#server/core/rate-limit.ts';
import type { Context, Providers } from '#server/domains/context.ts';
import { resolveSession, type SessionToken } from '#server/domains/sessions/service.ts';

/** What the program is wired with at start; every call's context is made from it. */
export interface AppDeps {
  readonly config: Config;
  readonly db: Context['db'];
  readonly clock: Clock;
  readonly vault: Vault;
  readonly limiter: RateLimiter;
  readonly log: ProgramLogger;
  readonly live: LiveEvents;
  readonly providers: Providers;
}

/** The session cookie of one call: what came in, and what goes out. */
interface SessionCookie {
  readonly token: string | null;
  set(session: SessionToken): void;
  clear(): void;
}

/** A call's context: the domains' context, and the one piece of HTTP that sign-in needs. */
export interface CallContext extends Context {
  readonly sessionCookie: SessionCookie;
}

/** Longer names of browsers are cut off. */
export const USER_AGENT_MAX = 500;

/** `__Host-` where the browser accepts it: over HTTPS; plain on localhost. */
export function sessionCookieName(config: Config): string {
  return config.publicUrl.startsWith('https:') ? '__Host-clipswap' : 'clipswap';
}

/**
 * Reads who calls from the session cookie. A session past half its life is renewed, cookie included. A token that no
 * longer counts is left where it is: the browser may have got a newer one while this call was under way, as after a
 * change of password, and would lose that.
 */
export async function createCallContext(
  deps: AppDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<CallContext> {
  const name = sessionCookieName(deps.config);
  const options = {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: deps.config.publicUrl.startsWith('https:'),
  } as const;
  const sessionCookie: SessionCookie = {
    token: request.cookies[name] ?? null,
    set: (session) => void reply.setCookie(name, session.token, { ...options, expires: session.expiresAt }),
    clear: () => void reply.clearCookie(name, options),
  };
  const session = sessionCookie.token ? await resolveSession(deps, sessionCookie.token) : null;
  if (session?.renewed) sessionCookie.set(session.renewed);
  return {
    db: deps.db,
    clock: deps.clock,
    vault: deps.vault,
    limiter: deps.limiter,
    log: request.log,
    live: deps.live,
    providers: deps.providers,
    config: deps.config,
    actor: session?.actor ?? null,
    ip: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, USER_AGENT_MAX),
    sessionCookie,
  };
}
