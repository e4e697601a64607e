import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepLine, type LineHandlers, waitAfter } from './live-line.ts';

/** Lines in the hands of the test, in the order in which they were opened. */
let lines: { handlers: LineHandlers<string>; isClosed: boolean }[];
let told: string[];
let refusals: number;
let hangUp: () => void;

const last = () => {
  const line = lines.at(-1);
  if (!line) throw new Error('no line was opened');
  return line;
};

function keep(): void {
  hangUp = keepLine<string>({
    open: (handlers) => {
      const line = { handlers, isClosed: false };
      lines.push(line);
      return () => {
        line.isClosed = true;
      };
    },
    onEvent: (event) => told.push(event),
    onRefused: () => {
      refusals += 1;
    },
    random: () => 1,
  });
}

function network(isOnline: boolean): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
}

beforeEach(() => {
  vi.useFakeTimers();
  [lines, told, refusals, hangUp] = [[], [], 0, () => {}];
});
afterEach(() => {
  hangUp();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('a wait', () => {
  it('doubles with each failure, up to half a minute, and is cut by up to half', () => {
    expect([1, 2, 3, 4, 5, 6, 20].map((failures) => waitAfter(failures, 1))).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
    ]);
    expect(waitAfter(3, 0)).toBe(2_000);
  });
});

describe('a line', () => {
  it('passes on what it hears until it is hung up', () => {
    keep();
    last().handlers.onEvent('one');
    hangUp();
    expect(last().isClosed).toBe(true);
    last().handlers.onEvent('two');
    expect(told).toEqual(['one']);
  });

  it('that is lost is closed, and opened again after waits that grow', () => {
    keep();
    last().handlers.onLost();
    expect(last().isClosed).toBe(true);
    vi.advanceTimersByTime(999);
    expect(lines).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(lines).toHaveLength(2);
    last().handlers.onLost();
    vi.advanceTimersByTime(1_999);
    expect(lines).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(lines).toHaveLength(3);
    expect(refusals).toBe(0);
  });

  it('that stood for a while comes back after a short wait again', () => {
    keep();
    for (let failure = 0; failure < 4; failure += 1) {
      last().handlers.onLost();
      vi.advanceTimersByTime(30_000);
    }
    const opened = lines.length;
    last().handlers.onOpen();
    vi.advanceTimersByTime(20_000);
    last().handlers.onLost();
    vi.advanceTimersByTime(1_000);
    expect(lines).toHaveLength(opened + 1);
  });

  it('that is refused asks who is there, once, and is tried again', () => {
    keep();
    const { handlers } = last();
    handlers.onRefused();
    handlers.onRefused();
    handlers.onLost();
    expect(refusals).toBe(1);
    vi.advanceTimersByTime(1_000);
    expect(lines).toHaveLength(2);
  });

  it('is hung up without a network, waits for one, and comes back with it at once', () => {
    keep();
    network(false);
    expect(last().isClosed).toBe(true);
    vi.advanceTimersByTime(600_000);
    expect(lines).toHaveLength(1);
    network(true);
    expect(lines).toHaveLength(2);
  });

  it('that is waiting comes back at once when somebody looks at the page again', () => {
    keep();
    document.dispatchEvent(new Event('visibilitychange'));
    expect(lines).toHaveLength(1);
    last().handlers.onLost();
    document.dispatchEvent(new Event('visibilitychange'));
    expect(lines).toHaveLength(2);
    vi.advanceTimersByTime(5_000);
    expect(lines).toHaveLength(2);
  });

  it('that was hung up for good does not come back', () => {
    keep();
    last().handlers.onLost();
    hangUp();
    vi.advanceTimersByTime(600_000);
    network(true);
    expect(lines).toHaveLength(1);
  });
});
