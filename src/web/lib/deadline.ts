/**
 * Ends an act that takes too long. A phone's connection can be gone without the browser noticing for many minutes; an
 * aborted request gives up that connection, so that the next one opens another.
 * @param ms how long it may take
 * @param callOff ends it earlier
 * @throws DOMException 'AbortError', from the act
 */
export async function withDeadline<Result>(
  ms: number,
  act: (signal: AbortSignal) => Promise<Result>,
  callOff?: AbortSignal | null,
): Promise<Result> {
  callOff?.throwIfAborted();
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), ms);
  callOff?.addEventListener('abort', () => end.abort());
  try {
    return await act(end.signal);
  } finally {
    clearTimeout(timer);
  }
}
