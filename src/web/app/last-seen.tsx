import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { type AgoTexts, timeAgo, useNow } from '#web/lib/time-ago.ts';

const SEEN: AgoTexts = {
  now: () => t`Seen just now.`,
  yesterday: () => t`Seen yesterday.`,
  ago: (ago) => t`Seen ${ago}.`,
  on: (date) => t`Seen ${date}.`,
};

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
  return timeAgo(new Date(seenAt).toISOString(), now, SEEN);
}
