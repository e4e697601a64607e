import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasCode, readErrorText, writeErrorText } from './errors.ts';
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
  vi.unstubAllGlobals();
  fetched.mockReset();
});

describe('a call', () => {
  it('reads by GET, without a content type, with the cookie of this origin', async () => {
    answer(200, '{"result":{"data":null}}');
    await client.accounts.me.query();
    const { url, options, headers } = lastCall();
    expect(url).toBe('/api/trpc/accounts.me');
    expect(options).toMatchObject({ method: 'GET', credentials: 'same-origin' });
    expect(headers.has('content-type')).toBe(false);
  });

  it('sends a JSON body and its content type only when a payload exists', async () => {
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
  ])('%i %s', async (status, body, statusText, text) => {
    answer(status, body, statusText);
    expect(readErrorText(await failure(client.accounts.me.query()))).toBe(text);
  });

  it('gives a write the server’s text', async () => {
    answer(403, '{"error":"This request did not come from ClipSwap itself","code":"forbidden"}');
    const error = await failure(client.accounts.logout.mutate());
    expect(writeErrorText(error, 'Failed')).toBe('This request did not come from ClipSwap itself');
    expect(hasCode(error, 'forbidden')).toBe(true);
  });

  it('is not a network failure; only a call without an answer is', async () => {
    answer(502, 'upstream is gone');
    expect(writeErrorText(await failure(client.accounts.logout.mutate()), 'Failed')).toBe('Failed');
    fetched.mockRejectedValue(new TypeError('Failed to fetch'));
    expect(writeErrorText(await failure(client.accounts.logout.mutate()), 'Failed')).toBe(
      'Network error. Please check your connection and try again.',
    );
  });
});
