/** What a connection tells, and how it ends. */
export interface ConnectionHandlers<Event> {
  readonly onOpen: () => void;
  readonly onEvent: (event: Event) => void;
  /** The network or the server has gone away. */
  readonly onLost: () => void;
  /** The server has refused the connection, or has ended it on purpose. */
  readonly onRefused: () => void;
}

/** Opens a connection. @returns closes it; no handler is called afterwards */
export type Connect<Event> = (handlers: ConnectionHandlers<Event>) => () => void;

interface KeepConnectedOptions<Event> {
  readonly connect: Connect<Event>;
  readonly onEvent: (event: Event) => void;
  /** Called before the next attempt: perhaps nobody is signed in any more. */
  readonly onRefused: () => void;
  /** Between 0 and 1, so that not every browser comes back in the same moment. */
  readonly random?: () => number;
}

/** The first wait and the longest one; each failure doubles it. */
const WAIT_MS = { first: 1_000, most: 30_000 } as const;
/** After a connection that lasted this long the next wait is a short one again. */
const GOOD_MS = 10_000;

/** How long to wait after so many failures in a row: between half of the full wait and all of it. */
export function waitAfter(failures: number, random: number): number {
  const full = Math.min(WAIT_MS.most, WAIT_MS.first * 2 ** Math.max(0, failures - 1));
  return Math.round(full / 2 + (full / 2) * random);
}

/**
 * Keeps a connection open. When it breaks it is opened again after a wait that grows; at once when the network comes
 * back or the page becomes visible again. Without a network it waits for one. @returns closes it for good
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
    // It may have been lost while it was opened.
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
