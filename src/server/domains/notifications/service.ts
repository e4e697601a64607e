import type { Notification, NotificationType, TransactionLog } from '#contract/notifications.ts';
import type { Page } from '#contract/primitives.ts';
import { notFound } from '#server/core/errors.ts';
import type { Trx } from '#server/database/client.ts';
import type { Paging } from '#server/database/paging.ts';
import type { MemberContext } from '../context.ts';
import * as store from './store.ts';
import { toNotification, toTransactionLog } from './view.ts';

const MAIL_SUBJECTS: Record<NotificationType, string> = {
  exchange_request: 'Somebody wants to swap with you',
  exchange_accepted: 'Your exchange was accepted',
  exchange_rejected: 'Your exchange was declined',
  exchange_completed: 'Your exchange is complete',
  message: 'You have a new message',
  other: 'News from ClipSwap',
};

/** Writes a line of history in the caller's transaction: it stands or falls with the act it tells of. */
export async function recordLog(trx: Trx, line: store.LogLine): Promise<void> {
  await recordLogs(trx, [line]);
}

/** `recordLog` for many lines at once. */
export async function recordLogs(trx: Trx, lines: readonly store.LogLine[]): Promise<void> {
  await store.insertLogs(trx, lines);
}

/**
 * Tells somebody: writes the notification and the mail that goes with it in the caller's transaction, so that
 * nobody hears of what did not happen. The mail's address and the full web address of its link are filled in
 * when it is sent.
 */
export async function notify(trx: Trx, notice: store.Notice): Promise<void> {
  await notifyAll(trx, [notice]);
}

/** `notify` for many people at once. */
export async function notifyAll(trx: Trx, notices: readonly store.Notice[]): Promise<void> {
  await store.insertNotices(
    trx,
    notices.map((notice) => ({ ...notice, mailSubject: notice.mailSubject ?? MAIL_SUBJECTS[notice.type] })),
  );
}

/** The caller's notifications, newest first. @throws AppError bad_input on `page` beyond the counted rows */
export async function listNotifications(ctx: MemberContext, paging: Paging): Promise<Page<Notification>> {
  const { rows, ...counts } = await store.listNotifications(ctx.db, ctx.actor.id, paging);
  return { items: rows.map(toNotification), ...counts, nextCursor: null };
}

/** How many of the caller's notifications are unread, counted up to COUNT_CAP. */
export async function unreadCount(ctx: MemberContext): Promise<{ unread: number }> {
  return { unread: await store.countUnread(ctx.db, ctx.actor.id) };
}

/** Marks one notification of the caller's own as read, however often. @throws AppError not_found */
export async function markRead(ctx: MemberContext, id: number): Promise<void> {
  const isOwn = await store.markRead(ctx.db, ctx.actor.id, id);
  if (!isOwn) throw notFound('Notification');
}

/** Marks all of the caller's notifications as read. */
export async function markAllRead(ctx: MemberContext): Promise<void> {
  await store.markAllRead(ctx.db, ctx.actor.id);
}

/** The caller's history, newest first. @throws AppError bad_input on `page` beyond the counted rows */
export async function listTransactionLogs(ctx: MemberContext, paging: Paging): Promise<Page<TransactionLog>> {
  const { rows, ...counts } = await store.listLogs(ctx.db, ctx.actor.id, paging);
  return { items: rows.map(toTransactionLog), ...counts, nextCursor: null };
}
