import { trpc } from '#web/lib/trpc.ts';

/** The number of unread messages; undefined while it loads, and for visitors. */
export function useUnreadMessages(isMember: boolean): number | undefined {
  const { data } = trpc.messages.unreadCount.useQuery(undefined, { enabled: isMember });
  return isMember ? data?.unread : undefined;
}
