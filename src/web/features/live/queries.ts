import { useMemo } from 'react';
import { type LiveEvent, liveEventSchema } from '#contract/live.ts';
import type { Connect } from '#web/lib/reconnect.ts';
import { trpc } from '#web/lib/trpc.ts';

/** Opens the stream of live events. */
export function useConnect(): Connect<LiveEvent> {
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
