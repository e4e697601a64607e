import type { Page } from '#contract/base/primitives.ts';
import type { Message } from '#contract/deals/messages.ts';

/** The loaded part of a thread: without gaps, up to its newest message. */
export interface ThreadData {
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** The cursor of the older messages; null at the beginning of the thread. */
  readonly olderCursor: string | null;
}

/**
 * Merges the refetched newest page into the loaded thread. If messages in between are missing, the thread starts at
 * the new page.
 */
export function mergeNewest(known: ThreadData | undefined, page: Page<Message>): ThreadData {
  const oldest = page.items[0];
  const newestKnown = known?.messages.at(-1);
  const fresh = { messages: page.items, olderCursor: page.nextCursor };
  if (!known || !oldest || !newestKnown) return fresh;
  const hasGap = page.nextCursor !== null && oldest.id > newestKnown.id;
  if (hasGap) return fresh;
  const before = known.messages.filter(({ id }) => id < oldest.id);
  return {
    messages: [...readUpTo(before, page.items), ...page.items],
    olderCursor: before.length > 0 ? known.olderCursor : page.nextCursor,
  };
}

/** Marks older messages as read if a newer one of the same sender is: reading a thread reads all of it. */
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

/** The thread with a message that was just sent, unless a live event has brought it already. */
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
