import { onlineManager, type Query, type QueryClient } from '@tanstack/react-query';
import { CODE_MASK } from '#contract/coupons/limits.ts';
import { ANSWERS_KEY, withSeen } from './kept-values.ts';
import { answerKey } from './query-client.ts';
import { keepWaiting } from './waiting-writes.ts';

/*
 * The last answers of some calls are kept in this browser, to be shown without the network. They belong to one viewer:
 * they are dropped at the sign-out, when another account signs in, and when the server says that the session has ended.
 */

/** What may be kept: who is signed in, and lists. Of these neither codes nor messages are. */
const MAY_BE_KEPT: readonly string[] = [
  'accounts.me',
  'coupons.list',
  'coupons.mine',
  'coupons.saved',
  'deals.count',
  'deals.list',
  'matches.count',
  'matches.list',
];

/** Of how many inputs the answers of a call are kept, the newest first. */
const INPUTS_MAX = 3;
const KEPT_MS = 14 * 86_400_000;
/** How often a page that was opened without the network looks for it. */
const LOOK_MS = 5_000;

interface KeptAnswer {
  readonly path: string;
  readonly input?: unknown;
  readonly data: unknown;
  /** When it came, in milliseconds since 1970. */
  readonly seenAt: number;
}

interface Kept {
  /** Null for a visitor. */
  readonly viewerId: number | null;
  readonly answers: readonly KeptAnswer[];
}

const ME = answerKey('accounts.me', undefined);

function read(): Kept | null {
  return withSeen((storage) => JSON.parse(storage.getItem(ANSWERS_KEY) ?? 'null')) ?? null;
}

/** The beginning of a code is masked, and what people wrote to each other is left out: it may contain one. */
const withoutCodes = (key: string, value: unknown) => {
  if (key === 'codePreview' && value !== null) return CODE_MASK;
  return key === 'message' ? null : value;
};

function write(kept: Kept): void {
  withSeen((storage) => storage.setItem(ANSWERS_KEY, JSON.stringify(kept, withoutCodes)));
}

/** The call and the input of a query; null for what may not be kept. */
function callOf({ queryKey, state }: Query) {
  const [names, options] = queryKey as [string[], { input?: unknown; type?: string }?];
  const path = Array.isArray(names) ? names.join('.') : '';
  const isKept = state.data !== undefined && options?.type === 'query' && MAY_BE_KEPT.includes(path);
  return isKept ? { path, input: options?.input } : null;
}

function keep(client: QueryClient, query: Query): void {
  const call = callOf(query);
  const me = client.getQueryData<{ readonly id: number } | null>(ME);
  if (!call || me === undefined) return;
  const viewerId = me?.id ?? null;
  let kept = read();
  // Only the server says who is signed in: another tab may have signed out meanwhile.
  if (call.path === 'accounts.me' && kept?.viewerId !== viewerId) kept = { viewerId, answers: [] };
  if (kept?.viewerId !== viewerId) return;
  const others = kept.answers.filter(({ path }) => path !== call.path);
  const same = kept.answers.filter(
    ({ path, input }) => path === call.path && JSON.stringify(input) !== JSON.stringify(call.input),
  );
  const { data, dataUpdatedAt: seenAt } = query.state;
  const answers = [...others, { ...call, data, seenAt }, ...same.slice(0, INPUTS_MAX - 1)];
  write({ viewerId, answers });
}

/** Puts what is kept into the cache, but for what is there. */
function restore(client: QueryClient): void {
  for (const { path, input, data, seenAt } of read()?.answers ?? []) {
    const key = answerKey(path, input);
    const isOld = seenAt < Date.now() - KEPT_MS;
    if (isOld || client.getQueryData(key) !== undefined) continue;
    client.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY });
    // After the clock was set back it would be fresh until that time comes again.
    client.setQueryData(key, data, { updatedAt: Math.min(seenAt, Date.now()) });
  }
}

/** Keeps the answers that come, and shows them when the network goes; keeps what waits for it, too. */
export function keepAnswers(client: QueryClient): void {
  keepWaiting(client);
  const cache = client.getQueryCache();
  for (const query of [...cache.findAll({ queryKey: ME }), ...cache.getAll()]) keep(client, query);
  cache.subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') keep(client, event.query);
  });
  onlineManager.subscribe((isOnline) => {
    if (!isOnline) restore(client);
  });
}

/** For a page that was opened without the network: shows what is kept, and looks for the network. */
export function beginOffline(client: QueryClient): void {
  onlineManager.setOnline(false);
  restore(client);
  const timer = setInterval(async () => {
    // The browser may know that there is none.
    if (!navigator.onLine) return;
    const { ok } = await fetch('/healthz', { cache: 'no-store' }).catch(() => ({ ok: false }));
    if (!ok) return;
    clearInterval(timer);
    onlineManager.setOnline(true);
  }, LOOK_MS);
}
