import { type LiveEvent, liveEventSchema } from '#contract/live.ts';

/** An event for all open browsers of one person. */
export interface LiveSignal {
  readonly userId: number;
  readonly event: LiveEvent;
}

/** Writes a signal as text, to send it between processes. */
export function writeSignal(signal: LiveSignal): string {
  return JSON.stringify(signal);
}

/**
 * Reads what `writeSignal` wrote.
 * @throws ZodError for anything else
 */
export function readSignal(text: string): LiveSignal {
  const { userId, event } = JSON.parse(text);
  return { userId: Number(userId), event: liveEventSchema.parse(event) };
}

/** How many live lines one process keeps open: the tabs of a browser share one. */
export const LIVE_LINES = { ofPerson: 10, ofAddress: 200 } as const;

/** Who is at the other end of a line. */
interface LiveListener {
  readonly userId: number;
  readonly ip: string;
}

/** Events for the open browsers of one person, from every process. */
export interface LiveEvents {
  /** Starts to listen, which the first follower does otherwise. Resolves when that has succeeded or failed once. */
  open(): Promise<void>;
  /** Whether events of other processes cannot be heard, so that browsers have to poll. */
  isPolling(): boolean;
  /**
   * Yields one person's events until `signal` aborts or the program stops. A `resync` comes first, and again
   * whenever events may have been missed; `polling` in its place while events cannot be heard.
   * @throws AppError rate_limited when the person or the address has too many lines open
   */
  follow(listener: LiveListener, signal?: AbortSignal): AsyncGenerator<LiveEvent, void, undefined>;
  /** How many streams are open in this process. */
  count(): number;
  /** Ends every stream, and from then on every new one at once. */
  close(): Promise<void>;
}
