import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CodeNotLoaded, latePages, loadPatiently, withFiles } from './code-files.ts';

const SCRIPT = { headers: { 'content-type': 'text/javascript; charset=utf-8' } };
const fetchFile = vi.fn<(address: string, options?: RequestInit) => Promise<Response>>();
let names = 0;
/** A file that nothing has asked for yet. */
const newFile = () => `assets/file-${++names}.js`;

beforeEach(() => {
  vi.stubGlobal(
    'fetch',
    fetchFile.mockReset().mockImplementation(async () => new Response('', SCRIPT)),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('imports a module once its files are there, and fetches each file once', async () => {
  const [own, shared] = [newFile(), newFile()];
  const load = vi.fn(async () => fetchFile.mock.calls.length);
  expect(await withFiles(load, [own, shared])).toBe(2);
  expect(await withFiles(load, [shared])).toBe(2);
});

it('does not fetch first while the document loads', async () => {
  vi.spyOn(document, 'readyState', 'get').mockReturnValue('interactive');
  const append = vi.spyOn(document.head, 'append').mockImplementation(() => {});
  expect(await withFiles(async () => 'page', [newFile()])).toBe('page');
  expect(fetchFile).not.toHaveBeenCalled();
  expect(append.mock.calls).toEqual([[expect.objectContaining({ rel: 'modulepreload' })]]);
});

/** A file whose connection breaks off. */
const broken = () =>
  new Response(new ReadableStream({ pull: (controller) => controller.error(new TypeError('gone')) }), SCRIPT);

it.each([
  ['no network', () => Promise.reject(new TypeError('Failed to fetch')), false],
  ['a broken connection', async () => broken(), false],
  ['a proxy', async () => new Response('', { ...SCRIPT, status: 503 }), false],
  [
    'a page in place of it',
    async () => new Response('<p>', { headers: { 'content-type': 'text/html' } }),
    false,
  ],
  ['a release', async () => new Response('{}', { status: 404 }), true],
])(
  'does not import a module while a file fails by %s, and tries it again',
  async (_cause, fail, isOutdated) => {
    const file = newFile();
    const load = vi.fn(async () => 'module');
    fetchFile.mockImplementationOnce(fail);
    const error = await withFiles(load, [file]).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(CodeNotLoaded);
    expect(error).toMatchObject({ isOutdated });
    expect(load).not.toHaveBeenCalled();
    expect(await withFiles(load, [file])).toBe('module');
  },
);

it('adds style sheets in their order, whichever arrives first', async () => {
  const names = ['first', 'second'].map((name) => `assets/${name}-${newFile()}.css`);
  const answers: (() => void)[] = [];
  fetchFile.mockImplementation(
    (address) =>
      new Promise((arrive) => {
        const answer = () => arrive(new Response('', { headers: { 'content-type': 'text/css' } }));
        // The later one is there at once.
        if (address.includes('second')) answer();
        else answers.push(answer);
      }),
  );
  const added: string[] = [];
  vi.spyOn(document.head, 'append').mockImplementation((link) => {
    if (!(link instanceof HTMLLinkElement)) return;
    added.push(new URL(link.href).pathname.slice(1));
    queueMicrotask(() => link.dispatchEvent(new Event('load')));
  });
  const module = withFiles(async () => 'module', names);
  await new Promise((soon) => setTimeout(soon));
  for (const answer of answers) answer();
  expect(await module).toBe('module');
  expect(added).toEqual(names);
});

it('does not wait for ever for a file on a connection that is gone, and asks for it again', async () => {
  vi.useFakeTimers();
  try {
    const file = newFile();
    fetchFile.mockImplementationOnce(
      (_, { signal } = {}) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    );
    const outcome = withFiles(async () => 'module', [file]).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await outcome).toBeInstanceOf(CodeNotLoaded);
    expect(await withFiles(async () => 'module', [file])).toBe('module');
  } finally {
    vi.useRealTimers();
  }
});

it('waits for the code of a page until the network is back', async () => {
  const load = vi.fn(async () => 'page').mockRejectedValueOnce(new CodeNotLoaded('/a.js', {}));
  const page = loadPatiently(load);
  await vi.waitFor(() => expect(latePages.read()).toBe(true));
  window.dispatchEvent(new Event('online'));
  expect(await page).toBe('page');
  expect(latePages.read()).toBe(false);
  expect(load).toHaveBeenCalledTimes(2);
});

it('does not wait for code that the server no longer has, nor for a page that fails by itself', async () => {
  const errors = [new CodeNotLoaded('/a.js', { isOutdated: true }), new TypeError('a fault of ours')];
  for (const error of errors) {
    await expect(loadPatiently(() => Promise.reject(error))).rejects.toBe(error);
  }
});
