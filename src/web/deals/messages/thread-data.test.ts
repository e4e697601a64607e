import { describe, expect, it } from 'vitest';
import type { Message } from '#contract/deals/messages.ts';
import { mergeNewest, type ThreadData, withAllRead, withOlder, withSent } from './thread-data.ts';

function message(id: number, given: Partial<Message> = {}): Message {
  return {
    id,
    exchangeId: 7,
    bidId: null,
    senderId: 1,
    senderUsername: 'rob',
    receiverId: 2,
    content: `message ${id}`,
    isRead: false,
    clientKey: null,
    createdAt: '2026-11-21T12:00:00.000Z',
    ...given,
  };
}

function page(ids: readonly number[], nextCursor: string | null = null) {
  const items = ids.map((id) => message(id));
  return { items, total: ids.length, totalIsCapped: false, nextCursor, previousCursor: null };
}

const ids = ({ messages }: ThreadData) => messages.map(({ id }) => id);

describe('the refetched newest page of a thread', () => {
  it('is the whole thread if nothing was loaded before', () => {
    expect(mergeNewest(undefined, page([3, 4], '3'))).toMatchObject({ olderCursor: '3' });
  });

  it('keeps older messages, and contains each once', () => {
    const known = { messages: [1, 2, 3, 4].map((id) => message(id)), olderCursor: null };
    const merged = mergeNewest(known, page([3, 4, 5], '3'));
    expect(ids(merged)).toEqual([1, 2, 3, 4, 5]);
    expect(merged.olderCursor).toBeNull();
  });

  it('replaces the thread if messages in between are missing', () => {
    const known = { messages: [message(1), message(2)], olderCursor: null };
    expect(mergeNewest(known, page([8, 9], '8'))).toMatchObject({ olderCursor: '8' });
    expect(ids(mergeNewest(known, page([8, 9], '8')))).toEqual([8, 9]);
  });

  it('is appended if nothing is missing', () => {
    const known = { messages: [], olderCursor: null };
    expect(ids(mergeNewest(known, page([1, 2])))).toEqual([1, 2]);
  });

  it('marks older messages as read, since reading a thread reads all of it', () => {
    const known = { messages: [message(1), message(2)], olderCursor: null };
    const merged = mergeNewest(known, {
      ...page([]),
      items: [message(2, { isRead: true }), message(3)],
      nextCursor: '2',
    });
    expect(merged.messages.map(({ isRead }) => isRead)).toEqual([true, true, false]);
  });
});

describe('a thread', () => {
  const known = { messages: [message(5), message(6)], olderCursor: '5' };

  it('can be extended by older messages', () => {
    const longer = withOlder(known, page([3, 4, 5], '3'));
    expect(ids(longer)).toEqual([3, 4, 5, 6]);
    expect(longer.olderCursor).toBe('3');
  });

  it('contains a sent message once, in order, whichever way it came', () => {
    expect(ids(withSent(known, message(8)))).toEqual([5, 6, 8]);
    expect(ids(withSent(withSent(known, message(8)), message(7)))).toEqual([5, 6, 7, 8]);
    expect(withSent(known, message(6))).toBe(known);
  });

  it('is marked as read for the receiver only', () => {
    expect(withAllRead(known, 2).messages.every(({ isRead }) => isRead)).toBe(true);
    expect(withAllRead(known, 1).messages.some(({ isRead }) => isRead)).toBe(false);
  });
});
