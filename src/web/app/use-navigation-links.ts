import { useMemo } from 'react';
import { useDealCount } from '#web/deals/list/count-queries.ts';
import { useMatchCount } from '#web/deals/matches/count-queries.ts';
import { useUnreadMessages } from '#web/deals/messages/unread-queries.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { type NavigationLink, navigationFor, withCounts } from './navigation.ts';

/** The header's links for the viewer, with what waits on each page. */
export function useNavigationLinks(): readonly NavigationLink[] {
  const { user, isLoading } = useViewer();
  const isMember = user !== null;
  const unread = useUnreadMessages(isMember) ?? 0;
  const matches = useMatchCount(isMember) ?? 0;
  const deals = useDealCount(isMember) ?? 0;
  return useMemo(
    () => withCounts(navigationFor({ user, isLoading }), { unread, matches, deals }),
    [user, isLoading, unread, matches, deals],
  );
}
