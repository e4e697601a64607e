import {
  MutationCache,
  onlineManager,
  type Query,
  QueryClient,
  type QueryKey,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback } from 'react';
import type { FirstAnswer } from '#contract/base/first-answers.ts';
import { isFinal, isOffline, isOutdated } from './errors.ts';
import type { Touches } from './touches.ts';
import type { MutationPath, Touched } from './trpc.ts';

const FRESH_MS = 60_000;
const RETRY_DELAY_MS = 1_000;

/** The key under which tRPC's hooks keep the answer of a query. */
export function answerKey(path: string, input: unknown): QueryKey {
  return [path.split('.'), { ...(input !== undefined && { input }), type: 'query' }];
}

/** Puts answers into the cache, as if they had just been fetched. @param updatedAt when they were, in milliseconds since 1970 */
export function giveAnswers(
  client: QueryClient,
  answers: readonly FirstAnswer[],
  updatedAt = Date.now(),
): void {
  for (const [path, data, input] of answers) client.setQueryData(answerKey(path, input), data, { updatedAt });
}

/** The query keys of tRPC: the path in parts, then the input. */
function queryKeyOf(touched: Touched): QueryKey {
  if (typeof touched === 'string') return [touched.split('.')];
  const [path, input] = touched;
  return [path.split('.'), { input }];
}

/** Refetches the queries on screen now, and the others when they are next used. */
async function refresh(client: QueryClient, queries: ReadonlySet<Query>): Promise<void> {
  // A first answer that is still loading may be older than the change: it is shown, then fetched again.
  const early = new Set(
    [...queries].filter(({ state }) => state.fetchStatus === 'fetching' && state.data === undefined),
  );
  await client.invalidateQueries({ predicate: (query) => queries.has(query) });
  await client.invalidateQueries({ predicate: (query) => early.has(query) });
}

function queriesOf(client: QueryClient, touched: readonly Touched[]): Set<Query> {
  const cache = client.getQueryCache();
  return new Set(touched.flatMap((each) => cache.findAll({ queryKey: queryKeyOf(each) })));
}

/** Refreshes queries by name; settles when those on screen are current. */
export function useRefresh(): (...touched: readonly Touched[]) => Promise<void> {
  const client = useQueryClient();
  return useCallback((...touched) => refresh(client, queriesOf(client, touched)), [client]);
}

/** What a mutation touches; undefined for one that is not tRPC's. Where the table cannot be loaded, too much is refreshed. */
async function touchesOf([path]: readonly unknown[] = []): Promise<Touches | undefined> {
  if (!Array.isArray(path)) return;
  const rules: Partial<Record<string, Touches>> = await import('./touches.ts').then(
    ({ EXCEPTIONS }) => EXCEPTIONS,
    () => ({}),
  );
  return rules[path.join('.')] ?? { awaited: [path[0]] };
}

/** Refreshes what a mutation touches, after a success and after a failure that leaves the screen outdated. */
const mutationCacheOptions: ConstructorParameters<typeof MutationCache>[0] = {
  onSettled: async (_data, error, _input, _result, { options }, { client }) => {
    if (error && !isOutdated(error)) return;
    const touches = await touchesOf(options.mutationKey);
    if (!touches) return;
    const awaited = queriesOf(client, touches.awaited);
    const background = touches.background
      ? queriesOf(client, touches.background)
      : new Set(client.getQueryCache().getAll());
    void refresh(client, new Set([...background].filter((query) => !awaited.has(query))));
    await refresh(client, awaited);
  },
};

/** The writes that lose nothing by waiting: without a network they are sent when it is back. */
const MAY_WAIT: readonly MutationPath[] = [
  'coupons.save',
  'coupons.markUsed',
  'coupons.unmarkUsed',
  'messages.markRead',
  'notifications.markRead',
  'notifications.markAllRead',
];

/**
 * Creates the query client (spec/1 section 1): data is fresh for a minute, failed reads are retried once where there is a network, writes never.
 * Without a network everything else fails at once, so that nobody waits for an answer that cannot come; when it is back,
 * what could not be read is read.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    mutationCache: new MutationCache(mutationCacheOptions),
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: FRESH_MS,
        retry: (failures, error) => failures < 1 && !isFinal(error) && !isOffline(error),
        retryDelay: RETRY_DELAY_MS,
        refetchOnWindowFocus: true,
        refetchOnMount: true,
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  for (const path of MAY_WAIT) client.setMutationDefaults([path.split('.')], { networkMode: 'online' });
  if (globalThis.document) watchNetwork(client);
  return client;
}

function watchNetwork(client: QueryClient): void {
  onlineManager.setOnline(navigator.onLine);
  // Those that are not to be asked for again, too.
  const isMissing = ({ state }: Query) => state.status === 'error' && state.data === undefined;
  onlineManager.subscribe((isOnline) => {
    const missing = { type: 'active', predicate: isMissing } as const;
    if (isOnline) void client.refetchQueries(missing, { cancelRefetch: false });
  });
}
