import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Agent, Dispatcher } from 'undici';
import {
  type AddressProblem,
  AddressRefusal,
  checkedUrl,
  guardedLookup,
  internet,
  type Network,
} from '#server/providers/guarded-network.ts';
import { FeedRefusal } from './feeds.ts';

export interface FetchLimits {
  readonly connectMs: number;
  /** Between two chunks of the answer. */
  readonly idleMs: number;
  readonly totalMs: number;
  /** Of the decompressed answer. */
  readonly maxBytes: number;
}

export const FETCH_LIMITS: FetchLimits = {
  connectMs: 10_000,
  idleMs: 30_000,
  totalMs: 600_000,
  maxBytes: 100_000_000,
};

const MAX_REDIRECTS = 3;

export interface FetchRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Sent only to the origin of `url`, because they hold keys. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** `body` can be read once. The connection closes after it, or when time is up. */
export type FetchAnswer =
  | { readonly isUnchanged: true }
  | {
      readonly isUnchanged: false;
      readonly etag: string | null;
      readonly lastModified: string | null;
      readonly body: AsyncIterable<Uint8Array>;
    };

/**
 * Fetches from public addresses only, whatever names, redirects and later DNS answers say: every connection goes to an
 * address that was just checked.
 * @throws FeedRefusal, also while the body is read
 */
export async function guardedFetch(
  given: FetchRequest,
  limits: FetchLimits = FETCH_LIMITS,
  network: Network = internet,
): Promise<FetchAnswer> {
  const undici = await import('undici');
  const agent = new undici.Agent({
    connect: { timeout: limits.connectMs, lookup: guardedLookup(network) },
    headersTimeout: limits.idleMs,
    bodyTimeout: limits.idleMs,
    maxResponseSize: limits.maxBytes,
  });
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    const mayPass = true;
    deadline.abort(new FeedRefusal(`It took longer than ${limits.totalMs / 1_000} seconds.`, { mayPass }));
    // Also if nobody reads the body.
    void agent.destroy();
  }, limits.totalMs).unref();
  const close = async () => {
    clearTimeout(timer);
    await agent.destroy();
  };
  try {
    const answer = await follow(given, { agent, network, signal: deadline.signal });
    if (answer.statusCode === 304) {
      await close();
      return { isUnchanged: true };
    }
    if (answer.statusCode !== 200) {
      const mayPass = answer.statusCode >= 500 || BUSY.includes(answer.statusCode);
      throw new FeedRefusal(`Its server answered with status ${answer.statusCode}.`, { mayPass });
    }
    if (Number(textHeader(answer, 'content-length')) > limits.maxBytes) throw tooLarge(limits);
    return {
      isUnchanged: false,
      etag: textHeader(answer, 'etag'),
      lastModified: textHeader(answer, 'last-modified'),
      body: readBody(unpacked(answer), limits, deadline.signal, close),
    };
  } catch (error) {
    await close();
    throw toRefusal(error, deadline.signal);
  }
}

interface FetchContext {
  readonly agent: Agent;
  readonly network: Network;
  readonly signal: AbortSignal;
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
/** What a server answers that wants to be asked later. */
const BUSY: readonly number[] = [408, 425, 429];

async function follow(
  given: FetchRequest,
  { agent, network, signal }: FetchContext,
): Promise<Dispatcher.ResponseData> {
  const { request } = await import('undici');
  let url = checkedUrl(given.url, network);
  const { origin } = url;
  for (let redirects = 0; ; redirects += 1) {
    const answer = await request(url, {
      dispatcher: agent,
      signal,
      method: given.method,
      headers: {
        accept: '*/*',
        'accept-encoding': 'gzip, br, deflate',
        'user-agent': 'ClipSwap feed reader',
        ...(given.body !== undefined && { 'content-type': 'application/json' }),
        ...(url.origin === origin && given.headers),
      },
      body: given.body === undefined ? null : JSON.stringify(given.body),
    });
    if (!REDIRECTS.includes(answer.statusCode)) return answer;
    const location = textHeader(answer, 'location');
    // The body of a redirect is not read, so the connection cannot be reused.
    answer.body.on('error', () => {}).destroy();
    // A posted body must not reach another server.
    if (given.method === 'POST') throw new FeedRefusal('Its server redirects what was posted.');
    if (redirects === MAX_REDIRECTS)
      throw new FeedRefusal(`It is redirected more than ${MAX_REDIRECTS} times.`);
    if (location === null || !URL.canParse(location, url))
      throw new FeedRefusal('It is redirected to nowhere.');
    url = checkedUrl(new URL(location, url).href, network);
  }
}

function textHeader({ headers }: Dispatcher.ResponseData, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** Allows one compression at most: several can hide how large a body is. */
function unpacked(answer: Dispatcher.ResponseData): Readable {
  const unpack = unpackerOf(textHeader(answer, 'content-encoding')?.trim().toLowerCase() ?? '');
  // An error on one side ends the other, and reaches the reader.
  return unpack ? pipeline(answer.body, unpack, () => {}) : answer.body;
}

function unpackerOf(encoding: string) {
  switch (encoding) {
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return createInflate();
    default:
      throw new FeedRefusal('It is packed in a way that is not known.');
  }
}

async function* readBody(
  body: Readable,
  limits: FetchLimits,
  deadline: AbortSignal,
  close: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > limits.maxBytes) throw tooLarge(limits);
      yield chunk;
      if (deadline.aborted) throw deadline.reason;
    }
  } catch (error) {
    throw toRefusal(error, deadline);
  } finally {
    await close();
  }
}

function tooLarge({ maxBytes }: FetchLimits): FeedRefusal {
  return new FeedRefusal(`It is larger than ${Math.floor(maxBytes / 1_000_000)} MB.`);
}

const PROBLEMS: Record<AddressProblem, string> = {
  malformed: 'Its address is not one.',
  protocol: 'Its address does not begin with https://.',
  credentials: 'Its address holds a user name or a password.',
  not_public: 'Its address is not public.',
  unknown_host: 'Its host has no address.',
};

/** Uses our own words: a library's message may hold the address, which holds the key. */
function toRefusal(error: unknown, deadline: AbortSignal): unknown {
  if (error instanceof FeedRefusal) return error;
  if (error instanceof AddressRefusal)
    return new FeedRefusal(PROBLEMS[error.problem], { mayPass: error.problem === 'unknown_host' });
  if (deadline.aborted) return deadline.reason;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unknown fault';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return new FeedRefusal('It is larger than is allowed.');
  const mayPass = true;
  if (/TIMEOUT/.test(code)) return new FeedRefusal('Its server took too long to answer.', { mayPass });
  return new FeedRefusal(`It could not be fetched (${code}).`, { mayPass });
}
