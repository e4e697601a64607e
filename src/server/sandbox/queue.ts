/** Runs acts one after another, as they come; one that fails does not hold up the next. */
export function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(act: () => Promise<T>): Promise<T> => {
    const next = last.then(act);
    last = next.catch(() => {});
    return next;
  };
}
