import type { Message } from '#contract/messages.ts';
import type { Page } from '#contract/primitives.ts';

/** As much of a thread as has been read so far: without holes, up to its newest message. */
export interface ThreadData {
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** Leads to older ones; null at the beginning of the thread. */
  readonly olderCursor: string | null;
}

/**
 * What is known of a thread after its newest page was refetched. What was read before stays, unless so much has come
 * since that messages in between are missing: then the thread begins at the new page.
 */
export function mergeNewest(known: ThreadData | undefined, page: Page<Message>): ThreadData {
  const oldest = page.items[0];
  const newestKnown = known?.messages.at(-1);
  const fresh = { messages: page.items, olderCursor: page.nextCursor };
  if (!known || !oldest || !newestKnown) return fresh;
  const hasHole = page.nextCursor !== null && oldest.id > newestKnown.id;
  if (hasHole) return fresh;
  const before = known.messages.filter(({ id }) => id < oldest.id);
  return {
    messages: [...readUpTo(before, page.items), ...page.items],
    olderCursor: before.length > 0 ? known.olderCursor : page.nextCursor,
  };
}

/** Reading a thread reads all of it: what is older than a message that was read has been read, too. */
function readUpTo(before: readonly Message[], page: readonly Message[]): Message[] {
  const sendersRead = new Set(page.filter(({ isRead }) => isRead).map(({ senderId }) => senderId));
  return before.map((message) =>
    sendersRead.has(message.senderId) ? { ...message, isRead: true } : message,
  );
}

/** The thread with a page of older messages before it. */
export function withOlder(known: ThreadData, page: Page<Message>): ThreadData {
  const first = known.messages[0];
  const older = first ? page.items.filter(({ id }) => id < first.id) : page.items;
  return { messages: [...older, ...known.messages], olderCursor: page.nextCursor };
}

/** The thread with a message that was just sent; it may have come by another way already. */
export function withSent(known: ThreadData, message: Message): ThreadData {
  if (known.messages.some(({ id }) => id === message.id)) return known;
  const messages = [...known.messages, message].toSorted((one, other) => one.id - other.id);
  return { ...known, messages };
}

/** The thread after the viewer has read it. */
export function withAllRead(known: ThreadData, viewerId: number): ThreadData {
  const messages = known.messages.map((message) =>
    message.receiverId === viewerId && !message.isRead ? { ...message, isRead: true } : message,
  );
  return { ...known, messages };
}
