/*
 * Loads what an `import()` needs: `scripts/code-files.ts` puts `withFiles` around each of them in the build.
 *
 * Chromium keeps the failure of an import for as long as the page lives. So every file is fetched first, which may fail
 * and be tried again; the import then finds all of them in the browser's cache. Not while the document itself loads: to
 * fetch first makes the first page half as slow again, and loading it again is what helps there.
 */

import { withDeadline } from './deadline.ts';

/** A file of our code could not be loaded. */
export class CodeNotLoaded extends Error {
  /** Whether the server no longer has it, as after a release: only loading the page again helps. */
  readonly isOutdated: boolean;

  constructor(address: string, { isOutdated = false, ...options }: ErrorOptions & { isOutdated?: boolean }) {
    super(`${address} could not be loaded`, options);
    this.isOutdated = isOutdated;
  }
}

/** Whether it is about code that only loading the page again brings, as after a release. */
export function isOutdated(error: unknown): boolean {
  return error instanceof CodeNotLoaded && error.isOutdated;
}

/** Time until the next attempt, in ms. */
const RETRY_MS = 3_000;
/** How long a file may take, in ms: many times longer than on a slow connection. */
const FILE_MAX_MS = 60_000;

const fetched = new Map<string, Promise<void>>();
const sheets = new Map<string, Promise<void>>();

/**
 * Imports a module once its files are there.
 * @param names of the module, and of all that it imports
 * @throws CodeNotLoaded; the next call tries again
 */
export async function withFiles<Module>(
  load: () => Promise<Module>,
  names: readonly string[] = [],
): Promise<Module> {
  const addresses = names.map((name) => `/${name}`);
  if (document.readyState !== 'complete') addresses.filter((address) => !isSheet(address)).forEach(preload);
  else await Promise.all(addresses.map((address) => once(fetched, address, fetchFile)));
  // In their order, not as they arrive: of rules that weigh the same, that of the later sheet holds.
  const added = addresses.filter(isSheet).map((address) => once(sheets, address, addSheet));
  const [module] = await Promise.all([load(), ...added]);
  return module;
}

function preload(address: string): void {
  if (isLinked(address)) return;
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = address;
  document.head.append(link);
}

const isSheet = (address: string) => address.endsWith('.css');

function once(
  known: Map<string, Promise<void>>,
  address: string,
  act: (address: string) => Promise<void>,
): Promise<void> {
  const begun = known.get(address);
  if (begun) return begun;
  const done = act(address);
  known.set(address, done);
  done.catch(() => known.delete(address));
  return done;
}

/** Whether the page itself has brought it. */
function isLinked(address: string): boolean {
  return document.querySelector(`link[href="${address}"]`) !== null;
}

async function fetchFile(address: string): Promise<void> {
  if (isLinked(address)) return;
  const response = await withDeadline(FILE_MAX_MS, async (signal) => {
    const answer = await fetch(address, { signal });
    // It may break off.
    await answer.arrayBuffer();
    return answer;
  }).catch((cause) => {
    throw new CodeNotLoaded(address, { cause });
  });
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok || !type.includes(isSheet(address) ? 'css' : 'javascript'))
    throw new CodeNotLoaded(address, { isOutdated: response.status === 404, cause: response.status });
}

async function addSheet(address: string): Promise<void> {
  if (isLinked(address)) return;
  await new Promise<void>((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = address;
    link.onload = () => resolve();
    link.onerror = (cause) => {
      link.remove();
      reject(new CodeNotLoaded(address, { cause }));
    };
    document.head.append(link);
  });
}

/** Calls back when the network is back, or after a while. @returns a function that calls it off */
export function onNextChance(act: () => void): () => void {
  const stop = () => {
    clearTimeout(timer);
    window.removeEventListener('online', go);
  };
  const go = () => {
    stop();
    act();
  };
  const timer = setTimeout(go, RETRY_MS);
  window.addEventListener('online', go);
  return stop;
}

let late = 0;
const watchers = new Set<() => void>();

function setLate(count: number): void {
  late = count;
  for (const watcher of watchers) watcher();
}

/** For `useSyncExternalStore`: whether a page waits for its code. */
export const latePages = {
  subscribe: (watcher: () => void) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  },
  read: () => late > 0,
};

/**
 * Loads the code of a page, however long the connection is gone: the router would keep a failure for ever.
 * @throws CodeNotLoaded where the server no longer has it
 */
export async function loadPatiently<Page>(load: () => Promise<Page>): Promise<Page> {
  let isLate = false;
  try {
    for (;;) {
      try {
        return await load();
      } catch (error) {
        if (!(error instanceof CodeNotLoaded) || error.isOutdated) throw error;
      }
      if (!isLate) setLate(late + 1);
      isLate = true;
      await new Promise<void>((chance) => onNextChance(chance));
    }
  } finally {
    if (isLate) setLate(late - 1);
  }
}
