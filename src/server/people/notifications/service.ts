import { t } from '@lingui/core/macro';
import { paths } from '#contract/base/pages.ts';
import type { Page } from '#contract/base/primitives.ts';
import type { DealRef } from '#contract/deals/deals.ts';
import type { Receipt } from '#contract/money/receipts.ts';
import type { LogAction, Notification, NotificationType } from '#contract/people/notifications.ts';
import type { WebhookData, WebhookEvent } from '#contract/people/webhooks.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { notFound } from '#server/core/errors.ts';
import type { LiveSignal } from '#server/core/live.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { announce } from '#server/database/live.ts';
import type { Paging } from '#server/database/paging.ts';
import { MAIL_SUBJECTS } from '#server/texts/mails.ts';
import { read } from '#server/texts/reading.ts';
import type { StoredText } from '#server/texts/stored.ts';
import { type AccountMail, insertAccountMail, insertNewsMails, type NewsMail } from './outbox-store.ts';
import type { NotificationRow } from './store.ts';
import * as store from './store.ts';

/** Writes a line of history in the caller's transaction, so that it exists exactly if the act happened. */
export async function recordLog(trx: Trx, line: store.LogLine): Promise<void> {
  await store.insertLogs(trx, [line]);
}

/** As SQL, what `recordLog` writes: for a statement that writes more. */
export function loggingOf(line: store.LogLine) {
  return store.insertingLogs([line]);
}

/**
 * Notifies a person: writes the notification and its mail in the caller's transaction, so that nobody is notified of an
 * act that did not happen. Respects the person's preferences. The mail's address and the full URL of its link are
 * filled in when it is sent.
 */
export async function notify(trx: Trx, notice: store.Notice): Promise<void> {
  await notifyAll(trx, [notice]);
}

/** `notify` for many people at once. @param told what their programs are told of it */
export async function notifyAll(
  trx: Trx,
  notices: readonly store.Notice[],
  told?: Omit<store.ProgramNews, 'userIds'>,
): Promise<void> {
  const programs = told ? [{ ...told, userIds: notices.map(({ userId }) => userId) }] : [];
  await tell(trx, { lines: [], notices, programs });
}

async function tell(
  trx: Trx,
  { lines, notices, programs }: Omit<store.News, 'notices'> & { readonly notices: readonly store.Notice[] },
): Promise<void> {
  if (lines.length + notices.length > 0)
    await announceTo(
      trx,
      await store.insertNews(trx, { lines, notices: notices.map(withSubject), programs }),
    );
}

/** Queues mails of news that need no notification of their own. Respects the people's preferences when they are sent. */
export async function mailNews(trx: Trx, mails: readonly NewsMail[]): Promise<void> {
  await insertNewsMails(trx, mails);
}

/** An act on a deal, or its end, as both parties learn of it. */
interface DealNews {
  readonly deal: DealRef;
  /**
   * Each party gets `text` in their history and `notice` (by default `text`) as a notification, with a link to the deal's
   * page or to `link`; null: no notification.
   */
  readonly parties: readonly {
    readonly userId: number;
    readonly text: StoredText;
    readonly notice?: StoredText | null;
    readonly link?: string | undefined;
    readonly receipt?: Receipt;
  }[];
  /** The person who acted, who is not notified; null if no person did. */
  readonly actorId: number | null;
  readonly action: LogAction;
  /** What the parties' own programs are told, the actor's too; null: nothing. */
  readonly event: WebhookEvent | null;
  /** Whose programs are told of it; by default those of the people in `parties`. */
  readonly programsOf?: readonly number[];
  /** What the event says besides the deal. */
  readonly data?: WebhookData;
  /** Other things that the line of history refers to. */
  readonly about?: Pick<store.LogLine, 'couponId' | 'paymentId'>;
  readonly type?: NotificationType;
  /** The notification's link; by default the deal's page. */
  readonly link?: string;
  readonly mailSubject?: StoredText;
  readonly at: Date;
}

/** Writes acts on deals into the history of all parties, and notifies those who did not act. */
export async function notifyParties(trx: Trx, news: readonly DealNews[]): Promise<void> {
  const lines = news.flatMap(({ deal, parties, actorId, action, about, at }) => {
    const ref = deal.dealType === 'exchange' ? { exchangeId: deal.dealId } : { bidId: deal.dealId };
    return parties.map(({ userId, text }) => ({
      userId,
      actorId,
      action,
      details: text,
      ...ref,
      ...about,
      at,
    }));
  });
  const notices = news.flatMap(({ deal, parties, actorId, type = 'other', mailSubject, at, ...given }) => {
    const relatedId = deal.dealId;
    const page =
      given.link ?? (deal.dealType === 'exchange' ? paths.exchange(relatedId) : paths.bid(relatedId));
    return parties.flatMap(({ userId, text, notice = text, link = page, receipt }) =>
      userId === actorId || notice === null
        ? []
        : [{ userId, type, content: notice, relatedId, link, receipt, at, mailSubject }],
    );
  });
  const programs = news.flatMap(({ deal, parties, event, programsOf, data, at }) => {
    const userIds = programsOf ?? parties.map(({ userId }) => userId);
    return event === null ? [] : [{ event, data: { ...deal, ...data }, userIds, at }];
  });
  await tell(trx, { lines, notices, programs });
}

/**
 * Notifies people of a message. Until they have read the conversation (identified by `link`), further messages cause
 * no second notification and no second mail.
 * @param signals of the message itself, for the open browsers of all who read it
 */
export async function notifyOfMessage(
  trx: Trx,
  userIds: readonly number[],
  { deal, ...notice }: Omit<store.Notice, 'type' | 'userId' | 'relatedId'> & { readonly deal: DealRef },
  signals: readonly LiveSignal[] = [],
): Promise<void> {
  const relatedId = deal.dealId;
  const notices = userIds.map((userId) => ({ ...notice, relatedId, userId, type: 'message' as const }));
  const programs = [{ event: 'message.received' as const, data: deal, userIds, at: notice.at }];
  await tell(trx, { lines: [], notices, programs });
  await announce(trx, signals);
}

/** Marks the notifications of a conversation's messages as read. */
export async function markMessageNotificationsRead(
  trx: Trx,
  { userId, link }: { userId: number; link: string },
): Promise<void> {
  const isChanged = await store.markMessageRead(trx, userId, link);
  if (isChanged) await announceTo(trx, [userId]);
}

function withSubject<Given extends store.Notice>(notice: Given): Given & { mailSubject: StoredText } {
  return { ...notice, mailSubject: notice.mailSubject ?? MAIL_SUBJECTS.news({ type: notice.type }) };
}

/** Makes these people's open browsers refetch their notifications. */
async function announceTo(trx: Trx, userIds: readonly number[]): Promise<void> {
  const signals = userIds.map((userId) => ({ userId, event: { kind: 'notification' } as const }));
  await announce(trx, signals);
}

/** The caller's notifications, newest first. @throws AppError bad_input on `page` beyond the counted rows */
export async function listNotifications(ctx: MemberContext, paging: Paging): Promise<Page<Notification>> {
  const { rows, ...page } = await store.listNotifications(ctx.db, ctx.actor.id, paging);
  return { items: rows.map((row) => toNotification(ctx, row)), ...page };
}

/** How many of the caller's notifications are unread, counted up to COUNT_CAP. */
export async function unreadCount(ctx: MemberContext): Promise<{ unread: number }> {
  return { unread: await store.countUnread(ctx.db, ctx.actor.id) };
}

/** Marks one of the caller's notifications as read; may be repeated. @throws AppError not_found */
export async function markRead(ctx: MemberContext, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const isOwn = await store.markRead(trx, ctx.actor.id, id);
    if (!isOwn) throw notFound(t`Notification not found`);
    await announceTo(trx, [ctx.actor.id]);
  });
}

/** Marks all of the caller's notifications as read. */
export async function markAllRead(ctx: MemberContext): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const isChanged = await store.markAllRead(trx, ctx.actor.id);
    if (isChanged) await announceTo(trx, [ctx.actor.id]);
  });
}

/** A notification, for its recipient. */
function toNotification(ctx: Context, { text, ...row }: NotificationRow): Notification {
  return { ...row, content: read(ctx, text, row.content), createdAt: row.createdAt.toISOString() };
}

/**
 * Queues an account mail in the caller's transaction; it is sent within seconds after the commit. Its link is created
 * when it is sent, so that no token is ever stored in the outbox.
 */
export async function queueAccountMail(trx: Trx, mail: AccountMail): Promise<void> {
  await insertAccountMail(trx, { ...mail, subject: MAIL_SUBJECTS.account({ kind: mail.kind }) });
}

export { forgetEndedMail, sendWaitingMail } from './sending.ts';
