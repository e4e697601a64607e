import { trpc } from '#web/lib/trpc.ts';

/** The number of unread notifications. */
export function useUnreadCount() {
  return trpc.notifications.unreadCount.useQuery();
}
