/** A line that somebody else opens: what it tells, and how it ends. */
export interface LineHandlers<Event> {
  /** It stands. */
  readonly onOpen: () => void;
  readonly onEvent: (event: Event) => void;
  /** The network or the server has gone away. */
  readonly onLost: () => void;
  /** The server has answered that there is no line, or has ended it on purpose. */
  readonly onRefused: () => void;
}

/** Opens a line. @returns hangs up; nothing is told afterwards */
export type OpenLine<Event> = (handlers: LineHandlers<Event>) => () => void;

interface KeepLineOptions<Event> {
  readonly open: OpenLine<Event>;
  readonly onEvent: (event: Event) => void;
  /** Told before it is tried again: perhaps nobody is signed in any more. */
  readonly onRefused: () => void;
  /** Between 0 and 1, so that not every browser comes back in the same moment. */
  readonly random?: () => number;
}

/** The first wait and the longest one; each failure doubles it. */
const WAIT_MS = { first: 1_000, most: 30_000 } as const;
/** A line that stood this long has been a good one: the next wait is a short one again. */
const GOOD_MS = 10_000;

/** How long to wait after so many failures in a row: between half of the full wait and all of it. */
export function waitAfter(failures: number, random: number): number {
  const full = Math.min(WAIT_MS.most, WAIT_MS.first * 2 ** Math.max(0, failures - 1));
  return Math.round(full / 2 + (full / 2) * random);
}

/**
 * Keeps a line open. When it breaks it is opened again after a wait that grows; at once when the network comes back
 * or somebody looks at the page again. Without a network it waits for one. @returns hangs up for good
 */
export function keepLine<Event>(options: KeepLineOptions<Event>): () => void {
  const { open, onEvent, onRefused, random = Math.random } = options;
  const over = new AbortController();
  const { signal } = over;
  let hangUp: (() => void) | null = null;
  let timer: number | undefined;
  let failures = 0;
  let openedAt: number | null = null;

  const stop = () => {
    window.clearTimeout(timer);
    timer = undefined;
    hangUp?.();
    hangUp = null;
  };

  const tryAgainLater = () => {
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
    const close = open({
      onOpen: () => {
        if (isCurrent) openedAt = Date.now();
      },
      onEvent: (event) => {
        if (isCurrent) onEvent(event);
      },
      onLost: once(tryAgainLater),
      onRefused: once(() => {
        tryAgainLater();
        onRefused();
      }),
    });
    const end = () => {
      isCurrent = false;
      close();
    };
    // It may have been lost in the very moment.
    if (isCurrent) hangUp = end;
    else close();
  };

  const startIfWaiting = () => {
    if (!hangUp) start();
  };
  window.addEventListener('online', start, { signal });
  window.addEventListener('offline', stop, { signal });
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'visible') startIfWaiting();
    },
    { signal },
  );
  start();

  return () => {
    over.abort();
    stop();
  };
}
