import { beforeEach, expect, it, vi } from 'vitest';
import { connect } from './live-connection.ts';

/** The browser's EventSource, driven by the test. */
class Stream extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 0;
  close = vi.fn();
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    stream = this;
  }
  say(event: string, data: unknown) {
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }));
  }
}

let stream: Stream;
const handlers = { onOpen: vi.fn(), onEvent: vi.fn(), onLost: vi.fn(), onRefused: vi.fn() };
const called = () => Object.entries(handlers).flatMap(([name, { mock }]) => mock.calls.map(() => name));
let close: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  vi.stubGlobal('EventSource', Stream);
  close = connect(handlers);
  expect(stream.url).toBe('/api/trpc/live.events');
});

it('passes on events, and leaves out what it does not know', () => {
  stream.say('connected', {});
  stream.say('message', { kind: 'notification' });
  stream.say('message', { kind: 'of a later release' });
  expect(called()).toEqual(['onOpen', 'onEvent']);
  expect(handlers.onEvent).toHaveBeenCalledExactlyOnceWith({ kind: 'notification' });
});

it('is lost after the silence that the server names; a ping or an event starts it over', () => {
  stream.say('connected', { reconnectAfterInactivityMs: 40_000 });
  vi.advanceTimersByTime(39_999);
  stream.say('ping', '');
  vi.advanceTimersByTime(39_999);
  stream.say('message', { kind: 'resync' });
  vi.advanceTimersByTime(39_999);
  expect(handlers.onLost).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(handlers.onLost).toHaveBeenCalledOnce();
});

it.each([
  ['serialized-error', 0, 'onRefused'],
  ['return', 0, 'onRefused'],
  ['error', 0, 'onLost'],
  ['error', Stream.CLOSED, 'onRefused'],
] as const)('calls for %s in state %i: %s', (event, readyState, handler) => {
  stream.readyState = readyState;
  stream.say(event, {});
  expect(called()).toEqual([handler]);
});

it('waits for nothing once it is closed', () => {
  stream.say('connected', { reconnectAfterInactivityMs: 40_000 });
  close();
  vi.advanceTimersByTime(60_000);
  expect(stream.close).toHaveBeenCalledOnce();
  expect(called()).toEqual(['onOpen']);
});
