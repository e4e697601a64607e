import { type LiveEvent, liveEventSchema } from '#contract/base/live.ts';
import { pollOnDemand } from '#web/lib/polling.ts';
import { type Connect, keepConnected } from '#web/lib/reconnect.ts';
import { shareConnection } from '#web/lib/share-connection.ts';
import { API_URL } from '#web/lib/trpc.ts';

/** The line is lost after a longer silence; the server says how long, in ms. */
interface LineOptions {
  readonly reconnectAfterInactivityMs?: number;
}

/** Opens the stream of live events: server-sent events as tRPC names them, with the cookie of the session. */
export const connect: Connect<LiveEvent> = ({ onOpen, onEvent, onLost, onRefused }) => {
  const stream = new EventSource(`${API_URL}/live.events`);
  let longestSilence: number | undefined;
  let timer: number | undefined;
  const heard = () => {
    window.clearTimeout(timer);
    if (longestSilence) timer = window.setTimeout(onLost, longestSilence);
  };
  stream.addEventListener('connected', ({ data }) => {
    const options: LineOptions = JSON.parse(data);
    longestSilence = options.reconnectAfterInactivityMs;
    heard();
    onOpen();
  });
  stream.addEventListener('ping', heard);
  stream.addEventListener('message', ({ data }) => {
    heard();
    const event = parseEvent(JSON.parse(data));
    if (event) onEvent(event);
  });
  stream.addEventListener('serialized-error', onRefused);
  stream.addEventListener('return', onRefused);
  // A browser would retry by itself, but always after the same few seconds.
  stream.addEventListener('error', () => (stream.readyState === EventSource.CLOSED ? onRefused : onLost)());
  return () => {
    window.clearTimeout(timer);
    stream.close();
  };
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
