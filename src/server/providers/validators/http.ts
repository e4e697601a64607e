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

/** An answer is read no further than this. */
const MAX_ANSWER_BYTES = 65_536;

/** How long a provider is left alone that has had enough, where it does not say, and at most. */
const DEFAULT_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 600_000;

export interface HttpRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface HttpAnswer {
  readonly status: number;
  /** Undefined where the answer is not JSON. */
  readonly json: unknown;
}

/**
 * Asks once. Redirects are not followed: what was meant for one host goes to no other.
 * @throws NotReached: no connection, out of time, too much of an answer, a redirect, 429 or a server's error
 */
export async function askHttp(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
  const { url, method, headers, body } = request;
  let response: Response;
  try {
    response = await fetch(url, { method, headers, body, signal, redirect: 'manual' });
  } catch {
    // The reason is not kept: it may hold the address, and that the code.
    throw signal.aborted ? outOfTime() : new NotReached('no connection', { isPassing: true });
  }
  const { status } = response;
  if (status === 429 || status >= 500 || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    if (status === 429) throw new NotReached('too many requests', { pauseMs: pauseOf(response.headers) });
    throw new NotReached(`status ${status}`, { isPassing: status >= 500 });
  }
  return { status, json: readJson(await readBounded(response, signal)) };
}

function outOfTime(): NotReached {
  return new NotReached('out of time');
}

async function readBounded(response: Response, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.byteLength;
      // Leaving the loop cancels the rest.
      if (length > MAX_ANSWER_BYTES) throw new NotReached('an answer that is too long');
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof NotReached) throw error;
    throw signal.aborted ? outOfTime() : new NotReached('an answer cut short', { isPassing: true });
  }
  return Buffer.concat(chunks).toString();
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `Retry-After` in seconds or as a date, else Voucherify's own header, in seconds. */
function pauseOf(headers: Headers): number {
  const text = headers.get('retry-after') ?? headers.get('x-rate-limit-retry') ?? '';
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  if (!Number.isFinite(seconds)) return DEFAULT_PAUSE_MS;
  return Math.min(Math.max(seconds * 1_000, 0), MAX_PAUSE_MS);
}

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
