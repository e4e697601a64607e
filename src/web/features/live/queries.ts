import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { useMemo } from 'react';
import type { DealType } from '#contract/deals.ts';
import { type LiveEvent, liveEventSchema } from '#contract/live.ts';
import type { OpenLine } from '#web/lib/live-line.ts';
import { trpc } from '#web/lib/trpc.ts';

const { messages, notifications } = trpc;

/** What shows a thread, or that there is something new in it. */
function ofThread(dealType: DealType, dealId: number): QueryKey[] {
  return [
    getQueryKey(messages.list, { dealType, dealId }),
    getQueryKey(messages.conversation, { dealType, dealId }),
    getQueryKey(messages.conversations),
    getQueryKey(messages.unreadCount),
  ];
}

/** News come with changes of deals, and of what is reserved or sold: whatever shows them changes, too. */
const OF_NEWS: readonly QueryKey[] = [
  getQueryKey(notifications.list),
  getQueryKey(notifications.unreadCount),
  getQueryKey(notifications.transactionLogs),
  getQueryKey(trpc.exchanges),
  getQueryKey(trpc.bids),
  // One by one: a look at a code is a query of coupons, too, and is recorded.
  getQueryKey(trpc.coupons.list),
  getQueryKey(trpc.coupons.byId),
  getQueryKey(trpc.coupons.mine),
  getQueryKey(trpc.coupons.saved),
  getQueryKey(messages.conversation),
  getQueryKey(messages.conversations),
];

const OF_ACCOUNT = getQueryKey(trpc.accounts.me);

const OF_EVERYTHING: readonly QueryKey[] = [
  ...OF_NEWS,
  getQueryKey(messages.list),
  getQueryKey(messages.unreadCount),
  OF_ACCOUNT,
];

/** What an event says to read anew, and nothing else. */
function touchedBy(event: LiveEvent): readonly QueryKey[] {
  switch (event.kind) {
    case 'message':
    case 'read':
      return ofThread(event.dealType, event.dealId);
    case 'notification':
      return OF_NEWS;
    case 'account':
      return [OF_ACCOUNT];
    case 'resync':
      return OF_EVERYTHING;
  }
}

/** Reads anew what is on screen, and the rest when it is next looked at. */
async function readAnew(queryClient: QueryClient, queryKey: QueryKey): Promise<void> {
  // The first answer to these is still under way. It may have been written before the event: it is shown, and asked
  // for again.
  const early = queryClient
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined);
  await queryClient.invalidateQueries({ queryKey });
  await Promise.all(early.map((query) => queryClient.invalidateQueries({ queryKey: query.queryKey })));
}

/** Reads anew what an event is about. */
export function useReadAnew(): (event: LiveEvent) => void {
  const queryClient = useQueryClient();
  return useMemo(
    () => (event: LiveEvent) => {
      for (const queryKey of touchedBy(event)) void readAnew(queryClient, queryKey);
    },
    [queryClient],
  );
}

/** Asks again who is signed in. */
export function useAskWhoIsThere(): () => void {
  const utils = trpc.useUtils();
  return useMemo(() => () => void utils.accounts.me.invalidate(), [utils]);
}

/** Opens the line to the server. */
export function useOpenLine(): OpenLine<LiveEvent> {
  const utils = trpc.useUtils();
  return useMemo(
    () => (handlers) => {
      const { unsubscribe } = utils.client.live.events.subscribe(undefined, {
        onData: (data) => handlers.onEvent(liveEventSchema.parse(data)),
        onConnectionStateChange: ({ state, error }) => {
          if (state === 'pending') handlers.onOpen();
          // The browser would try again by itself, always after the same few seconds.
          if (state === 'connecting' && error) handlers.onLost();
        },
        onError: handlers.onRefused,
        onComplete: handlers.onRefused,
      });
      return unsubscribe;
    },
    [utils],
  );
}
