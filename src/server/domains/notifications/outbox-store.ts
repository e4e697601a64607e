import { sql } from 'kysely';
import type { NotificationType } from '#contract/notifications.ts';
import type { Database, Trx } from '#server/database/client.ts';

/** A mail of news, for the address that the person has when it is sent. */
export interface NewsMail {
  /** Null: the person wants the mail alone. */
  readonly notificationId: number | null;
  readonly userId: number;
  readonly type: NotificationType;
  readonly subject: string;
  readonly body: string;
  readonly link: string;
  readonly at: Date;
}

/** Mail of the account itself: nobody can choose not to get it. */
export type AccountMailKind =
  | 'verify_email'
  | 'reset_password'
  | 'password_changed'
  | 'email_changed'
  | 'account_deleted'
  | 'status_changed';

export interface AccountMail {
  readonly kind: AccountMailKind;
  /** Whose account it is; null where nobody may be known to have one. */
  readonly userId: number | null;
  /** Where it goes; null: to the person's address at the time it is sent. */
  readonly address: string | null;
  /** What the mail has to say beyond its own words: the moderator's reason. */
  readonly body?: string;
  readonly at: Date;
}

function newsRow({ at, ...mail }: NewsMail) {
  return { ...mail, nextTryAt: at, createdAt: at };
}

export async function insertNewsMails(trx: Trx, mails: readonly NewsMail[]): Promise<void> {
  if (mails.length > 0) await trx.insertInto('mailOutbox').values(mails.map(newsRow)).execute();
}

/** Writes the mail of a conversation, unless one of it waits to be answered by a look into the conversation. */
export async function insertMessageMail(trx: Trx, mail: NewsMail): Promise<void> {
  await trx
    .insertInto('mailOutbox')
    .values({ ...newsRow(mail), untilRead: true })
    .onConflict((conflict) => conflict.columns(['userId', 'link']).where('untilRead', '=', true).doNothing())
    .execute();
}

/** Lets the next message of a conversation be told of by mail again. */
export async function reopenMessageMail(trx: Trx, userId: number, link: string): Promise<void> {
  await trx
    .updateTable('mailOutbox')
    .set({ untilRead: false })
    .where('userId', '=', userId)
    .where('link', '=', link)
    .where('untilRead', '=', true)
    .execute();
}

export async function insertAccountMail(
  trx: Trx,
  { at, ...mail }: AccountMail & { body: string; subject: string },
): Promise<void> {
  await trx
    .insertInto('mailOutbox')
    .values({ ...mail, nextTryAt: at, createdAt: at })
    .execute();
}

/** A mail that somebody has taken to send, and what is known of the person it is for. */
export interface ClaimedMail {
  readonly id: number;
  readonly kind: 'notification' | AccountMailKind;
  /** Of news alone. */
  readonly type: NotificationType | null;
  readonly subject: string;
  readonly body: string;
  readonly link: string | null;
  readonly userId: number | null;
  /** Where it goes instead of the person's own address. */
  readonly address: string | null;
  /** This one counted. */
  readonly attempts: number;
  readonly createdAt: Date;
  /** What follows is null where the mail is for nobody we know. */
  readonly email: string | null;
  readonly status: string | null;
  readonly isDemo: boolean | null;
  readonly isVerified: boolean | null;
  readonly isDeleted: boolean | null;
  /** Null: the person has not said. */
  readonly wantsMail: boolean | null;
}

/**
 * Takes the next mail that is due, mail of accounts first. It counts as tried, and is due again `backOff` seconds
 * (by the number of the try) later: whoever dies with it in hand leaves it to be tried again.
 */
export async function claimNext(
  db: Database,
  { now, backOff }: { now: Date; backOff: readonly number[] },
): Promise<ClaimedMail | null> {
  const { rows } = await sql<ClaimedMail>`
    with due as (
      select id, user_id, type from mail_outbox
      where sent_at is null and failed_at is null and next_try_at <= ${now} and attempts < ${backOff.length}
      order by kind = 'notification', next_try_at, id
      limit 1 for update skip locked
    )
    update mail_outbox as mail set
      attempts = mail.attempts + 1,
      next_try_at = ${now}::timestamptz + make_interval(secs => (${[...backOff]}::int[])[mail.attempts + 1])
    from due
      left join users on users.id = due.user_id
      left join notification_preferences as wish on wish.user_id = due.user_id and wish.type = due.type
    where mail.id = due.id
    returning mail.id, mail.kind, mail.type, mail.subject, mail.body, mail.link, mail.user_id, mail.address,
      mail.attempts, mail.created_at, users.email, users.status, users.is_demo,
      users.email_verified_at is not null as is_verified, users.deleted_at is not null as is_deleted,
      wish.mail as wants_mail`.execute(db);
  return rows[0] ?? null;
}

export async function markSent(db: Database, id: number, at: Date): Promise<void> {
  await db
    .updateTable('mailOutbox')
    .set({ sentAt: at, lastError: null })
    .where('id', '=', id)
    .where('failedAt', 'is', null)
    .execute();
}

/** Writes down why a try has failed; `givenUpAt`: it was the last one. */
export async function noteFailure(
  db: Database,
  id: number,
  { error, givenUpAt }: { error: string; givenUpAt: Date | null },
): Promise<void> {
  await db
    .updateTable('mailOutbox')
    .set({ lastError: error, failedAt: givenUpAt })
    .where('id', '=', id)
    .where('sentAt', 'is', null)
    .execute();
}

/** Takes out a mail that is for nobody. */
export async function removeMail(db: Database, id: number): Promise<void> {
  await db.deleteFrom('mailOutbox').where('id', '=', id).where('sentAt', 'is', null).execute();
}

/** Takes out what waits for demo people, as far as it was written before an instant. */
export async function removeDemoMail(db: Database, before: Date): Promise<void> {
  await db
    .deleteFrom('mailOutbox')
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .where('createdAt', '<=', before)
    .where('userId', 'in', db.selectFrom('users').select('id').where('isDemo', '=', true))
    .execute();
}

/** Gives up what was written before `before`, and what was tried for the last time and not answered; how many. */
export async function giveUp(
  db: Database,
  { now, before, tries }: { now: Date; before: Date; tries: number },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('mailOutbox')
    .set((where) => ({
      failedAt: now,
      lastError: where.fn.coalesce('lastError', sql.lit('not sent in time')),
    }))
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .where('nextTryAt', '<=', now)
    .where((where) => where.or([where('createdAt', '<', before), where('attempts', '>=', tries)]))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Forgets mail that was sent or given up before an instant, with the addresses in it. */
export async function removeEnded(db: Database, before: Date): Promise<void> {
  await db
    .deleteFrom('mailOutbox')
    .where((where) => where.or([where('sentAt', '<', before), where('failedAt', '<', before)]))
    .execute();
}
