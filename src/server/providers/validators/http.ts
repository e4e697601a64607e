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
import { readRetryAfter } from '#server/core/retry-after.ts';
import { NotReached } from './adapter.ts';

/** A longer answer is refused. Vouchers with all their metadata take a few hundred kilobytes. */
const MAX_ANSWER_BYTES = 1 << 20;

/** How long a provider that refuses for too many requests gets none: by default, and at most; in seconds. */
const DEFAULT_PAUSE = 30;
const MAX_PAUSE = 3_600;

export interface HttpRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface HttpAnswer {
  readonly status: number;
  /** Undefined if the answer is not JSON. */
  readonly json: unknown;
}

/**
 * Makes one request. Redirects are not followed, because the code is only meant for this host.
 * @throws NotReached: no connection, timeout, too long an answer, a redirect, 429 or a server error
 */
export async function askHttp(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
  const { url, method, headers, body } = request;
  let response: Response;
  try {
    response = await fetch(url, { method, headers, body, signal, redirect: 'manual' });
  } catch {
    // The error is dropped, because it may contain the address and with it the code.
    throw signal.aborted ? outOfTime() : new NotReached('no connection', { isTransient: true });
  }
  const { status } = response;
  if (status === 429 || status >= 500 || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    const pause = pauseOf(response.headers);
    if (status === 429)
      throw new NotReached('too many requests', { pauseMs: (pause ?? DEFAULT_PAUSE) * 1_000 });
    // One that says when to come back is not asked again before.
    throw new NotReached(`status ${status}`, {
      isTransient: status >= 500 && pause === null,
      pauseMs: (pause ?? 0) * 1_000,
    });
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
      // Leaving the loop cancels the rest of the body.
      if (length > MAX_ANSWER_BYTES) throw new NotReached('an answer that is too long');
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof NotReached) throw error;
    throw signal.aborted ? outOfTime() : new NotReached('an answer cut short', { isTransient: true });
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

/** What `Retry-After` says, else Voucherify's own header, in seconds; null: neither says when to come back. */
function pauseOf(headers: Headers): number | null {
  const text = headers.get('retry-after') ?? headers.get('x-rate-limit-retry');
  return readRetryAfter(text, Date.now(), MAX_PAUSE);
}

/** The limits for requests to one provider. */
interface GuardLimits {
  /** For a request including its retry. */
  readonly timeoutMs: number;
  /** Requests in parallel. */
  readonly concurrency: number;
  /** After this many failures in a row, no request is sent for `openMs`. */
  readonly failuresToOpen: number;
  readonly openMs: number;
}

const RETRY_AFTER_MS = 50;

/**
 * Runs requests to one provider: each within the time limit, which includes one retry; only so many in parallel;
 * none while the provider keeps failing or has asked for a pause.
 */
type Guard = <Result>(ask: (signal: AbortSignal) => Promise<Result>) => Promise<Result>;

/** A reissue makes several requests one after the other. */
const REISSUE_TIMES = 3;

/** @returns a guard for an account's calls about new codes, which take longer than a question. */
export function createReissueGuard(limits: GuardLimits): Guard {
  return createGuard({ ...limits, timeoutMs: limits.timeoutMs * REISSUE_TIMES });
}

/** @returns a guard for one provider. It throws NotReached for every failure of the provider. */
export function createGuard({ timeoutMs, concurrency, failuresToOpen, openMs }: GuardLimits): Guard {
  // By class, because the package's own isTaskCancelledError checks for the mark of another error.
  const isFailure = (error: unknown) => error instanceof NotReached || error instanceof TaskCancelledError;
  const breaker = circuitBreaker(handleWhen(isFailure), {
    breaker: new ConsecutiveBreaker(failuresToOpen),
    halfOpenAfter: openMs,
  });
  const policy = wrap(
    // Without a queue: a request that would have to wait is answered without the provider.
    bulkhead(concurrency, 0),
    breaker,
    // Aggressive: the limit also holds while the retry waits.
    timeout(timeoutMs, TimeoutStrategy.Aggressive),
    retry(
      handleWhen((error) => error instanceof NotReached && error.isTransient),
      { maxAttempts: 1, backoff: new ConstantBackoff(RETRY_AFTER_MS) },
    ),
  );
  let pausedUntil = 0;

  return async (ask) => {
    if (Date.now() < pausedUntil) throw new NotReached('asked to wait');
    // One request tests whether the provider works again; others would wait for it, and then for themselves.
    if (breaker.state === CircuitState.HalfOpen) throw new NotReached('failing');
    try {
      // A signal per request: Node warns of too many listeners on the one that all requests share by default.
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
