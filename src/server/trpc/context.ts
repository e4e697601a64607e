import type { FastifyInstance, FastifyRequest } from 'fastify';
import { COUNTRY_CODES } from '#contract/base/countries.ts';
import { FEES_HEADER } from '#contract/base/fees-header.ts';
import { LANGUAGE_COOKIE, type Language, languageOfPath, toLanguage } from '#contract/base/i18n.ts';
import { COUNTRY_COOKIE } from '#contract/base/visitor-country.ts';
import type { ApiKeyFacts, Context, Providers } from '#server/context/context.ts';
import type { Clock } from '#server/core/clock.ts';
import type { Config } from '#server/core/config.ts';
import type { Vault } from '#server/core/crypto.ts';
import { inLanguage, preferredLanguage } from '#server/core/language.ts';
import type { LiveEvents } from '#server/core/live.ts';
import type { ProgramLogger } from '#server/core/log.ts';
import { type Arrival, addressOf, arrivalOf } from '#server/core/proxies.ts';
import type { RateLimiter } from '#server/core/rate-limit.ts';
import type { Replica } from '#server/core/replica.ts';
import {
  countKeyWrite,
  type KeyAllowance,
  resolveKey,
  TOKEN_PREFIX,
} from '#server/people/api-keys/service.ts';
import type { DeniedRequests } from '#server/people/audit/denied-requests.ts';
import { resolveSession } from '#server/people/sessions/service.ts';
import { configNow } from '#server/people/settings/service.ts';

export { configNow, countKeyWrite };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For programs alone: it takes a key and no cookie, and counts against the key as a read until it changes something. */
    isForKeys?: boolean;
  }
  interface FastifyRequest {
    /** What a program sent as a key for the API; null: none. Whether it works is not known yet. */
    bearerKey: string | null;
    /** What the key of this call may still do; null: there is none that works. */
    keyAllowance: KeyAllowance | null;
  }
}

/** What the program opens at start; the context of every call is made from it. */
export interface AppDeps {
  /** As at start; `settings` has what admins have changed since. */
  readonly config: Config;
  readonly settings: Context['settings'];
  readonly db: Context['db'];
  /** Null: there is none. */
  readonly replica: Replica<Context['db']> | null;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly limiter: RateLimiter;
  readonly log: ProgramLogger;
  readonly live: LiveEvents;
  readonly deniedRequests: DeniedRequests;
  readonly providers: Providers;
}

interface CookieSettings {
  readonly path: string;
  readonly httpOnly: boolean;
  readonly sameSite: 'lax';
  readonly secure: boolean;
  /** In seconds. Not a time: by the clock of a phone that is wrong, it may be over. */
  readonly maxAge?: number;
}

/** Where the cookies of an answer are set: Fastify's reply, as a rule. */
export interface CookieJar {
  setCookie(name: string, value: string, settings: CookieSettings): unknown;
  clearCookie(name: string, settings: CookieSettings): unknown;
}

/** A cookie of one call: the token that came in, and ways to set or clear it in the answer. */
interface TokenCookie {
  readonly token: string | null;
  set(given: { readonly token: string; readonly expiresAt: Date }): void;
  clear(): void;
}

/** A replica, for one caller. */
interface CallReads {
  /** What the caller may read lists from. */
  readonly db: Context['db'];
  /** Lets the caller's next reads know of a write that has just been made. */
  noteWrite(): Promise<void>;
}

/** The context of a call: that of the rooms, and the cookies, which signing in and out needs. */
export interface CallContext extends Context {
  /** Under which the call is found in the log; '' where there is no request. */
  readonly requestId: string;
  readonly deniedRequests: Pick<DeniedRequests, 'note'>;
  readonly apiKey: ApiKeyFacts | null;
  /** For the checks of the installation; left out where there is no request. */
  readonly installation?: Pick<AppDeps, 'config' | 'replica'> & { readonly arrival: Arrival };
  /** Null: there is no replica, or the caller is a program, which keeps no cookie of its writes. */
  readonly reads: CallReads | null;
  readonly sessionCookie: TokenCookie;
  /** What a browser is known by in which somebody has signed in before; it signs nobody in. */
  readonly deviceCookie: TokenCookie;
  /** What the challenges are bound to that this browser's passkeys answer. */
  readonly challengeCookie: TokenCookie;
  /** What the sign-ins are bound to that this browser has begun at a provider of OpenID. */
  readonly identityCookie: TokenCookie;
}

/** Longer user agents are cut off. */
export const USER_AGENT_MAX = 500;

/** `__Host-` over HTTPS; a plain name over HTTP, where browsers refuse that prefix. */
export function sessionCookieName(config: Pick<Config, 'publicUrl'>): string {
  return config.publicUrl.startsWith('https:') ? '__Host-clipswap' : 'clipswap';
}

/** `Authorization: Bearer clipswap_…`. Everything else in that header is not ours: a proxy may need it. */
const BEARER_KEY = new RegExp(`^Bearer +(${TOKEN_PREFIX}.*)$`, 'i');

/**
 * Reads the key of a program from each request to the API, and lets each request be answered in its language. With a key a
 * request has no cookies, so that only the key decides whose call it is.
 */
export function registerCaller(app: FastifyInstance): void {
  app.decorateRequest('bearerKey', null);
  app.decorateRequest('keyAllowance', null);
  app.addHook('onSend', async ({ keyAllowance }, reply) => {
    if (keyAllowance) reply.headers(rateLimitHeaders(keyAllowance));
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const { url, config } = request.routeOptions;
    const isForPrograms = config.isForKeys ?? url?.startsWith('/api/') ?? false;
    const key = isForPrograms && BEARER_KEY.exec(request.headers.authorization ?? '')?.[1];
    if (key || config.isForKeys) request.cookies = {};
    if (key) request.bearerKey = key.trim();
    inLanguage(languageOf(request), done);
  });
  // Again: what is read of a body's stream in between loses the language.
  app.addHook('preHandler', (request, _reply, done) => inLanguage(languageOf(request), done));
}

/** The limit of a key and what is left of it, as draft-ietf-httpapi-ratelimit-headers-10 writes them. */
function rateLimitHeaders({ limit: { name, points, seconds }, left, resets }: KeyAllowance) {
  return {
    'RateLimit-Policy': `"${name}";q=${points};w=${seconds}`,
    RateLimit: `"${name}";r=${left};t=${resets}`,
  };
}

/**
 * The language of the answer to a request. An address of a language has that one. A page or a file that somebody opens
 * comes in the language that they have chosen in this browser, else in one that the browser prefers; an answer for a
 * program in what its `Accept-Language` says: our pages name theirs.
 */
export function languageOf({ url, headers, cookies = {} }: FastifyRequest): Language {
  const ofPath = languageOfPath(url);
  if (ofPath !== 'en') return ofPath;
  const isOpened = !url.startsWith('/api') || headers['sec-fetch-mode'] === 'navigate';
  const chosen = isOpened ? cookies[LANGUAGE_COOKIE] : undefined;
  return chosen === undefined ? preferredLanguage(headers['accept-language']) : toLanguage(chosen);
}

/** More languages than people list. */
const LANGUAGES_READ = 10;

/**
 * The country of somebody without an account, in ISO 3166-1 alpha-2: the one they have chosen, else what the proxy says
 * where the setting names its header, else that of their language ('de-AT'); null if none tells.
 */
function visitorCountryOf(
  { cookies, headers }: FastifyRequest,
  { countryHeader }: Pick<Config, 'countryHeader'>,
): string | null {
  const stated = countryHeader ? headers[countryHeader.toLowerCase()] : undefined;
  const languages = (headers['accept-language'] ?? '').split(',', LANGUAGES_READ);
  const regions = languages.map(
    (language) => /^\s*[a-z]{2,3}-(?:[a-z]{4}-)?([a-z]{2})\b/i.exec(language)?.[1],
  );
  for (const code of [cookies[COUNTRY_COOKIE], stated, ...regions]) {
    const known = typeof code === 'string' && code.toUpperCase();
    if (known && COUNTRY_CODES.includes(known)) return known;
  }
  return null;
}

/** The headers that decide about the country and the language, besides the cookies. */
export function countryHeaders({ countryHeader }: Pick<Config, 'countryHeader'>): string[] {
  return ['Accept-Language', ...(countryHeader ? [countryHeader] : [])];
}

interface Caller extends Pick<CallContext, 'actor' | 'session' | 'apiKey'> {}

async function callerOf(deps: AppDeps, request: FastifyRequest, sessionCookie: TokenCookie): Promise<Caller> {
  if (request.bearerKey !== null) {
    const { isForKeys = false } = request.routeOptions.config;
    const isRead = isForKeys || ['GET', 'HEAD'].includes(request.method);
    const tell = (keyAllowance: KeyAllowance) => Object.assign(request, { keyAllowance });
    const key = {
      ...{ token: request.bearerKey, ip: addressOf(request), isRead, tell },
      isForAssistants: isForKeys,
    };
    return { ...(await resolveKey(deps, key)), session: null };
  }
  const found = sessionCookie.token ? await resolveSession(deps, sessionCookie.token) : null;
  if (found?.renewed) sessionCookie.set(found.renewed);
  return { actor: found?.actor ?? null, session: found?.session ?? null, apiKey: null };
}

/**
 * Reads the caller from the key, else from the session cookie. A session past half its life is renewed, with its cookie. The
 * cookie of an invalid token is not cleared: the browser may have received a newer one during this call, for
 * example after a change of password, and would lose it.
 * @throws AppError unauthorized (a key that does not work), rate_limited (of keys)
 */
export async function createCallContext(
  deps: AppDeps,
  request: FastifyRequest,
  reply: CookieJar,
): Promise<CallContext> {
  const sessionCookie = cookieOf(deps, request, reply, '');
  const caller = await callerOf(deps, request, sessionCookie);
  const config = configNow(deps);
  return {
    ...caller,
    db: deps.db,
    clock: deps.clock,
    vault: deps.vault,
    limiter: deps.limiter,
    log: request.log,
    live: deps.live,
    providers: deps.providers,
    config,
    settings: deps.settings,
    shownFees: shownFeesOf(request),
    ip: addressOf(request),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, USER_AGENT_MAX),
    visitorCountry: visitorCountryOf(request, deps.config),
    ...(request.method === 'GET' && { coupons: new Map() }),
    requestId: request.id,
    deniedRequests: deps.deniedRequests,
    reads: caller.apiKey ? null : deps.replica && readsOf(deps.replica, deps.config, request, reply),
    installation: { config, replica: deps.replica, arrival: arrivalOf(request) },
    sessionCookie,
    deviceCookie: cookieOf(deps, request, reply, '-device'),
    challengeCookie: cookieOf(deps, request, reply, '-challenge'),
    identityCookie: cookieOf(deps, request, reply, '-identity'),
  };
}

function shownFeesOf({ headers }: FastifyRequest): string | null {
  const given = headers[FEES_HEADER];
  return typeof given === 'string' && given !== '' ? given : null;
}

/** Longer than a replica in use may be behind; in seconds. */
const WRITTEN_SECONDS = 60;

/** A cookie has the position of the caller's last write, so that all processes know it. */
function readsOf(
  replica: Replica<Context['db']>,
  config: Config,
  request: FastifyRequest,
  reply: CookieJar,
): CallReads {
  const name = `${sessionCookieName(config)}-written`;
  const given = request.cookies[name] ?? '';
  return {
    db: replica.readsFor(/^\d{1,16}$/.test(given) ? Number(given) : null),
    async noteWrite() {
      // Nobody knows the position: no replica has come as far.
      const position = await replica.position().catch(() => Number.MAX_SAFE_INTEGER);
      reply.setCookie(name, String(position), { ...cookieOptions(config), maxAge: WRITTEN_SECONDS });
    },
  };
}

function cookieOptions({ publicUrl }: Config) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: publicUrl.startsWith('https:') } as const;
}

function cookieOf(
  { config, clock }: AppDeps,
  request: FastifyRequest,
  reply: CookieJar,
  suffix: string,
): TokenCookie {
  const name = sessionCookieName(config) + suffix;
  const options = cookieOptions(config);
  return {
    token: request.cookies[name] ?? null,
    set({ token, expiresAt }) {
      const maxAge = Math.floor((expiresAt.getTime() - clock().getTime()) / 1_000);
      reply.setCookie(name, token, { ...options, maxAge });
    },
    clear: () => void reply.clearCookie(name, options),
  };
}

type Kept = Parameters<TokenCookie['set']>[0];

/** Gives the browser what it is to keep of a sign-in. */
export function keep(ctx: CallContext, { session, device }: { session: Kept; device: Kept }): void {
  ctx.sessionCookie.set(session);
  ctx.deviceCookie.set(device);
}

/** Signs the browser in, and answers with the person. */
export async function enter<User>(
  ctx: CallContext,
  signingIn: Promise<Parameters<typeof keep>[1] & { user: User }>,
): Promise<User> {
  const signedIn = await signingIn;
  keep(ctx, signedIn);
  return signedIn.user;
}
