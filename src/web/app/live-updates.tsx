import { useEffect, useMemo } from 'react';
import { type LiveEvent, liveEventSchema } from '#contract/live.ts';
import { pollOnDemand } from '#web/lib/polling.ts';
import { useRefresh } from '#web/lib/query-client.ts';
import { type Connect, keepConnected } from '#web/lib/reconnect.ts';
import { shareConnection } from '#web/lib/share-connection.ts';
import { touchedBy } from '#web/lib/touches.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useViewer } from '#web/lib/viewer.tsx';

/** Opens the stream of live events. */
function useConnect(): Connect<LiveEvent> {
  const utils = trpc.useUtils();
  return useMemo(
    () => (handlers) => {
      const { unsubscribe } = utils.client.live.events.subscribe(undefined, {
        onData: (data) => handlers.onEvent(liveEventSchema.parse(data)),
        onConnectionStateChange: ({ state, error }) => {
          if (state === 'pending') handlers.onOpen();
          // The browser would retry by itself, but always after the same few seconds.
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

function parseEvent(passed: unknown): LiveEvent | null {
  const event = liveEventSchema.safeParse(passed);
  return event.success ? event.data : null;
}

/** Refreshes the screen on live events while somebody is signed in. Renders nothing. */
export function LiveUpdates() {
  const userId = useViewer().user?.id;
  const connect = useConnect();
  const refresh = useRefresh();
  useEffect(() => {
    if (userId === undefined) return;
    return shareConnection<LiveEvent>({
      name: `clipswap-live-${userId}`,
      keep: (pass) => {
        const { onEvent, stop } = pollOnDemand(pass);
        const close = keepConnected({ connect, onEvent, onRefused: () => void refresh('accounts.me') });
        return () => {
          close();
          stop();
        };
      },
      onEvent: (event) => void refresh(...touchedBy(event)),
      parse: parseEvent,
    });
  }, [userId, connect, refresh]);
  return null;
}
