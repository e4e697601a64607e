import { onlineManager, type Query, type QueryClient } from '@tanstack/react-query';
import { localPath } from '#contract/base/i18n.ts';
import { paths } from '#contract/base/pages.ts';
import { withCodesMasked } from '#contract/coupons/limits.ts';
import { answerKey } from './query-client.ts';
import { ANSWERS_KEY, hasOfflineCodes, withSeen } from './viewer-storage.ts';
import { storeWaiting } from './waiting-writes.ts';

/*
 * The last answers of some calls are cached in this browser, to be shown without the network. They belong to one viewer:
 * they are dropped at the sign-out, when another account signs in, and when the server says that the session has ended.
 */

/** The calls whose answers are cached: who is signed in, and lists. Of these neither codes nor messages are. */
const CACHED_CALLS: readonly string[] = [
  'accounts.me',
  'coupons.list',
  'coupons.mine',
  'coupons.saved',
  'deals.count',
  'deals.list',
  'matches.count',
  'matches.list',
];

/** Of how many inputs the answers of a call are cached, the newest first. */
const INPUTS_MAX = 3;
const MAX_AGE_MS = 14 * 86_400_000;
/** How often a page that was opened without the network looks for it. */
const LOOK_MS = 5_000;

interface CachedAnswer {
  readonly path: string;
  readonly input?: unknown;
  readonly data: unknown;
  /** When it came, in milliseconds since 1970. */
  readonly seenAt: number;
}

interface Cache {
  /** Null for a visitor. */
  readonly viewerId: number | null;
  readonly answers: readonly CachedAnswer[];
}

const ME = answerKey('accounts.me', undefined);

function read(): Cache | null {
  return withSeen((storage) => JSON.parse(storage.getItem(ANSWERS_KEY) ?? 'null')) ?? null;
}

/** The beginning of a code is masked, and what people wrote to each other is left out: it may contain one. */
const withoutCodes = (key: string, value: unknown) =>
  key === 'message' ? null : withCodesMasked(key, value);

function write(cache: Cache): void {
  withSeen((storage) => storage.setItem(ANSWERS_KEY, JSON.stringify(cache, withoutCodes)));
}

/** The call and the input of a query; null for what is not cached. */
function callOf({ queryKey, state }: Query) {
  const [names, options] = queryKey as [string[], { input?: unknown; type?: string }?];
  const path = Array.isArray(names) ? names.join('.') : '';
  const isCached = state.data !== undefined && options?.type === 'query' && CACHED_CALLS.includes(path);
  return isCached ? { path, input: options?.input } : null;
}

function keep(client: QueryClient, query: Query): void {
  const call = callOf(query);
  const me = client.getQueryData<{ readonly id: number } | null>(ME);
  if (!call || me === undefined) return;
  const viewerId = me?.id ?? null;
  let cache = read();
  // Only the server says who is signed in: another tab may have signed out meanwhile.
  if (call.path === 'accounts.me' && cache?.viewerId !== viewerId) cache = { viewerId, answers: [] };
  if (cache?.viewerId !== viewerId) return;
  const others = cache.answers.filter(({ path }) => path !== call.path);
  const same = cache.answers.filter(
    ({ path, input }) => path === call.path && JSON.stringify(input) !== JSON.stringify(call.input),
  );
  const { data, dataUpdatedAt: seenAt } = query.state;
  const answers = [...others, { ...call, data, seenAt }, ...same.slice(0, INPUTS_MAX - 1)];
  write({ viewerId, answers });
}

/** Puts what is cached into the query cache, but for what is there. */
function restore(client: QueryClient): void {
  for (const { path, input, data, seenAt } of read()?.answers ?? []) {
    const key = answerKey(path, input);
    const isOld = seenAt < Date.now() - MAX_AGE_MS;
    if (isOld || client.getQueryData(key) !== undefined) continue;
    client.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY });
    // After the clock was set back it would be fresh until that time comes again.
    client.setQueryData(key, data, { updatedAt: Math.min(seenAt, Date.now()) });
  }
}

/** Keeps the answers that come, and shows them when the network goes; keeps what waits for it, too. */
export function cacheAnswers(client: QueryClient): void {
  storeWaiting(client);
  const cache = client.getQueryCache();
  for (const query of [...cache.findAll({ queryKey: ME }), ...cache.getAll()]) keep(client, query);
  cache.subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') keep(client, event.query);
  });
  onlineManager.subscribe((isOnline) => {
    if (!isOnline) restore(client);
  });
}

/**
 * For a page that was opened without the network: shows what is cached, and looks for the network. Where this device keeps
 * codes, the application begins with them: they are what somebody wants at a till.
 */
export function beginOffline(client: QueryClient): void {
  onlineManager.setOnline(false);
  restore(client);
  const isAtStart = window.location.pathname === localPath(paths.home) && window.location.search === '';
  if (isAtStart && hasOfflineCodes()) window.history.replaceState(null, '', localPath(paths.myCoupons));
  const timer = setInterval(async () => {
    // The browser may know that there is none.
    if (!navigator.onLine) return;
    const { ok } = await fetch('/healthz', { cache: 'no-store' }).catch(() => ({ ok: false }));
    if (!ok) return;
    clearInterval(timer);
    onlineManager.setOnline(true);
  }, LOOK_MS);
}
