import { useCallback, useSyncExternalStore } from 'react';

/** A message on its way, or one that did not get through. */
export interface Outgoing {
  /** Its own key at every attempt, so that the server knows it again. */
  readonly clientKey: string;
  readonly content: string;
  readonly createdAt: string;
  readonly state: 'sending' | 'failed';
}

interface Desk {
  readonly draft: string;
  readonly outgoing: readonly Outgoing[];
}

const EMPTY: Desk = { draft: '', outgoing: [] };

/**
 * What somebody has written and not got through yet, thread by thread. It outlives the screen it was written on, and
 * is kept by person: whoever signs in next does not see it.
 */
const desks = new Map<string, Desk>();
const listeners = new Set<() => void>();

function change(key: string, step: (desk: Desk) => Desk): void {
  desks.set(key, step(desks.get(key) ?? EMPTY));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The draft and the outgoing messages of one thread. @param key of person and thread */
export function useOutbox(key: string) {
  const desk = useSyncExternalStore(
    subscribe,
    useCallback(() => desks.get(key) ?? EMPTY, [key]),
  );
  const setDraft = useCallback((draft: string) => change(key, (now) => ({ ...now, draft })), [key]);
  /** Adds it, or gives it another state. */
  const put = useCallback(
    (message: Outgoing) =>
      change(key, (now) => {
        const isKnown = now.outgoing.some(({ clientKey }) => clientKey === message.clientKey);
        const outgoing = isKnown
          ? now.outgoing.map((each) => (each.clientKey === message.clientKey ? message : each))
          : [...now.outgoing, message];
        return { ...now, outgoing };
      }),
    [key],
  );
  const drop = useCallback(
    (clientKey: string) =>
      change(key, (now) => ({
        ...now,
        outgoing: now.outgoing.filter((message) => message.clientKey !== clientKey),
      })),
    [key],
  );
  return { ...desk, setDraft, put, drop };
}
