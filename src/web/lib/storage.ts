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

/** What the page before has kept under the key, once; null for nothing. */
export function takeFromLastPage<Value>(key: string): Value | null {
  const take = (storage: Storage): Value | null => {
    const kept = storage.getItem(key);
    storage.removeItem(key);
    return kept && JSON.parse(kept);
  };
  return withStorage('sessionStorage', take) ?? null;
}
