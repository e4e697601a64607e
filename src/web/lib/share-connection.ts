interface ShareOptions<Event> {
  /** Tabs that use the same name share a connection. */
  readonly name: string;
  /** Keeps the connection open, in the tab that has it. @returns closes it */
  readonly keep: (onEvent: (event: Event) => void) => () => void;
  readonly onEvent: (event: Event) => void;
  /** Reads what another tab has passed on; null for what is not an event. */
  readonly parse: (passed: unknown) => Event | null;
}

/**
 * One connection for all tabs of a browser, which opens no more than six to a server of HTTP/1.1: the tab that holds
 * the lock has it and passes on what it hears; when it is closed the next one takes over. Where the browser has no
 * locks each tab has a connection of its own. @returns leaves
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
    // Left while another tab had the connection.
  });

  return () => {
    leaving.abort();
    channel.close();
  };
}
