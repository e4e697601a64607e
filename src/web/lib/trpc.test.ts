import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasCode, readErrorText, writeErrorText } from './errors.ts';
import { openDialogs } from './open-dialog.ts';
import { createTrpcClient } from './trpc.ts';

/** Requests and answers of the client, with a fake `fetch` (spec/1 section 1). */

const fetched = vi.fn<typeof fetch>();
const client = createTrpcClient('/api/trpc');

function answer(status: number, body: string, statusText = '') {
  fetched.mockImplementation(async () => new Response(body, { status, statusText }));
}

function lastCall() {
  const [url, options] = fetched.mock.lastCall ?? [];
  return { url: String(url), options, headers: new Headers(options?.headers) };
}

async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.unreachable('the call was answered'),
    (error: unknown) => error,
  );
}

beforeEach(() => vi.stubGlobal('fetch', fetched));
afterEach(() => {
  fetched.mockReset();
});

describe('a call', () => {
  it('reads by GET, without a content type, with the cookie of this origin [spec/1 1.2 1.12]', async () => {
    answer(200, '{"result":{"data":null}}');
    await client.accounts.me.query();
    const { url, options, headers } = lastCall();
    expect(url).toBe('/api/trpc/accounts.me');
    expect(options).toMatchObject({ method: 'GET', credentials: 'same-origin' });
    expect(headers.has('content-type')).toBe(false);
  });

  it('sends a JSON body and its content type only when a payload exists [spec/1 1.3]', async () => {
    answer(200, '{"result":{"data":{"ok":true}}}');
    await client.notifications.markRead.mutate({ id: 7 });
    expect(lastCall().options?.body).toBe('{"id":7}');
    expect(lastCall().headers.get('content-type')).toBe('application/json');
    await client.accounts.logout.mutate();
    expect(lastCall().options?.body).toBeUndefined();
    expect(lastCall().headers.has('content-type')).toBe(false);
  });
});

describe('a failure that is not in tRPC’s format', () => {
  it.each([
    [503, '{"error":"Closed","code":"unavailable"}', '', '503: Closed'],
    [500, '{"message":"Broken"}', 'Internal Server Error', '500: Broken'],
    [500, '{}', 'Internal Server Error', '500: Internal Server Error'],
    [502, 'upstream is gone', 'Bad Gateway', '502: upstream is gone'],
    [502, '', 'Bad Gateway', '502: Bad Gateway'],
    [404, '<h1>Not here</h1>', 'Not Found', 'Resource not found'],
    [401, '{"error":"Who?","code":"unauthorized"}', '', 'Unauthorized: Please log in to continue'],
  ])('%i %s [spec/1 1.14]', async (status, body, statusText, text) => {
    answer(status, body, statusText);
    expect(readErrorText(await failure(client.accounts.me.query()))).toBe(text);
  });

  it('gives a write the server’s text', async () => {
    answer(403, '{"error":"This request did not come from ClipSwap itself","code":"forbidden"}');
    const error = await failure(client.accounts.logout.mutate());
    expect(writeErrorText(error, 'Failed')).toBe('This request did not come from ClipSwap itself');
    expect(hasCode(error, 'forbidden')).toBe(true);
  });

  it('is not a network failure; only a call without an answer is [spec/1 1.15]', async () => {
    answer(502, 'upstream is gone');
    expect(writeErrorText(await failure(client.accounts.logout.mutate()), 'Failed')).toBe('Failed');
    fetched.mockRejectedValue(new TypeError('Failed to fetch'));
    expect(writeErrorText(await failure(client.accounts.logout.mutate()), 'Failed')).toBe(
      'Network error. Please check your connection and try again.',
    );
  });
});

describe('a connection that is gone without the browser noticing', () => {
  const end = ({ signal }: RequestInit = {}) =>
    new Promise<never>((_, reject) => {
      const stop = () => reject(signal?.reason);
      if (signal?.aborted) stop();
      signal?.addEventListener('abort', stop);
    });
  /** What an answer is like that stops after its beginning. */
  const broken = (options?: RequestInit) =>
    new Response(
      new ReadableStream({ start: (stream) => void end(options).catch((reason) => stream.error(reason)) }),
    );

  beforeEach(() => vi.useFakeTimers());

  it.each([
    ['never answers', (_: unknown, options?: RequestInit) => end(options)],
    ['stops in an answer', async (_: unknown, options?: RequestInit) => broken(options)],
  ])('and %s: fails a read after 45 s, a write only after 90', async (_, answers) => {
    fetched.mockImplementation(answers);
    const outcomes: string[] = [];
    const note = (name: string, call: Promise<unknown>) =>
      failure(call).then((error) => outcomes.push(`${name}: ${writeErrorText(error, 'Failed')}`));
    const ended = Promise.all([
      note('read', client.accounts.me.query()),
      note('write', client.accounts.logout.mutate()),
    ]);
    await vi.advanceTimersByTimeAsync(44_000);
    expect(outcomes).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    const words = 'Network error. Please check your connection and try again.';
    expect(outcomes).toEqual([`read: ${words}`]);
    await vi.advanceTimersByTimeAsync(45_000);
    await ended;
    expect(outcomes).toEqual([`read: ${words}`, `write: ${words}`]);
  });

  it.each(['before it is sent', 'before it is answered'])(
    'is given up at once by who leaves %s',
    async (when) => {
      fetched.mockImplementation((_, options) => end(options));
      const leaving = new AbortController();
      const call = failure(client.accounts.me.query(undefined, { signal: leaving.signal }));
      if (when === 'before it is answered') await vi.advanceTimersByTimeAsync(1_000);
      leaving.abort();
      await call;
      expect(vi.getTimerCount()).toBe(0);
    },
  );
});

describe('a call that is refused until the address is confirmed', () => {
  const refusal = JSON.stringify({
    error: {
      message: 'Confirm your email address first',
      code: -32_603,
      data: {
        httpStatus: 403,
        wire: { error: 'Confirm your email address first', code: 'address_unconfirmed' },
      },
    },
  });

  it.each([true, false])(
    'is made again, with what was typed, if it is confirmed: %s',
    async (isConfirmed) => {
      const stop = openDialogs.subscribe(() => {
        for (const { key, subject } of openDialogs.read()) {
          if (isConfirmed) {
            answer(200, '{"result":{"data":{"ok":true}}}');
            (subject as { onGiven: () => void }).onGiven();
          }
          openDialogs.remove(key);
        }
      });
      answer(403, refusal);
      const call = client.notifications.markRead.mutate({ id: 7 });
      if (isConfirmed) await call;
      else expect(hasCode(await failure(call), 'address_unconfirmed')).toBe(true);
      expect(fetched.mock.calls.map(([, options]) => options?.body)).toEqual(
        isConfirmed ? ['{"id":7}', '{"id":7}'] : ['{"id":7}'],
      );
      stop();
    },
  );
});
