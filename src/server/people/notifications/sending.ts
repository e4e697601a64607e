import { localPath, toLanguage } from '#contract/base/i18n.ts';
import { paths } from '#contract/base/pages.ts';
import type { Context } from '#server/context/context.ts';
import { runAtOnce } from '#server/core/at-once.ts';
import { addDays } from '#server/core/clock.ts';
import { inLanguage } from '#server/core/language.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { resumeClock } from '#server/people/clocks/service.ts';
import { type Mail, MailDeferred, type Mailer, MailRefused } from '#server/providers/mail/mailer.ts';
import type { InsteadKind } from '#server/texts/mails.ts';
import { MAIL_SUBJECTS } from '#server/texts/mails.ts';
import { read, textOf as wordsOf } from '#server/texts/reading.ts';
import { contentOf, htmlOf, textOf } from './mail-templates.ts';
import * as store from './outbox-store.ts';
import { unsubscribeToken } from './preferences.ts';
import { mailedReceipt } from './receipts.ts';
import { addressOf, BACK_OFF, KEPT_DAYS, MAIL_DAYS } from './rules.ts';

/** A link with a token, created for one mail. */
interface AccountLink {
  readonly to: string;
  /** A path of this site. */
  readonly path: string;
  /** A mail of another kind that goes out instead. */
  readonly instead?: { readonly kind: InsteadKind; readonly body: string };
}

/** Creates the links of account mail when it is sent; null: there is nobody to send it to. */
export interface AccountLinks {
  /** @param from the path that the page of the link leads to afterwards */
  verifyEmail(trx: Trx, ctx: Context, userId: number, from: string | null): Promise<AccountLink | null>;
  resetPassword(trx: Trx, ctx: Context, email: string): Promise<AccountLink | null>;
  /** A path with the proof of who the reader is. */
  defend(ctx: Context, userId: number): string;
  /** The link "This was not me". @param at when the mail was written that it is for */
  notMe(trx: Trx, ctx: Context, of: { userId: number; to: string; at: Date }): Promise<AccountLink | null>;
}

/** How many mails are sent at the same time. */
const AT_ONCE = 4;

/**
 * Sends the mail that is due, up to AT_ONCE at the same time. Each mail is claimed for this process, sent outside any
 * transaction and marked as sent. Two processes never send the same mail; after a crash between sending and marking it
 * is sent again with the same Message-ID. Without a mailer, mail waits. A mail is given up when it is refused
 * permanently, has failed as often as BACK_OFF allows, or is a week old; a mail without a recipient is deleted.
 * @param signal stops early, after the mails that are being sent
 */
export async function sendWaitingMail(
  ctx: Context,
  links: AccountLinks,
  signal?: AbortSignal,
): Promise<{ sent: number; failed: number }> {
  const mailer = ctx.providers.mail;
  const now = ctx.clock();
  const weekAgo = addDays(now, -MAIL_DAYS);
  // Only developers read the mail of demo people, on the outbox page.
  await store.removeDemoMail(ctx.db, mailer?.transport === 'outbox' ? weekAgo : now);
  const late = await store.giveUp(ctx.db, { now, before: weekAgo, tries: BACK_OFF.length });
  const counts = { sent: 0, failed: late };
  if (!mailer) return counts;

  const work = async () => {
    while (!signal?.aborted) {
      const mail = await store.claimNext(ctx.db, { now: ctx.clock(), backOff: BACK_OFF });
      if (!mail) return;
      const outcome = await sendOne(ctx, mailer, links, mail);
      if (outcome !== 'dropped') counts[outcome] += 1;
    }
  };
  // A mail that is not marked as sent goes twice.
  await runAtOnce(AT_ONCE, work);
  return counts;
}

/** Deletes mail that was sent or given up a month ago. */
export async function forgetEndedMail(ctx: Context): Promise<void> {
  await store.removeEnded(ctx.db, addDays(ctx.clock(), -KEPT_DAYS));
}

async function sendOne(
  ctx: Context,
  mailer: Mailer,
  links: AccountLinks,
  claimed: store.ClaimedMail,
): Promise<'sent' | 'failed' | 'dropped'> {
  try {
    const mail = await inLanguage(toLanguage(claimed.language), () => write(ctx, links, claimed));
    if (!mail) {
      await store.removeMail(ctx.db, claimed.id);
      return 'dropped';
    }
    await mailer.send(mail);
  } catch (error) {
    return noteFailure(ctx, claimed, error);
  }
  const defender = defenderOf(claimed);
  if (defender !== null) await resumeClock(ctx.db, { userId: defender, cause: 'banned', at: ctx.clock() });
  await store.markSent(ctx.db, claimed.id, ctx.clock());
  return 'sent';
}

async function noteFailure(ctx: Context, claimed: store.ClaimedMail, error: unknown): Promise<'failed'> {
  const isKnown = error instanceof MailRefused || error instanceof MailDeferred;
  const isLast = error instanceof MailRefused || claimed.attempts >= BACK_OFF.length;
  // Messages of other errors may contain an address.
  const reason = isKnown ? error.message : error instanceof Error ? error.name : 'unknown';
  const { id, kind, attempts } = claimed;
  if (!isKnown) ctx.log.error({ err: error, mailId: id, kind }, 'a mail could not be written');
  else ctx.log.warn({ mailId: id, kind, attempts, reason, isLast }, 'a mail was not sent');
  await store.noteFailure(ctx.db, id, { error: reason, givenUpAt: isLast ? ctx.clock() : null });
  return 'failed';
}

/** The mail to send; null if it has no recipient. */
async function write(ctx: Context, links: AccountLinks, claimed: store.ClaimedMail): Promise<Mail | null> {
  const site = ctx.config.publicUrl;
  const target = await targetOf(ctx, links, claimed);
  if (!target) return null;
  const { userId, type } = claimed;
  const token =
    claimed.kind === 'notification' && userId !== null && type !== null
      ? unsubscribeToken(ctx, { userId, type })
      : null;
  const { kind, body, subject } = target.instead
    ? { ...target.instead, subject: wordsOf(MAIL_SUBJECTS.account({ kind: target.instead.kind })) }
    : {
        kind: claimed.kind,
        body: read(ctx, claimed.bodyText, claimed.body),
        subject: read(ctx, claimed.subjectText, claimed.subject),
      };
  const { receiptFacts } = claimed;
  const receipt = receiptFacts ? mailedReceipt(receiptFacts) : claimed.receipt;
  const content = contentOf(
    { ...claimed, kind, body, subject, receipt },
    {
      main: target.path === null ? null : site + localPath(target.path),
      unsubscribe: token && site + localPath(paths.mailed('unsubscribe', token)),
      receipt: receipt && site + localPath(receipt.link),
    },
    ctx.config.supportEmail,
  );
  return {
    to: target.to,
    subject,
    text: textOf(content),
    html: htmlOf(content),
    unsubscribeUrl: token && `${site}/api/unsubscribe?token=${token}`,
    messageId: `<mail-${claimed.id}-${claimed.createdAt.getTime()}@${new URL(site).hostname}>`,
  };
}

/** Who gets the link of a banned person in this mail: only the owner of a confirmed address. */
function defenderOf({ link, userId, isVerified }: store.ClaimedMail): number | null {
  return link === paths.defend && isVerified ? userId : null;
}

/** Mails of changes that the owner may not have made. */
const OF_CHANGES: ReadonlySet<store.ClaimedMail['kind']> = new Set([
  'password_changed',
  'email_changed',
  'new_browser',
  'second_factor',
  'second_factor_tries',
  'passkey',
  'identity',
  'passkey_copied',
  'api_key',
  'webhook',
]);

/** The address and the link of a mail; null if it has no recipient. */
async function targetOf(
  ctx: Context,
  links: AccountLinks,
  claimed: store.ClaimedMail,
): Promise<(Omit<AccountLink, 'path'> & { readonly path: string | null }) | null> {
  const { kind, userId, link, createdAt: at } = claimed;
  const to = addressOf(claimed);
  if (kind === 'verify_email') {
    return userId === null ? null : inTransaction(ctx.db, (trx) => links.verifyEmail(trx, ctx, userId, link));
  }
  if (to === null) return null;
  if (link === paths.defend) {
    const defender = defenderOf(claimed);
    return { to, path: defender === null ? null : links.defend(ctx, defender) };
  }
  if (kind === 'reset_password') return inTransaction(ctx.db, (trx) => links.resetPassword(trx, ctx, to));
  if (OF_CHANGES.has(kind) && userId !== null) {
    const back = await inTransaction(ctx.db, (trx) => links.notMe(trx, ctx, { userId, to, at }));
    return back ?? { to, path: null };
  }
  return { to, path: link };
}
