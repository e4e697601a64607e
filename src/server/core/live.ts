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

/** Events for the open browsers of one person, from every process. */
export interface LiveEvents {
  /**
   * Yields one person's events until `signal` aborts or the program stops. A `resync` comes first, and again
   * whenever events may have been missed.
   */
  follow(userId: number, signal?: AbortSignal): AsyncGenerator<LiveEvent, void, undefined>;
  /** How many streams are open in this process. */
  count(): number;
  /** Ends every stream, and from then on every new one at once. */
  close(): Promise<void>;
}
