import { createTRPCClient, httpSubscriptionLink } from '@trpc/client';
import { type LiveEvent, liveEventSchema } from '#contract/live.ts';
import { pollOnDemand } from '#web/lib/polling.ts';
import { type Connect, keepConnected } from '#web/lib/reconnect.ts';
import { shareConnection } from '#web/lib/share-connection.ts';
import { API_URL, type AppRouter } from '#web/lib/trpc.ts';

/** Opens the stream of live events: server-sent events with the cookie of the session. */
const connect: Connect<LiveEvent> = (handlers) => {
  const client = createTRPCClient<AppRouter>({ links: [httpSubscriptionLink({ url: API_URL })] });
  const { unsubscribe } = client.live.events.subscribe(undefined, {
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
};

function parseEvent(passed: unknown): LiveEvent | null {
  const event = liveEventSchema.safeParse(passed);
  return event.success ? event.data : null;
}

/** Receives a person's live events, over one connection for all tabs. @returns a function that ends it */
export function receiveLive(
  userId: number,
  onEvent: (event: LiveEvent) => void,
  onRefused: () => void,
): () => void {
  return shareConnection<LiveEvent>({
    name: `clipswap-live-${userId}`,
    keep: (pass) => {
      const polled = pollOnDemand(pass);
      const close = keepConnected({ connect, onEvent: polled.onEvent, onRefused });
      return () => {
        close();
        polled.stop();
      };
    },
    onEvent,
    parse: parseEvent,
  });
}
