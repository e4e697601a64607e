import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { timeAgo, useNow } from '#web/lib/time-ago.ts';

/** Within a sentence: 'just now', 'yesterday'; times and dates stay. */
function withinSentence(ago: string): string {
  return /^(Just|Yes)/.test(ago) ? ago.toLowerCase() : ago;
}

/** How old the oldest answer on screen is; nothing where there is none. */
export function LastSeen() {
  const cache = useQueryClient().getQueryCache();
  const now = useNow();
  const seenAt = useSyncExternalStore(
    (watcher) => cache.subscribe(watcher),
    () => {
      // Who is signed in is asked for once.
      const shown = cache.findAll({
        type: 'active',
        predicate: ({ queryKey: [path] }) => String(path) !== 'accounts,me',
      });
      return Math.min(...shown.map(({ state }) => state.dataUpdatedAt).filter((at) => at > 0));
    },
  );
  if (!Number.isFinite(seenAt)) return null;
  const seen = withinSentence(timeAgo(new Date(seenAt).toISOString(), now));
  return <Trans>Seen {seen}.</Trans>;
}
