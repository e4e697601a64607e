import { t } from '@lingui/core/macro';
import { useCallback, useSyncExternalStore } from 'react';
import { TEXTS } from '#contract/base/texts.ts';
import type { DealRef } from '#contract/deals/deals.ts';
import { newClientKey } from '#web/lib/client-key.ts';
import { isNetworkFailure, wireErrorOf, writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { keyOf, useSendMessage } from './queries.ts';

/** The text for a message that could not be sent: the server's reason if it gave one, or that there is no network. */
function sendErrorText(error: unknown): string {
  if (isNetworkFailure(error)) return writeErrorText(error, TEXTS.messages.sendFailed());
  const wire = wireErrorOf(error);
  const hasReason = wire && wire.code !== 'internal' && wire.code !== 'unavailable';
  return hasReason ? wire.error : TEXTS.messages.sendFailed();
}

/** The viewer's draft and outgoing messages in a thread, and how to send them. */
export function useOutgoing(deal: DealRef) {
  const { draft, outgoing, setDraft, put, drop } = useOutbox(`${useMember().id}-${keyOf(deal)}`);
  const sendMessage = useSendMessage(deal);

  const attempt = async (message: Outgoing) => {
    put({ ...message, state: 'sending' });
    try {
      await sendMessage({ content: message.content, clientKey: message.clientKey });
      drop(message.clientKey);
      toasts.success(TEXTS.messages.sent());
    } catch (error) {
      put({ ...message, state: 'failed' });
      toasts.failure(t`Error`, sendErrorText(error));
    }
  };

  return {
    draft,
    setDraft,
    outgoing,
    isSending: outgoing.some(({ state }) => state === 'sending'),
    /** Sends the draft and clears the field. */
    send: () => {
      const content = draft.trim();
      if (content === '') return;
      setDraft('');
      void attempt({
        clientKey: newClientKey(),
        content,
        createdAt: new Date().toISOString(),
        state: 'sending',
      });
    },
    retry: (message: Outgoing) => void attempt(message),
    discard: ({ clientKey }: Outgoing) => drop(clientKey),
  };
}

/** A message that is being sent, or could not be. */
export interface Outgoing {
  /** The same at every attempt, so that the server recognises the message. */
  readonly clientKey: string;
  readonly content: string;
  readonly createdAt: string;
  readonly state: 'sending' | 'failed';
}

interface Outbox {
  readonly draft: string;
  readonly outgoing: readonly Outgoing[];
}

const EMPTY: Outbox = { draft: '', outgoing: [] };

/** Drafts and outgoing messages by person and thread: kept while another page is shown, hidden from the next person. */
const outboxes = new Map<string, Outbox>();
const listeners = new Set<() => void>();

function change(key: string, step: (outbox: Outbox) => Outbox): void {
  outboxes.set(key, step(outboxes.get(key) ?? EMPTY));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The draft and the outgoing messages of one thread. @param key of person and thread */
function useOutbox(key: string) {
  const outbox = useSyncExternalStore(
    subscribe,
    useCallback(() => outboxes.get(key) ?? EMPTY, [key]),
  );
  const setDraft = useCallback((draft: string) => change(key, (now) => ({ ...now, draft })), [key]);
  /** Adds a message or replaces the one with the same key. */
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
  return { ...outbox, setDraft, put, drop };
}
