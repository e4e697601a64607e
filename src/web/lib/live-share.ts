interface ShareOptions<Event> {
  /** Says whose line it is: tabs that use the same name share one. */
  readonly name: string;
  /** Keeps the line open, in the tab that has it. @returns hangs up */
  readonly keep: (onEvent: (event: Event) => void) => () => void;
  readonly onEvent: (event: Event) => void;
  /** Takes what another tab has passed on; null for what it cannot read. */
  readonly parse: (passed: unknown) => Event | null;
}

/**
 * One line for all tabs of a browser, which opens no more than six connections to a server of HTTP/1.1: the tab that
 * holds the lock has the line and passes on what it hears; when it is closed the next one takes over. Where the
 * browser has no locks each tab has a line of its own. @returns leaves
 */
export function shareLine<Event>({ name, keep, onEvent, parse }: ShareOptions<Event>): () => void {
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
      const hangUp = keep((event) => {
        channel.postMessage(event);
        onEvent(event);
      });
      const leave = () => {
        hangUp();
        resolve();
      };
      if (leaving.signal.aborted) leave();
      else leaving.signal.addEventListener('abort', leave, { once: true });
    });
  locks.request(name, { signal: leaving.signal }, lead).catch(() => {
    // Left while another tab had the line.
  });

  return () => {
    leaving.abort();
    channel.close();
  };
}
