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

/** Signals to the open browsers of one person, from every process. */
export interface LiveEvents {
  /**
   * One person's events, until `signal` aborts or the program stops. A resync comes first, and again whenever
   * events may have been missed.
   */
  follow(userId: number, signal?: AbortSignal): AsyncGenerator<LiveEvent, void, undefined>;
  /** Ends every stream; new ones end at once. */
  close(): Promise<void>;
}
