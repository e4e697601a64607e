import { z } from 'zod';
import { type LiveEvent, liveEventSchema } from '#contract/base/live.ts';
import { CONNECTIONS_MAX } from './open-files.ts';

/** An event for all open browsers of one person. */
export interface LiveSignal {
  readonly userId: number;
  readonly event: LiveEvent;
}

/** How many people one text names at most: a payload of NOTIFY holds 8,000 bytes. */
const PEOPLE_MAX = 500;

/** Writes signals as texts, to send them between processes: equal events in one text for all their people. */
export function writeSignals(signals: readonly LiveSignal[]): string[] {
  const people = new Map<string, Set<number>>();
  for (const { userId, event } of signals) {
    const text = JSON.stringify(event);
    people.set(text, (people.get(text) ?? new Set()).add(userId));
  }
  return [...people].flatMap(([event, ids]) => {
    const all = [...ids];
    const starts = Array.from({ length: Math.ceil(all.length / PEOPLE_MAX) }, (_, at) => at * PEOPLE_MAX);
    return starts.map((start) => `{"userIds":[${all.slice(start, start + PEOPLE_MAX)}],"event":${event}}`);
  });
}

const textSchema = z.object({ userIds: z.array(z.int()), event: liveEventSchema });

/**
 * Reads what `writeSignals` wrote.
 * @throws ZodError for anything else
 */
export function readSignals(text: string): LiveSignal[] {
  const { userIds, event } = textSchema.parse(JSON.parse(text));
  return userIds.map((userId) => ({ userId, event }));
}

/** Processes send this to each other when they cannot tell which signals were lost. */
export const RESYNC_ALL = 'resync';

/** Hears what is sent by any process, this one included. */
export interface BrokerListener {
  hear(text: string): void;
  /** From now on. What was sent before may be lost. */
  onHeard(): void;
  onLost(): void;
}

/** Carries signals between processes in place of the database, which sends them one commit after the other. */
export interface SignalBroker {
  /** @throws Error when the texts may not have been sent */
  publish(texts: readonly string[]): Promise<void>;
  /** Resolves when what is sent is heard, or cannot be heard yet. */
  open(): Promise<void>;
  isHeard(): boolean;
  listen(listener: BrokerListener): void;
}

/** How a process hears of events; by `polling`, not at once. */
export const LIVE_TRANSPORTS = ['redis', 'database', 'polling'] as const;
type LiveTransport = (typeof LIVE_TRANSPORTS)[number];

/**
 * How many live lines one process keeps open: the tabs of a browser share one. Pages need connections, too. An address has
 * fewer where many have lines.
 */
export const LIVE_LINES = {
  ofPerson: 10,
  ofAddress: 200,
  ofProcess: Math.floor(CONNECTIONS_MAX * 0.75),
} as const;

/** Who is at the other end of a line. */
export interface LiveListener {
  readonly userId: number;
  readonly ip: string;
}

/** The events of one open line. */
export interface LiveLine extends AsyncIterableIterator<LiveEvent, undefined> {
  /** Ends the line at once, also while `next` waits. */
  return(): Promise<IteratorReturnResult<undefined>>;
}

/** Events for the open browsers of one person, from every process. */
export interface LiveEvents {
  /** Starts to listen, which the first follower does otherwise. Resolves when that has succeeded or failed once. */
  open(): Promise<void>;
  /** While events of other processes cannot be heard, browsers have to poll. */
  transport(): LiveTransport;
  /**
   * Opens a line with one person's events, until it is ended or the program stops. A `resync` comes first, and again
   * whenever events may have been missed; `polling` in its place while events cannot be heard.
   * @throws AppError rate_limited when the person or the address has too many lines open, unavailable when the process
   *   has
   */
  follow(listener: LiveListener): LiveLine;
  /** How many streams are open in this process. */
  count(): number;
  /** Ends every stream, and from then on every new one at once. */
  close(): Promise<void>;
}
