import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { PageRef } from '#contract/base/primitives.ts';
import type { DealRef } from '#contract/deals/deals.ts';
import type { Conversation, Message } from '#contract/deals/messages.ts';
import { joinPages, usePageInputs } from '#web/lib/growing-list.ts';
import { useRefresh } from '#web/lib/query-client.ts';
import { threadOf } from '#web/lib/touches.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { mergeNewest, type ThreadData, withAllRead, withOlder, withSent } from './thread-data.ts';

/** Conversations read at a time. */
const LIST_SIZE = 20;
/** Messages read at a time. */
const THREAD_SIZE = 50;

/** The viewer's conversations, one more page with each `showMore`. */
export function useConversations(search: string) {
  const { inputs, showMore } = usePageInputs(search, LIST_SIZE);
  const queries = trpc.useQueries((t) => inputs.map((input) => t.messages.conversations(input)));
  const list = joinPages(queries, LIST_SIZE);
  // A conversation may move to another page between two answers: show it once.
  const items = [...new Map(list.items.map((item) => [keyOf(item), item])).values()];
  return { ...list, items, showMore };
}

/** A key of a thread. */
export function keyOf({ dealType, dealId }: DealRef): string {
  return `${dealType}-${dealId}`;
}

/** One conversation, whether the list has loaded it or not. */
export function useConversation({ dealType, dealId }: DealRef, known?: Conversation) {
  return trpc.messages.conversation.useQuery(
    { dealType, dealId },
    { placeholderData: known, refetchOnMount: 'always' },
  );
}

/** Reads a thread, and its place in the cache. */
function useThreadCache({ dealType, dealId }: DealRef) {
  const queryClient = useQueryClient();
  const { client } = trpc.useUtils();
  return useMemo(() => {
    const deal = { dealType, dealId };
    const queryKey = getQueryKey(trpc.messages.list, deal);
    return {
      queryKey,
      read: (page: PageRef) => client.messages.list.query({ ...deal, limit: THREAD_SIZE, page }),
      change: (step: (known: ThreadData) => ThreadData) =>
        queryClient.setQueryData<ThreadData>(queryKey, (known) => known && step(known)),
      known: () => queryClient.getQueryData<ThreadData>(queryKey),
    };
  }, [queryClient, client, dealType, dealId]);
}

/** The messages of a thread, oldest first: the newest at first, older ones with each `showOlder`. */
export function useThread(deal: DealRef) {
  const { queryKey, read, change, known } = useThreadCache(deal);
  const [older, setOlder] = useState<'idle' | 'loading' | 'failed'>('idle');
  const query = useQuery({
    queryKey,
    // Read the cache only after the answer: more messages may have arrived meanwhile.
    queryFn: async () => {
      const page = await read(1);
      return mergeNewest(known(), page);
    },
    refetchOnMount: 'always',
  });
  const showOlder = async () => {
    const cursor = known()?.olderCursor;
    if (!cursor || older === 'loading') return;
    setOlder('loading');
    try {
      const page = await read(cursor);
      change((now) => withOlder(now, page));
      setOlder('idle');
    } catch {
      setOlder('failed');
    }
  };
  return { ...query, older, showOlder };
}

/** Refetches a thread and the conversations. */
export function useRefreshThread(deal: DealRef) {
  const refresh = useRefresh();
  return () => refresh(...threadOf(deal));
}

/** Sends a message and adds it to the cached thread. The server stores one message per `clientKey`. */
export function useSendMessage({ dealType, dealId }: DealRef) {
  const { change } = useThreadCache({ dealType, dealId });
  const refresh = useRefreshThread({ dealType, dealId });
  const { mutateAsync } = trpc.messages.send.useMutation({
    onSuccess: (message: Message) => {
      change((known) => withSent(known, message));
    },
    // The deal may have ended meanwhile.
    onError: () => void refresh(),
  });
  return (message: { content: string; clientKey: string }) => mutateAsync({ dealType, dealId, ...message });
}

/** Marks the messages of others in a thread as read, on screen before the server answers. */
export function useMarkThreadRead({ dealType, dealId }: DealRef): () => void {
  const viewerId = useMember().id;
  const { change } = useThreadCache({ dealType, dealId });
  const { mutate } = trpc.messages.markRead.useMutation({
    onSuccess: () => {
      change((known) => withAllRead(known, viewerId));
    },
  });
  return useCallback(() => mutate({ dealType, dealId }), [mutate, dealType, dealId]);
}
