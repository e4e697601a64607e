import { type LiveEvent, liveEventSchema } from '#contract/live.ts';

/** A signal on its way to everything that one person has open. */
export interface LiveSignal {
  readonly userId: number;
  readonly event: LiveEvent;
}

/** A signal as it travels between processes. */
export function writeSignal(signal: LiveSignal): string {
  return JSON.stringify(signal);
}

/** What `writeSignal` wrote. @throws ZodError when it did not */
export function readSignal(text: string): LiveSignal {
  const { userId, event } = JSON.parse(text);
  return { userId: Number(userId), event: liveEventSchema.parse(event) };
}

/** The line over which open browsers hear at once of what concerns them, on whichever process it happened. */
export interface LiveEvents {
  /**
   * What one person is told from now on, until `signal` aborts or the program stops. It begins with a resync, and a
   * resync comes whenever something may have been missed.
   */
  follow(userId: number, signal?: AbortSignal): AsyncGenerator<LiveEvent, void, undefined>;
  /** Ends every line; new ones end at once. */
  close(): Promise<void>;
}
