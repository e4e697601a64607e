/** What `act` returns; undefined where the browser forbids this storage, or it is full. */
export function withStorage<Result>(
  name: 'localStorage' | 'sessionStorage',
  act: (storage: Storage) => Result,
): Result | undefined {
  try {
    return act(window[name]);
  } catch {
    return undefined;
  }
}

/** Keeps a value in this tab for the page that is loaded next. */
export function keepForNextPage(key: string, value: unknown): void {
  withStorage('sessionStorage', (storage) => storage.setItem(key, JSON.stringify(value)));
}

/** What the page before has stored under the key, once; null for nothing. */
export function takeFromLastPage<Value>(key: string): Value | null {
  const take = (storage: Storage): Value | null => {
    const stored = storage.getItem(key);
    storage.removeItem(key);
    return stored && JSON.parse(stored);
  };
  return withStorage('sessionStorage', take) ?? null;
}
