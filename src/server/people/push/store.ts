import { sql } from 'kysely';
import { PUSH_BROWSERS_MAX, type QuietHours } from '#contract/people/push.ts';
import { sha256 } from '#server/core/crypto.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { PushTarget } from '#server/providers/push/push.ts';
import { englishOf } from '#server/texts/reading.ts';
import type { StoredText } from '#server/texts/stored.ts';
import type { PushedType } from './payload.ts';

/**
 * Makes the browser of a session get pushes. What it had before, or the same browser had for another sign-in, is replaced;
 * beyond `PUSH_BROWSERS_MAX` the person's oldest ends.
 * @returns false where there is no such session
 */
export async function putSubscription(
  trx: Trx,
  { userId, token, at, ...target }: PushTarget & { userId: number; token: string; at: Date },
): Promise<boolean> {
  const sessionId = sha256(token);
  const session = await trx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  if (!session) return false;
  await trx
    .deleteFrom('pushSubscriptions')
    .where((where) => where.or([where('endpoint', '=', target.endpoint), where('sessionId', '=', sessionId)]))
    .execute();
  await trx
    .insertInto('pushSubscriptions')
    .values({ ...target, userId, sessionId, createdAt: at })
    .execute();
  await trx
    .deleteFrom('pushSubscriptions')
    .where('id', 'in', (from) =>
      from
        .selectFrom('pushSubscriptions')
        .select('id')
        .where('userId', '=', userId)
        .orderBy('id', 'desc')
        .offset(PUSH_BROWSERS_MAX),
    )
    .execute();
  return true;
}

/** A person's browsers that get pushes, the newest first. @param token of the session that asks */
export function listSubscriptions(db: Database, userId: number, token: string) {
  return db
    .selectFrom('pushSubscriptions as subscription')
    .innerJoin('sessions', 'sessions.id', 'subscription.sessionId')
    .select(['subscription.id', 'sessions.userAgent', 'subscription.createdAt', 'subscription.lastUsedAt'])
    .select((where) => where('subscription.sessionId', '=', sha256(token)).as('isCurrent'))
    .where('subscription.userId', '=', userId)
    .orderBy('subscription.id', 'desc')
    .$narrowType<{ isCurrent: boolean }>()
    .execute();
}

/** Whether there was one of this person's. */
export async function deleteSubscription(db: Database, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('pushSubscriptions')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Removes a browser that its push service no longer knows, with all that waits for it. */
export async function dropSubscription(db: Database, id: number): Promise<void> {
  await db.deleteFrom('pushSubscriptions').where('id', '=', id).execute();
}

/** Queues a push to every browser of a person. @returns how many there are */
export async function queueForAll(
  db: Database,
  { userId, title, link, at }: { userId: number; title: StoredText; link: string; at: Date },
): Promise<number> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('pushOutbox')
    .columns(['subscriptionId', 'title', 'text', 'link', 'nextTryAt', 'createdAt'])
    .expression((from) =>
      from
        .selectFrom('pushSubscriptions')
        .select((col) => [
          'id',
          col.val(englishOf(title)).as('title'),
          sql<string>`${JSON.stringify(title)}::jsonb`.as('text'),
          col.val(link).as('link'),
          sql<Date>`${at}::timestamptz`.as('nextTryAt'),
          sql<Date>`${at}::timestamptz`.as('createdAt'),
        ])
        .where('userId', '=', userId),
    )
    .executeTakeFirstOrThrow();
  return Number(numInsertedOrUpdatedRows);
}

export async function findQuietHours(db: Database, userId: number): Promise<QuietHours | null> {
  const row = await db
    .selectFrom('quietHours')
    .select(['startsAt', 'endsAt', 'timeZone'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  const minutes = (time: string) => time.slice(0, 5);
  return row ? { from: minutes(row.startsAt), to: minutes(row.endsAt), timeZone: row.timeZone } : null;
}

/** Stores the hours without pushes, null for none; what waits is looked at again. */
export async function putQuietHours(
  trx: Trx,
  { userId, quietHours, at }: { userId: number; quietHours: QuietHours | null; at: Date },
): Promise<void> {
  await trx.deleteFrom('quietHours').where('userId', '=', userId).execute();
  if (quietHours) {
    const { from, to, timeZone } = quietHours;
    await trx.insertInto('quietHours').values({ userId, startsAt: from, endsAt: to, timeZone }).execute();
  }
  await trx
    .updateTable('pushOutbox')
    .set({ nextTryAt: at })
    .where('attempts', '=', 0)
    .where('subscriptionId', 'in', (from) =>
      from.selectFrom('pushSubscriptions').select('id').where('userId', '=', userId),
    )
    .execute();
}

/** Puts what is due off to the end of its person's quiet hours; trying it out does not wait. */
export async function putOffQuiet(db: Database, now: Date): Promise<void> {
  await sql`
    with due as (
      select push.id, ends_at, time_zone, ${now}::timestamptz at time zone time_zone as here,
        (${now}::timestamptz at time zone time_zone)::time as clock, starts_at
      from push_outbox as push
        join push_subscriptions as subscription on subscription.id = push.subscription_id
        join quiet_hours using (user_id)
      where push.next_try_at <= ${now} and push.type is not null
    )
    update push_outbox as push set next_try_at =
      (date_trunc('day', here) + ends_at + case when clock < ends_at then interval '0' else interval '1 day' end)
        at time zone time_zone
    from due
    where push.id = due.id and case when starts_at < ends_at then clock >= starts_at and clock < ends_at
      else clock >= starts_at or clock < ends_at end`.execute(db);
}

/** Puts a push off, where it does not wait for longer already. */
export async function putOff(db: Database, id: number, until: Date): Promise<void> {
  await db
    .updateTable('pushOutbox')
    .set({ nextTryAt: until })
    .where('id', '=', id)
    .where('nextTryAt', '<', until)
    .execute();
}

/** Removes what is due and makes no sense any more: read meanwhile, or too old. */
export async function dropStale(db: Database, now: Date, before: Date): Promise<void> {
  await sql`
    delete from push_outbox as push where next_try_at <= ${now} and (created_at < ${before} or exists (
      select from notifications where notifications.id = push.notification_id and is_read))`.execute(db);
}

/** A claimed push, with the browser that gets it. */
export interface ClaimedPush extends PushTarget {
  readonly id: number;
  readonly subscriptionId: number;
  readonly type: PushedType | null;
  readonly title: string;
  readonly text: unknown;
  /** Of the person. */
  readonly language: string;
  readonly link: string;
  /** Including this one. */
  readonly attempts: number;
  readonly createdAt: Date;
}

/**
 * Claims the next due push. Claiming counts as an attempt and schedules the next one after `backOff` seconds (by the number
 * of the attempt), so a push survives the death of its process.
 */
export async function claimNext(
  db: Database,
  { now, backOff }: { now: Date; backOff: readonly number[] },
): Promise<ClaimedPush | null> {
  const { rows } = await sql<ClaimedPush>`
    with due as (
      select id from push_outbox where next_try_at <= ${now} and attempts < ${backOff.length}
      order by next_try_at, id limit 1 for update skip locked
    )
    update push_outbox as push set
      attempts = push.attempts + 1,
      next_try_at = ${now}::timestamptz + make_interval(secs => (${[...backOff]}::int[])[push.attempts + 1])
    from due, push_subscriptions as subscription join users on users.id = subscription.user_id
    where push.id = due.id and subscription.id = push.subscription_id
    returning push.id, push.subscription_id, push.type, push.title, push.text, push.link, push.attempts, push.created_at,
      subscription.endpoint, subscription.p256dh, subscription.auth, users.language`.execute(db);
  return rows[0] ?? null;
}

/** Ends a push: it was sent (`sentAt`), or given up. */
export async function endPush(
  db: Database,
  { id, subscriptionId }: ClaimedPush,
  sentAt: Date | null,
): Promise<void> {
  await db.deleteFrom('pushOutbox').where('id', '=', id).execute();
  if (sentAt)
    await db
      .updateTable('pushSubscriptions')
      .set({ lastUsedAt: sentAt })
      .where('id', '=', subscriptionId)
      .execute();
}
