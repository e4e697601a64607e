/** The events of a connection. */
export interface ConnectionHandlers<Event> {
  readonly onOpen: () => void;
  readonly onEvent: (event: Event) => void;
  /** The network or the server is gone. */
  readonly onLost: () => void;
  /** The server refused the connection or closed it on purpose. */
  readonly onRefused: () => void;
}

/** Opens a connection. @returns a function that closes it; no handler is called afterwards */
export type Connect<Event> = (handlers: ConnectionHandlers<Event>) => () => void;

interface KeepConnectedOptions<Event> {
  readonly connect: Connect<Event>;
  readonly onEvent: (event: Event) => void;
  /** Called when the server refuses: the session may have ended. */
  readonly onRefused: () => void;
  /** Returns 0 to 1: jitter, so that browsers do not all reconnect at once. */
  readonly random?: () => number;
}

/** The first and the longest wait; each failure doubles it. */
const WAIT_MS = { first: 1_000, most: 30_000 } as const;
/** After a connection of this length the wait starts over. */
const GOOD_MS = 10_000;

/** Milliseconds to wait after `failures` in a row: a random part, at least half, of the full wait. */
export function waitAfter(failures: number, random: number): number {
  const full = Math.min(WAIT_MS.most, WAIT_MS.first * 2 ** Math.max(0, failures - 1));
  return Math.round(full / 2 + (full / 2) * random);
}

/**
 * Keeps a connection open. When it breaks it reconnects with a growing wait, and at once when the network is back or the
 * page becomes visible. @returns a function that closes it for good
 */
export function keepConnected<Event>(options: KeepConnectedOptions<Event>): () => void {
  const { connect, onEvent, onRefused, random = Math.random } = options;
  const over = new AbortController();
  const { signal } = over;
  let disconnect: (() => void) | null = null;
  let timer: number | undefined;
  let failures = 0;
  let openedAt: number | null = null;

  const stop = () => {
    window.clearTimeout(timer);
    timer = undefined;
    disconnect?.();
    disconnect = null;
  };

  const retryLater = () => {
    stop();
    if (openedAt !== null && Date.now() - openedAt > GOOD_MS) failures = 0;
    openedAt = null;
    failures += 1;
    timer = window.setTimeout(start, waitAfter(failures, random()));
  };

  const start = () => {
    stop();
    if (signal.aborted || !navigator.onLine) return;
    let isCurrent = true;
    const once = (act: () => void) => () => {
      if (!isCurrent) return;
      isCurrent = false;
      act();
    };
    const close = connect({
      onOpen: () => {
        if (isCurrent) openedAt = Date.now();
      },
      onEvent: (event) => {
        if (isCurrent) onEvent(event);
      },
      onLost: once(retryLater),
      onRefused: once(() => {
        retryLater();
        onRefused();
      }),
    });
    const end = () => {
      isCurrent = false;
      close();
    };
    // It may already be lost.
    if (isCurrent) disconnect = end;
    else close();
  };

  window.addEventListener('online', start, { signal });
  window.addEventListener('offline', stop, { signal });
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'visible' && !disconnect) start();
    },
    { signal },
  );
  start();

  return () => {
    over.abort();
    stop();
  };
}
