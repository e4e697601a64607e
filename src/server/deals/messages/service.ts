import { t } from '@lingui/core/macro';
import { paths } from '#contract/base/pages.ts';
import type { Page } from '#contract/base/primitives.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { DealRef } from '#contract/deals/deals.ts';
import {
  type Conversation,
  type ListConversationsInput,
  type ListMessagesInput,
  type Message,
  type SendMessageInput,
  takesMessages,
} from '#contract/deals/messages.ts';
import { pictureUrl } from '#contract/people/picture-addresses.ts';
import { isRestricted } from '#contract/people/roles.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import type { LiveSignal } from '#server/core/live.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction, refuseDuplicate } from '#server/database/client.ts';
import { announce } from '#server/database/live.ts';
import { ownBlockText } from '#server/people/blocks/service.ts';
import { markMessageNotificationsRead, notifyOfMessage } from '#server/people/notifications/service.ts';
import { MESSAGE_TEXTS } from '#server/texts/deals.ts';
import { type ConversationRow, listConversations as findConversations } from './conversations-store.ts';
import * as store from './store.ts';

/** Faster than anybody types. */
const PER_MINUTE: RateLimit = { name: 'messages', points: 30, seconds: 60 };

/** The caller's conversations, last changed first. @throws AppError bad_input on `page` beyond the counted rows */
export async function listConversations(
  ctx: MemberContext,
  { search = '', ...paging }: ListConversationsInput,
): Promise<Page<Conversation>> {
  // The caller's own name matches all of their conversations (spec/2 section 5).
  const findsAll = ctx.actor.username.toLowerCase().includes(search.toLowerCase());
  const filter = { userId: ctx.actor.id, search: findsAll ? '' : search };
  const { rows, ...page } = await findConversations(ctx.db, filter, paging);
  return { items: rows.map(toConversation), ...page };
}

/** @throws AppError not_found, for strangers too */
export async function conversationOf(ctx: MemberContext, deal: DealRef): Promise<Conversation> {
  const filter = { userId: ctx.actor.id, search: '', only: deal };
  const { rows } = await findConversations(ctx.db, filter, { page: 1, limit: 1 });
  const [row] = rows;
  if (!row) throw notFound(t`Conversation not found`);
  return toConversation(row);
}

/**
 * A page of a deal's thread, oldest message first; `nextCursor` leads to older messages. The rounds of a negotiation share
 * one thread, and the id of any round finds it.
 * @throws AppError not_found, for strangers too
 */
export async function listMessages(
  ctx: MemberContext,
  { page: ref, limit, ...deal }: ListMessagesInput,
): Promise<Page<Message>> {
  const { thread } = partyOrNotFound(await store.findDeal(ctx.db, deal, ctx.actor.id), ctx.actor.id, deal);
  const { rows, ...page } = await store.listMessages(ctx.db, thread, ctx.actor.id, { page: ref, limit });
  return { items: rows.map((row) => toMessage(row, ctx.actor.id)).reverse(), ...page };
}

/**
 * Sends a message to the other parties of a deal and notifies them. Repeating a `clientKey` stores nothing and returns
 * the stored message.
 * @throws AppError not_found (strangers too), forbidden (suspended or banned, and the deal has no open claim), deal_changed (rejected or cancelled: decisions 3.10), conflict (one has
 *   blocked the other), rate_limited, bad_input (the key belongs to another conversation)
 */
export async function sendMessage(
  ctx: MemberContext,
  { content, clientKey, ...named }: SendMessageInput,
): Promise<Message> {
  await enforceLimit(ctx.limiter, PER_MINUTE, String(ctx.actor.id));
  return inTransaction(ctx.db, async (trx) => {
    // Lock the deal first, so that a repeat finds the stored message.
    const found = await store.lockDeal(trx, named, ctx.actor.id);
    const { receiverIds, status, blockerIds, deal, thread, hasOpenClaim } = partyOrNotFound(
      found,
      ctx.actor.id,
      named,
    );
    if (isRestricted(ctx.actor.status) && !hasOpenClaim) {
      throw new AppError('forbidden', TEXTS.messages.restricted(ctx.actor.status));
    }
    const sent = clientKey && (await store.findByClientKey(trx, ctx.actor.id, clientKey));
    if (sent) return alreadySent(sent, thread, ctx.actor.id);
    if (!takesMessages(status)) {
      throw new AppError('deal_changed', TEXTS.messages.closed(deal.dealType, status));
    }
    if (blockerIds.includes(ctx.actor.id)) throw new AppError('conflict', ownBlockText());
    if (blockerIds.length > 0)
      throw new AppError('conflict', t`You cannot write in this conversation any more.`);
    const at = ctx.clock();
    const { id: senderId, username: senderUsername } = ctx.actor;
    const message = { senderId, senderUsername, content, clientKey: clientKey ?? null, createdAt: at };
    const row = await refuseDuplicate(
      store.insertMessage(trx, { deal, thread }, message, receiverIds),
      'messages_client_key',
      // The key belongs to another deal: the lock rules out a duplicate within this one.
      keyTaken,
    );
    const notice = {
      content: MESSAGE_TEXTS.written({ sender: ctx.actor.username }),
      deal,
      link: paths.thread(thread.dealType, thread.dealId),
      at,
    };
    const signals = signalsOf([ctx.actor.id, ...receiverIds], 'message', deal);
    await notifyOfMessage(trx, receiverIds, notice, signals);
    return toMessage(row, ctx.actor.id);
  });
}

/**
 * Marks the caller's received messages of a thread as read; idempotent.
 * @throws AppError not_found, for strangers too
 */
export async function markThreadRead(ctx: MemberContext, named: DealRef): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const found = await store.findDeal(trx, named, ctx.actor.id);
    const { receiverIds, deal, thread } = partyOrNotFound(found, ctx.actor.id, named);
    const count = await store.markRead(trx, thread, ctx.actor.id);
    await markMessageNotificationsRead(trx, {
      userId: ctx.actor.id,
      link: paths.thread(thread.dealType, thread.dealId),
    });
    if (count > 0) await announce(trx, signalsOf([ctx.actor.id, ...receiverIds], 'read', deal));
  });
}

/** Unread messages of the caller, counted up to COUNT_CAP. */
export async function unreadMessages(ctx: MemberContext): Promise<{ unread: number }> {
  return { unread: await store.countUnread(ctx.db, ctx.actor.id) };
}

/**
 * The other parties and the state of the caller's deal, and the deal that its thread belongs to.
 * @throws AppError not_found, for strangers too
 */
function partyOrNotFound(found: store.ThreadDeal | undefined, userId: number, { dealType }: DealRef) {
  if (!found?.partyIds.includes(userId)) throw notFound(t`Conversation not found`);
  const { dealId, threadId, partyIds, ...rest } = found;
  return {
    ...rest,
    deal: { dealType, dealId },
    thread: { dealType, dealId: threadId },
    receiverIds: partyIds.filter((id) => id !== userId),
  };
}

function alreadySent(row: store.MessageRow, { dealType, dealId }: DealRef, senderId: number): Message {
  const isSameDeal = dealId === (dealType === 'exchange' ? row.exchangeId : row.bidId);
  if (!isSameDeal) throw keyTaken();
  return toMessage(row, senderId);
}

function keyTaken(cause?: unknown): AppError {
  return new AppError('bad_input', t`This key belongs to a message of another conversation`, { cause });
}

function signalsOf(
  userIds: readonly number[],
  kind: 'message' | 'read',
  { dealType, dealId }: DealRef,
): LiveSignal[] {
  return userIds.map((userId) => ({ userId, event: { kind, dealType, dealId } }));
}

/** Only the sender sees the client key. */
function toMessage({ clientKey, createdAt, ...row }: store.MessageRow, viewerId: number): Message {
  return {
    ...row,
    clientKey: row.senderId === viewerId ? clientKey : null,
    createdAt: createdAt.toISOString(),
  };
}

function toConversation(row: ConversationRow): Conversation {
  const { lastContent, lastSenderId, lastAt } = row;
  return {
    dealType: row.exchangeId === null ? 'bid' : 'exchange',
    dealId: row.dealId,
    status: row.status,
    otherId: row.otherId,
    otherUsername: row.otherUsername,
    others: row.others,
    isBlocked: row.isBlocked,
    hasOpenClaim: row.hasOpenClaim,
    otherProfileImageUrl: pictureUrl(row.otherPictureId),
    requestedCoupon: row.requestedCoupon,
    offeredCoupon: row.offeredCoupon,
    amount: row.amount,
    initialMessage: row.message,
    initiatorId: row.initiatorId,
    lastMessage:
      lastContent === null || lastSenderId === null || lastAt === null
        ? null
        : { content: lastContent, senderId: lastSenderId, createdAt: lastAt.toISOString() },
    unread: (row.unreadDirect ?? 0) + (row.unreadInRing ?? 0),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
