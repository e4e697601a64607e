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
