import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { COUNT_CAP } from '#contract/base/bounds.ts';
import type { Receipt } from '#contract/money/receipts.ts';
import type { LogAction, NotificationPreference, NotificationType } from '#contract/people/notifications.ts';
import type { WebhookData, WebhookEvent } from '#contract/people/webhooks.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, type ListOrder, openPage, type Paging } from '#server/database/paging.ts';
import { englishOf } from '#server/texts/reading.ts';
import type { StoredText } from '#server/texts/stored.ts';
import { reopenMessageMail } from './outbox-store.ts';
import { englishReceipt } from './receipts.ts';

/** One line of a person's Transaction History. */
export interface LogLine {
  /** The person whose history it is. */
  readonly userId: number;
  /** The person who acted; null if no person did. */
  readonly actorId: number | null;
  readonly action: LogAction;
  readonly details: StoredText;
  readonly exchangeId?: number;
  readonly bidId?: number;
  readonly couponId?: number;
  readonly paymentId?: number;
  readonly at: Date;
}

/** A notification and its mail. */
export interface Notice {
  readonly userId: number;
  readonly type: NotificationType;
  readonly content: StoredText;
  /** The id of the thing it is about; `type` says what kind of thing. */
  readonly relatedId: number | null;
  /** The page about it: a path of this site. */
  readonly link: string;
  readonly at: Date;
  /** The mail's subject, if the type's default does not fit. */
  readonly mailSubject?: StoredText;
  /** For the mail alone. */
  readonly receipt?: Receipt;
  /** True for news about the account, which has its own account mail: no news mail is added. */
  readonly isMailedApart?: boolean;
}

/** What people's own programs are told of, and the admins' that hear of everything. */
export interface ProgramNews {
  readonly event: WebhookEvent;
  readonly data: WebhookData;
  readonly userIds: readonly number[];
  readonly at: Date;
}

/** The history lines and notifications of an act, and what programs are told of it. */
export interface News {
  readonly programs: readonly ProgramNews[];
  readonly lines: readonly LogLine[];
  readonly notices: readonly (Notice & { mailSubject: StoredText })[];
}

/** As arrays: PostgreSQL takes at most 65,535 values in a statement, and a popular coupon concerns more people. */
export function insertingLogs(lines: readonly LogLine[]): RawBuilder<unknown> {
  const each = <Value>(of: (line: LogLine) => Value) => lines.map(of);
  return sql`
    insert into transaction_logs (user_id, actor_id, action, details, text, exchange_id, bid_id, coupon_id, payment_id,
      created_at)
    select * from unnest(
      ${each(({ userId }) => userId)}::integer[], ${each(({ actorId }) => actorId)}::integer[],
      ${each(({ action }) => action)}::text[], ${each(({ details }) => englishOf(details))}::text[],
      ${each(({ details }) => JSON.stringify(details))}::jsonb[],
      ${each(({ exchangeId }) => exchangeId)}::integer[], ${each(({ bidId }) => bidId)}::integer[],
      ${each(({ couponId }) => couponId)}::integer[], ${each(({ paymentId }) => paymentId)}::integer[],
      ${each(({ at }) => at)}::timestamptz[])`;
}

export async function insertLogs(trx: Trx, lines: readonly LogLine[]): Promise<void> {
  await insertingLogs(lines).execute(trx);
}

/**
 * Writes lines of history, and notifications with their mails and pushes as the people's preferences allow, and what
 * programs are told, in one statement. Of the messages of a
 * conversation it writes only one until the person reads it, even if two come at once (the unique indexes decide).
 * @returns the ids of the people who have a new notification
 */
export async function insertNews(trx: Trx, { lines, notices, programs }: News): Promise<number[]> {
  const each = <Value>(of: (notice: News['notices'][number]) => Value) => notices.map(of);
  const { rows } = await sql<{ userId: number }>`with logged as (${insertingLogs(lines)}
    ), told as (${tellingPrograms(programs)}
    ), given as (
      -- The id is known before the notification is written: its mail names it.
      select nextval(pg_get_serial_sequence('notifications', 'id'))::integer as id, notice.*
      from unnest(
        ${each(({ userId }) => userId)}::integer[], ${each(({ type }) => type)}::text[],
        ${each(({ content }) => englishOf(content))}::text[], ${each(({ content }) => JSON.stringify(content))}::jsonb[],
        ${each(({ relatedId }) => relatedId)}::integer[],
        ${each(({ link }) => link)}::text[], ${each(({ at }) => at)}::timestamptz[],
        ${each(({ mailSubject }) => englishOf(mailSubject))}::text[],
        ${each(({ mailSubject }) => JSON.stringify(mailSubject))}::jsonb[],
        ${each(({ receipt }) => receipt && JSON.stringify(englishReceipt(receipt)))}::jsonb[],
        ${each(({ receipt }) => receipt && JSON.stringify(receipt))}::jsonb[],
        ${each(({ isMailedApart = false }) => isMailedApart)}::boolean[]
      ) as notice (user_id, type, content, text, related_id, link, created_at, subject, subject_text, receipt,
        receipt_facts, is_mailed_apart)
    ), wanted as (
      select given.*, coalesce(wish.in_app, true) as in_app, 
        -- Those about wishes come together, once a day, unless people choose otherwise.
        coalesce(wish.mail, true) and not coalesce(wish.daily, type = 'want') and not is_mailed_apart as mail,
        coalesce(wish.push, true) as push
      from given left join notification_preferences as wish using (user_id, type)
    ), written as (
      insert into notifications (id, user_id, type, content, text, related_id, link, created_at)
      overriding system value select id, user_id, type, content, text, related_id, link, created_at from wanted where in_app order by id
      on conflict (user_id, link) where type = 'message' and not is_read do nothing
      returning id, user_id
    ), mailed as (
      insert into mail_outbox (notification_id, user_id, type, subject, subject_text, body, body_text, link, receipt,
        receipt_facts, until_read, next_try_at, created_at)
      select written.id, wanted.user_id, type, subject, subject_text, content, text, link, receipt, receipt_facts,
        type = 'message' and not in_app, created_at, created_at
      from wanted left join written using (id)
      where mail and (not in_app or written.id is not null)
      order by wanted.id
      on conflict (user_id, link) where until_read do nothing
    ), pushed as (
      insert into push_outbox (subscription_id, notification_id, type, title, text, link, next_try_at, created_at)
      select subscription.id, written.id, wanted.type, subject, subject_text, link, wanted.created_at,
        wanted.created_at
      from wanted join push_subscriptions as subscription using (user_id) left join written on written.id = wanted.id
      where push and (not in_app or written.id is not null)
      order by wanted.id
    )
    select distinct user_id from written`.execute(trx);
  return rows.map(({ userId }) => userId);
}

/** One delivery for each address; all who are told of an event get the same id. */
function tellingPrograms(programs: readonly ProgramNews[]): RawBuilder<unknown> {
  const events = programs.map(({ event, data, userIds, at }) => ({
    id: `msg_${randomUUID()}`,
    type: event,
    user_ids: userIds,
    body: { type: event, timestamp: at.toISOString(), data },
    at: at.toISOString(),
  }));
  return sql`
    insert into webhook_deliveries (endpoint_id, event_id, type, payload, next_at, created_at)
    select endpoint.id, event.id, event.type, event.body, event.at, event.at
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
        as event (id text, type text, user_ids integer[], body jsonb, at timestamptz)
      join webhook_endpoints as endpoint on endpoint.user_id = any(event.user_ids) or endpoint.is_for_all
      join users as owner on owner.id = endpoint.user_id
    where event.type = any(endpoint.events) and endpoint.disabled_at is null and owner.status <> 'banned'
      and (owner.role = 'admin' or not endpoint.is_for_all)
    order by endpoint.id, event.at`;
}

/** Whether there was one to mark. */
export async function markMessageRead(trx: Trx, userId: number, link: string): Promise<boolean> {
  await reopenMessageMail(trx, userId, link);
  const { numUpdatedRows } = await trx
    .updateTable('notifications')
    .set({ isRead: true })
    .where('userId', '=', userId)
    .where('link', '=', link)
    .where('type', '=', 'message')
    .where('isRead', '=', false)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export type NotificationRow = Awaited<ReturnType<typeof listNotifications>>['rows'][number];

const NOTIFICATIONS: ListOrder = {
  name: 'notifications',
  direction: 'desc',
  by: [
    ['createdAt', 'timestamptz'],
    ['id', 'integer'],
  ],
};

export async function listNotifications(db: Database, userId: number, paging: Paging) {
  const page = openPage(paging, NOTIFICATIONS, COUNT_CAP);
  const own = db.selectFrom('notifications').where('userId', '=', userId);
  const shown = own
    .select(['id', 'type', 'content', 'text', 'relatedId', 'link', 'isRead', 'createdAt'])
    .$narrowType<{ type: NotificationType }>();
  const rows = await page.select(shown).execute();
  return { ...page.finish(rows), ...(await cappedTotal(db, own.select('id'), COUNT_CAP)) };
}

export async function countUnread(db: Database, userId: number): Promise<number> {
  const unread = db.selectFrom('notifications').select('id').where('userId', '=', userId);
  return (await cappedTotal(db, unread.where('isRead', '=', false), COUNT_CAP)).total;
}

/** Whether there is such a notification of this person's. */
export async function markRead(db: Database, userId: number, id: number): Promise<boolean> {
  const found = await db
    .updateTable('notifications')
    .set({ isRead: true })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return found !== undefined;
}

/** Whether there was one to mark. */
export async function markAllRead(db: Database, userId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('notifications')
    .set({ isRead: true })
    .where('userId', '=', userId)
    .where('isRead', '=', false)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export type PreferenceRow = NotificationPreference & { readonly userId: number };

/** The stored preferences of these people; people without one are missing. */
export function listPreferences(db: Database | Trx, userIds: readonly number[]): Promise<PreferenceRow[]> {
  return db
    .selectFrom('notificationPreferences')
    .select(['userId', 'type', 'inApp', 'mail', 'push', 'daily'])
    .$narrowType<{ type: NotificationType }>()
    .where('userId', 'in', [...userIds])
    .execute();
}

export async function setPreference(
  db: Database,
  userId: number,
  preference: NotificationPreference,
): Promise<void> {
  const daily = preference.daily ?? preference.type === 'want';
  await db
    .insertInto('notificationPreferences')
    .values({ userId, ...preference, daily })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'type']).doUpdateSet({
        inApp: preference.inApp,
        mail: preference.mail,
        ...(preference.daily !== undefined && { daily }),
        ...(preference.push !== undefined && { push: preference.push }),
      }),
    )
    .execute();
}

/** Switches off one kind of mail and changes nothing else; does nothing for a deleted person. */
export async function endMail(db: Database, userId: number, type: NotificationType): Promise<void> {
  await db
    .insertInto('notificationPreferences')
    .columns(['userId', 'type', 'inApp', 'mail', 'daily'])
    .expression((from) =>
      from
        .selectFrom('users')
        .select((col) => [
          'id',
          col.val(type).as('type'),
          col.lit(true).as('inApp'),
          col.lit(false).as('mail'),
          col.lit(type === 'want').as('daily'),
        ])
        .where('id', '=', userId)
        .where('deletedAt', 'is', null),
    )
    .onConflict((conflict) => conflict.columns(['userId', 'type']).doUpdateSet({ mail: false }))
    .execute();
}
