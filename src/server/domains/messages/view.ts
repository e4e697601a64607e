import type { Conversation, Message } from '#contract/messages.ts';
import type { ConversationRow } from './conversations-store.ts';
import type { MessageRow } from './store.ts';

/** A message, for one of the two it is between. */
export function toMessage({ clientKey, createdAt, ...row }: MessageRow, viewerId: number): Message {
  return {
    ...row,
    clientKey: row.senderId === viewerId ? clientKey : null,
    createdAt: createdAt.toISOString(),
  };
}

/** A conversation, for the person in whose list it stands. */
export function toConversation(row: ConversationRow): Conversation {
  const { lastContent, lastSenderId, lastAt } = row;
  return {
    dealType: row.exchangeId === null ? 'bid' : 'exchange',
    dealId: row.dealId,
    status: row.status,
    otherId: row.otherId,
    otherUsername: row.otherUsername,
    requestedCoupon: row.requestedCoupon,
    offeredCoupon: row.offeredCoupon,
    amount: row.amount,
    initialMessage: row.message,
    initiatorId: row.initiatorId,
    lastMessage:
      lastContent === null || lastSenderId === null || lastAt === null
        ? null
        : { content: lastContent, senderId: lastSenderId, createdAt: lastAt.toISOString() },
    unread: row.unread ?? 0,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
