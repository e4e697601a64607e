import {
  bulkhead,
  CircuitState,
  ConsecutiveBreaker,
  ConstantBackoff,
  circuitBreaker,
  handleWhen,
  isBrokenCircuitError,
  isBulkheadRejectedError,
  retry,
  TaskCancelledError,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel';
import { NotReached } from './adapter.ts';

/** How much of a provider's trouble we put up with. */
interface GuardLimits {
  /** For a question with its retry, whatever they do. */
  readonly timeoutMs: number;
  /** Questions at the same time. */
  readonly concurrency: number;
  /** So many questions without an answer in a row, and none is asked for a while. */
  readonly failuresToOpen: number;
  readonly openMs: number;
}

const RETRY_AFTER_MS = 50;

/**
 * Runs questions to one provider: each within the time limit, which the one retry shares; no more than so many at a
 * time; none while the provider fails again and again, or has asked to be left alone.
 */
type Guard = <Result>(ask: (signal: AbortSignal) => Promise<Result>) => Promise<Result>;

/** @returns a guard of one provider, which throws NotReached and nothing else that is the provider's fault */
export function createGuard({ timeoutMs, concurrency, failuresToOpen, openMs }: GuardLimits): Guard {
  // By class: the package's own isTaskCancelledError looks for another error's mark.
  const isFailure = (error: unknown) => error instanceof NotReached || error instanceof TaskCancelledError;
  const breaker = circuitBreaker(handleWhen(isFailure), {
    breaker: new ConsecutiveBreaker(failuresToOpen),
    halfOpenAfter: openMs,
  });
  const policy = wrap(
    // Without a queue: whoever would have to wait is answered without the provider.
    bulkhead(concurrency, 0),
    breaker,
    // Aggressive: the limit holds even while the retry waits for its turn.
    timeout(timeoutMs, TimeoutStrategy.Aggressive),
    retry(
      handleWhen((error) => error instanceof NotReached && error.isPassing),
      { maxAttempts: 1, backoff: new ConstantBackoff(RETRY_AFTER_MS) },
    ),
  );
  let pausedUntil = 0;

  return async (ask) => {
    if (Date.now() < pausedUntil) throw new NotReached('asked to wait');
    // One question finds out whether it is back; the others would wait for that one, and then for themselves.
    if (breaker.state === CircuitState.HalfOpen) throw new NotReached('failing');
    try {
      // With a signal of its own: the one that all calls share otherwise warns of its many listeners.
      return await policy.execute(({ signal }) => ask(signal), new AbortController().signal);
    } catch (error) {
      if (error instanceof NotReached && error.pauseMs > 0) pausedUntil = Date.now() + error.pauseMs;
      throw toNotReached(error);
    }
  };
}

function toNotReached(error: unknown): unknown {
  if (error instanceof TaskCancelledError) return new NotReached('out of time');
  if (isBrokenCircuitError(error)) return new NotReached('failing');
  if (isBulkheadRejectedError(error)) return new NotReached('too many questions at once');
  return error;
}
