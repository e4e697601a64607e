import { t } from '@lingui/core/macro';
import { marketName } from '#contract/base/market.ts';
import { AppError } from '#server/core/errors.ts';
import { LIVE_LINES, type LiveLine, type LiveListener, type LiveSignal } from '#server/core/live.ts';
import { createShares } from '#server/core/shares.ts';

type LiveEvent = LiveSignal['event'];

/** How many events are queued for a slow listener. One more replaces them all with one event. */
const QUEUE_MAX = 100;

const OVER = { value: undefined, done: true } as const;

/** The lines share it. */
interface LineOwner {
  leave(line: Line): void;
  everything(): LiveEvent;
}

/** A class, because ten thousand open lines share its methods. Closures and async generators take more memory each. */
class Line implements LiveLine {
  readonly userId: number;
  readonly ip: string;
  readonly #owner: LineOwner;
  readonly #queue: LiveEvent[] = [];
  #waiting: ((result: IteratorResult<LiveEvent, undefined>) => void) | undefined;
  #state: 'opening' | 'open' | 'over' = 'opening';

  constructor(userId: number, ip: string, owner: LineOwner) {
    this.userId = userId;
    this.ip = ip;
    this.#owner = owner;
  }

  /** @param first the event that comes before all others */
  start(first: LiveEvent): void {
    if (this.#state !== 'opening') return;
    this.#state = 'open';
    this.#queue.unshift(first);
    this.#serve();
  }

  push(event: LiveEvent): void {
    const queue = this.#queue;
    const isForAll = event.kind === 'polling' || event.kind === 'resync';
    // The first event says as much.
    if (this.#state === 'over' || (this.#state === 'opening' && isForAll)) return;
    if (isForAll) queue.splice(0, queue.length, event);
    else if (queue.length >= QUEUE_MAX) queue.splice(0, queue.length, this.#owner.everything());
    else queue.push(event);
    this.#serve();
  }

  #serve(): void {
    if (!this.#waiting || this.#state !== 'open') return;
    const value = this.#queue.shift();
    if (!value) return;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting({ value, done: false });
  }

  end(): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#queue.length = 0;
    this.#waiting?.(OVER);
    this.#owner.leave(this);
  }

  next(): Promise<IteratorResult<LiveEvent, undefined>> {
    if (this.#state === 'over') return Promise.resolve(OVER);
    return new Promise((resolve) => {
      this.#waiting = resolve;
      this.#serve();
    });
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.end();
    return OVER;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** The open lines of this process. */
export interface LiveLines {
  /** @throws AppError rate_limited when the person or the address has too many lines open, unavailable when all have */
  open(listener: LiveListener): Line;
  has(userId: number): boolean;
  tell(signal: LiveSignal): void;
  tellAll(event: LiveEvent): void;
  endAll(): void;
  count(): number;
}

/** @param everything the event that makes a browser look at everything again */
export function createLiveLines(everything: () => LiveEvent): LiveLines {
  const ofPeople = new Map<number, Set<Line>>();
  const shares = createShares(LIVE_LINES.ofProcess, LIVE_LINES.ofAddress);
  let open = 0;

  function leave(line: Line): void {
    open -= 1;
    const mine = ofPeople.get(line.userId);
    mine?.delete(line);
    if (mine?.size === 0) ofPeople.delete(line.userId);
    shares.leave(line.ip);
  }

  const owner = { leave, everything };
  const all = () => [...ofPeople.values()].flatMap((mine) => [...mine]);

  return {
    open({ userId, ip }) {
      if (open >= LIVE_LINES.ofProcess) throw tooManyPeople();
      const mine = ofPeople.get(userId) ?? new Set();
      if (mine.size >= LIVE_LINES.ofPerson || !shares.take(ip)) throw tooManyLines();
      const line = new Line(userId, ip, owner);
      open += 1;
      ofPeople.set(userId, mine.add(line));
      return line;
    },
    has: (userId) => ofPeople.has(userId),
    tell({ userId, event }) {
      for (const line of ofPeople.get(userId) ?? []) line.push(event);
    },
    tellAll(event) {
      for (const line of all()) line.push(event);
    },
    endAll() {
      for (const line of all()) line.end();
    },
    count: () => open,
  };
}

/** After this and the next, the browser tries again by itself, later and later. */
function tooManyPeople(): AppError {
  const text = t`${{ market: marketName() }} is open in too many windows, so updates are slow here.`;
  return new AppError('unavailable', text, { retryAfter: 30 });
}

function tooManyLines(): AppError {
  const text = t`${{ market: marketName() }} is open in too many windows. Close some of them for faster updates here.`;
  return new AppError('rate_limited', text, { retryAfter: 30 });
}
