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
