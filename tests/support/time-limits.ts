import { ClientRequest } from 'node:http';
import { onTestFinished, vi } from 'vitest';

/**
 * Holds the time limits of requests until the test ends: those of `AbortSignal.timeout` and of Node's HTTP client. No
 * time passes for them; they are up when the test says so.
 */
export function holdTimeLimits() {
  const given: number[] = [];
  let running: (() => void)[] = [];
  const hold = (ms: number, end: () => void) => {
    given.push(ms);
    running.push(end);
  };
  const spies = [
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const limit = new AbortController();
      hold(ms, () => limit.abort(new DOMException('The operation timed out', 'TimeoutError')));
      return limit.signal;
    }),
    vi.spyOn(ClientRequest.prototype, 'setTimeout').mockImplementation(function (
      this: ClientRequest,
      ms: number,
      onTimeout?: () => void,
    ) {
      if (onTimeout) hold(ms, onTimeout);
      return this;
    }),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return {
    /** The limits so far, in milliseconds. */
    given,
    /** Lets the time of all requests be up; for those that were answered, nothing happens. */
    end() {
      const ended = running;
      running = [];
      for (const end of ended) end();
    },
  };
}
