import { t } from '@lingui/core/macro';
import type { Mutation, QueryClient } from '@tanstack/react-query';
import { newClientKey } from './client-key.ts';
import { answerKey } from './query-client.ts';
import { toasts } from './toasts.ts';
import { createTrpcClient } from './trpc.ts';
import { keyOf, withSeen } from './viewer-storage.ts';

/*
 * Writes that wait for the network are stored in this browser, so that they are sent although the page was closed. They belong
 * to one account, and are dropped at the sign-out. Of the writes that may wait only these are: sent late or twice they do
 * what was meant, and they name a coupon or a notification and nothing else. "All are read" would mean later ones, too.
 */

/** The calls of the server. */
export type Server = ReturnType<typeof createTrpcClient>;

const CALLS: Readonly<Record<string, (server: Server, input: never) => Promise<unknown>>> = {
  'coupons.save': ({ coupons }, { couponId, isSaved }: { couponId: number; isSaved: boolean }) =>
    (isSaved ? coupons.save : coupons.unsave).mutate({ couponId }),
  'coupons.markUsed': ({ coupons }, input: { id: number }) => coupons.markUsed.mutate(input),
  'notifications.markRead': ({ notifications }, input: { id: number }) =>
    notifications.markRead.mutate(input),
};

const ME = answerKey('accounts.me', undefined);
const MAX_AGE_MS = 14 * 86_400_000;

interface WaitingWrite {
  readonly path: string;
  readonly input: never;
  /** When it began to wait, in milliseconds since 1970. */
  readonly at: number;
}

const pathOf = ({ options }: Mutation) => {
  const [names] = options.mutationKey ?? [];
  return Array.isArray(names) ? names.join('.') : '';
};

/** The writes that wait here for an account, in the order in which they came, by their names in the storage. */
function waitingWrites(userId: number): [name: string, write: WaitingWrite][] {
  const prefix = keyOf(userId, 'waiting.');
  const read = (storage: Storage) =>
    Object.keys(storage)
      .filter((name) => name.startsWith(prefix))
      .map((name): [string, WaitingWrite] => [name, JSON.parse(storage.getItem(name) ?? '')]);
  return (withSeen(read) ?? []).sort(([, one], [, other]) => one.at - other.at);
}

const drop = (name: string) => withSeen((storage) => storage.removeItem(name));

/** Keeps the writes that wait, and sends those that another page has left. */
export function storeWaiting(client: QueryClient, server: Server = createTrpcClient()): void {
  const mutations = client.getMutationCache();
  const names = new Map<Mutation, string>();
  const viewerId = () => client.getQueryData<{ readonly id: number } | null>(ME)?.id;

  mutations.subscribe(({ mutation }) => {
    if (!mutation) return;
    const { isPaused, status, variables } = mutation.state;
    const path = pathOf(mutation);
    const userId = viewerId();
    if (isPaused && !names.has(mutation) && Object.hasOwn(CALLS, path) && userId !== undefined) {
      const name = keyOf(userId, `waiting.${newClientKey()}`);
      names.set(mutation, name);
      withSeen((storage) =>
        storage.setItem(name, JSON.stringify({ path, input: variables, at: Date.now() })),
      );
    }
    const name = names.get(mutation);
    if (name === undefined || (status !== 'success' && status !== 'error')) return;
    names.delete(mutation);
    drop(name);
  });

  let resumedFor: number | undefined;
  const resume = () => {
    const userId = viewerId();
    if (userId === undefined || userId === resumedFor) return;
    resumedFor = userId;
    const own = new Set(names.values());
    for (const [name, { path, input, at }] of waitingWrites(userId)) {
      const call = CALLS[path];
      if (own.has(name)) continue;
      if (!call || at < Date.now() - MAX_AGE_MS) {
        drop(name);
        continue;
      }
      const mutation = mutations.build<unknown, Error, unknown, unknown>(client, {
        mutationKey: [path.split('.')],
        mutationFn: () => call(server, input),
        onError: (error) => toasts.failed(error, t`A change from before was not made`),
      });
      names.set(mutation as Mutation, name);
      mutation.execute(input).catch(() => {});
    }
  };
  resume();
  client.getQueryCache().subscribe(({ query }) => {
    if (String(query.queryKey[0]) === 'accounts,me') resume();
  });
}
