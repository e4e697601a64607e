import { sql } from 'kysely';
import { defaultLanguage, language } from '#contract/base/i18n.ts';
import type { Receipt } from '#contract/money/receipts.ts';
import type { NotificationType } from '#contract/people/notifications.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { AccountMailKind } from '#server/texts/mails.ts';
import { englishOf } from '#server/texts/reading.ts';
import type { StoredText } from '#server/texts/stored.ts';

/** A receipt or fee statement in a mail. */
export interface MailedReceipt {
  readonly title: string;
  readonly lines: readonly { readonly name: string; readonly value: string }[];
  readonly note: string;
  /** The page to print: a path of this site. */
  readonly link: string;
}

export interface AccountMail {
  readonly kind: AccountMailKind;
  /** The account's owner; null if nobody may learn whether there is an account. */
  readonly userId: number | null;
  /** The recipient; null for the person's address at the time of sending. */
  readonly address: string | null;
  /** What it says besides its fixed words: a text of ours, or a name. */
  readonly body?: StoredText | string;
  /** The page of its button, where the kind of mail does not say it. */
  readonly link?: string;
  readonly at: Date;
}

/** Allows a mail about the next message of a conversation again. */
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
  { at, subject, body = '', ...mail }: AccountMail & { subject: StoredText },
): Promise<void> {
  const isName = typeof body === 'string';
  await trx
    .insertInto('mailOutbox')
    .values({
      ...mail,
      ...subjectOf(subject),
      body: isName ? body : englishOf(body),
      bodyText: isName ? null : JSON.stringify(body),
      // Whoever has no account, or may not learn of one, is the person who asks.
      language: mail.userId === null ? language() : null,
      nextTryAt: at,
      createdAt: at,
    })
    .execute();
}

/** A mail of news without a notification of its own. */
export interface NewsMail {
  readonly userId: number;
  readonly type: NotificationType;
  readonly subject: StoredText;
  readonly body: StoredText;
  /** The page about it: a path of this site. */
  readonly link: string;
  readonly at: Date;
}

export async function insertNewsMails(trx: Trx, mails: readonly NewsMail[]): Promise<void> {
  if (mails.length === 0) return;
  const rows = mails.map(({ at, subject, body, ...mail }) => ({
    ...mail,
    ...subjectOf(subject),
    body: englishOf(body),
    bodyText: JSON.stringify(body),
    nextTryAt: at,
    createdAt: at,
  }));
  await trx.insertInto('mailOutbox').values(rows).execute();
}

function subjectOf(subject: StoredText) {
  return { subject: englishOf(subject), subjectText: JSON.stringify(subject) };
}

/** A claimed mail, with what we know of its recipient. */
export interface ClaimedMail {
  readonly id: number;
  readonly kind: 'notification' | AccountMailKind;
  /** For news only. */
  readonly type: NotificationType | null;
  readonly subject: string;
  readonly subjectText: unknown;
  readonly body: string;
  readonly bodyText: unknown;
  readonly link: string | null;
  readonly receipt: MailedReceipt | null;
  readonly receiptFacts: Receipt | null;
  /** Of the person, or else of the mail. */
  readonly language: string;
  readonly userId: number | null;
  /** Replaces the person's own address. */
  readonly address: string | null;
  /** Including this one. */
  readonly attempts: number;
  readonly createdAt: Date;
  /** The following fields are null if the recipient is not a user. */
  readonly email: string | null;
  readonly status: string | null;
  readonly isDemo: boolean | null;
  readonly isVerified: boolean | null;
  readonly isDeleted: boolean | null;
  /** Null if the person has set no preference. */
  readonly wantsMail: boolean | null;
}

/**
 * Claims the next due mail, account mail first. Claiming counts as an attempt and schedules the next one after `backOff`
 * seconds (by the number of the attempt), so a mail survives the death of its process.
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
    returning mail.id, mail.kind, mail.type, mail.subject, mail.subject_text, mail.body, mail.body_text, mail.link,
      mail.receipt, mail.receipt_facts, mail.user_id, mail.address,
      coalesce(users.language, mail.language, ${defaultLanguage()}) as language,
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

/** Stores why an attempt failed; `givenUpAt` is set for the last one. */
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

/** Removes a mail without a recipient. */
export async function removeMail(db: Database, id: number): Promise<void> {
  await db.deleteFrom('mailOutbox').where('id', '=', id).where('sentAt', 'is', null).execute();
}

/** Removes waiting mail to demo people that was written before an instant. */
export async function removeDemoMail(db: Database, before: Date): Promise<void> {
  await db
    .deleteFrom('mailOutbox')
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .where('createdAt', '<=', before)
    .where('userId', 'in', db.selectFrom('users').select('id').where('isDemo', '=', true))
    .execute();
}

/** Gives up mail written before `before`, and mail whose last attempt got no answer. @returns how many */
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

/** Deletes mail that was sent or given up before an instant, with its addresses. */
export async function removeEnded(db: Database, before: Date): Promise<void> {
  await db
    .deleteFrom('mailOutbox')
    .where((where) => where.or([where('sentAt', '<', before), where('failedAt', '<', before)]))
    .execute();
}
