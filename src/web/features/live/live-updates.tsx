import { useEffect } from 'react';
import { type LiveEvent, liveEventSchema } from '#contract/live.ts';
import { useRefresh } from '#web/lib/query-client.ts';
import { keepConnected } from '#web/lib/reconnect.ts';
import { shareConnection } from '#web/lib/share-connection.ts';
import { touchedBy } from '#web/lib/touches.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { useConnect } from './queries.ts';

function parseEvent(passed: unknown): LiveEvent | null {
  const event = liveEventSchema.safeParse(passed);
  return event.success ? event.data : null;
}

/** Keeps what is on screen true while somebody is signed in, without a reload. Shows nothing itself. */
export function LiveUpdates() {
  const userId = useViewer().user?.id;
  const connect = useConnect();
  const refresh = useRefresh();
  useEffect(() => {
    if (userId === undefined) return;
    return shareConnection<LiveEvent>({
      name: `clipswap-live-${userId}`,
      keep: (onEvent) => keepConnected({ connect, onEvent, onRefused: () => void refresh('accounts.me') }),
      onEvent: (event) => void refresh(...touchedBy(event)),
      parse: parseEvent,
    });
  }, [userId, connect, refresh]);
  return null;
}
