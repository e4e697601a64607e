import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ConnectionHandlers, keepConnected, waitAfter } from './reconnect.ts';

/** The connections of the test, in the order in which they were opened. */
let connections: { handlers: ConnectionHandlers<string>; isClosed: boolean }[];
let told: string[];
let refusals: number;
let close: () => void;

const last = () => {
  const connection = connections.at(-1);
  if (!connection) throw new Error('no connection was opened');
  return connection;
};

function keep(): void {
  close = keepConnected<string>({
    connect: (handlers) => {
      const connection = { handlers, isClosed: false };
      connections.push(connection);
      return () => {
        connection.isClosed = true;
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
  [connections, told, refusals, close] = [[], [], 0, () => {}];
});
afterEach(() => {
  close();
});

describe('a wait', () => {
  it('doubles with each failure up to 30 seconds, with a jitter of up to half', () => {
    expect([1, 2, 3, 4, 5, 6, 20].map((failures) => waitAfter(failures, 1))).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
    ]);
    expect(waitAfter(3, 0)).toBe(2_000);
  });
});

describe('a connection', () => {
  it('passes on events until it is closed', () => {
    keep();
    last().handlers.onEvent('one');
    close();
    expect(last().isClosed).toBe(true);
    last().handlers.onEvent('two');
    expect(told).toEqual(['one']);
  });

  it('is closed when lost, and opened again after growing waits', () => {
    keep();
    last().handlers.onLost();
    expect(last().isClosed).toBe(true);
    vi.advanceTimersByTime(999);
    expect(connections).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(connections).toHaveLength(2);
    last().handlers.onLost();
    vi.advanceTimersByTime(1_999);
    expect(connections).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(connections).toHaveLength(3);
    expect(refusals).toBe(0);
  });

  it('starts over with a short wait after it has lasted for a while', () => {
    keep();
    for (let failure = 0; failure < 4; failure += 1) {
      last().handlers.onLost();
      vi.advanceTimersByTime(30_000);
    }
    const opened = connections.length;
    last().handlers.onOpen();
    vi.advanceTimersByTime(20_000);
    last().handlers.onLost();
    vi.advanceTimersByTime(1_000);
    expect(connections).toHaveLength(opened + 1);
  });

  it('reports a refusal once, and tries again', () => {
    keep();
    const { handlers } = last();
    handlers.onRefused();
    handlers.onRefused();
    handlers.onLost();
    expect(refusals).toBe(1);
    vi.advanceTimersByTime(1_000);
    expect(connections).toHaveLength(2);
  });

  it('tries seldom while it is refused again and again, as with too many windows', () => {
    keep();
    for (let second = 0; second < 600; second += 1) {
      last().handlers.onRefused();
      vi.advanceTimersByTime(1_000);
    }
    expect(connections.length).toBeLessThan(26);
    expect(refusals).toBe(connections.length);
  });

  it('closes while offline and opens at once when the network is back', () => {
    keep();
    network(false);
    expect(last().isClosed).toBe(true);
    vi.advanceTimersByTime(600_000);
    expect(connections).toHaveLength(1);
    network(true);
    expect(connections).toHaveLength(2);
  });

  it('opens at once when the page becomes visible', () => {
    keep();
    document.dispatchEvent(new Event('visibilitychange'));
    expect(connections).toHaveLength(1);
    last().handlers.onLost();
    document.dispatchEvent(new Event('visibilitychange'));
    expect(connections).toHaveLength(2);
    vi.advanceTimersByTime(5_000);
    expect(connections).toHaveLength(2);
  });

  it('does not open again once it is closed for good', () => {
    keep();
    last().handlers.onLost();
    close();
    vi.advanceTimersByTime(600_000);
    network(true);
    expect(connections).toHaveLength(1);
  });
});
