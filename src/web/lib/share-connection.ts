interface ShareOptions<Event> {
  /** Tabs that use the same name share a connection. */
  readonly name: string;
  /** Opens the connection, in one of the tabs. @returns a function that closes it */
  readonly keep: (onEvent: (event: Event) => void) => () => void;
  readonly onEvent: (event: Event) => void;
  /** Parses a message of another tab; null where it is not an event. */
  readonly parse: (passed: unknown) => Event | null;
}

/**
 * Shares one connection between all tabs of a browser, which opens at most six to an HTTP/1.1 server. The tab that holds
 * the lock has the connection and broadcasts its events; when that tab closes, another one takes over. Without browser
 * locks each tab has its own connection. @returns a function that ends the sharing
 */
export function shareConnection<Event>({ name, keep, onEvent, parse }: ShareOptions<Event>): () => void {
  const locks: LockManager | undefined = navigator.locks;
  if (!locks || typeof BroadcastChannel === 'undefined') return keep(onEvent);

  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent) => {
    const event = parse(data);
    if (event !== null) onEvent(event);
  };

  const leaving = new AbortController();
  const lead = () =>
    new Promise<void>((resolve) => {
      const close = keep((event) => {
        channel.postMessage(event);
        onEvent(event);
      });
      const leave = () => {
        close();
        resolve();
      };
      if (leaving.signal.aborted) leave();
      else leaving.signal.addEventListener('abort', leave, { once: true });
    });
  locks.request(name, { signal: leaving.signal }, lead).catch(() => {
    // Aborted while another tab had the connection.
  });

  return () => {
    leaving.abort();
    channel.close();
  };
}
