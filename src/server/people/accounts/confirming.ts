import { couponPathIn } from '#contract/base/first-answers.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type {
  ConfirmationMail,
  SendVerificationInput,
  VerifiedEmail,
  VerifyEmailInput,
} from '#contract/people/accounts.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { fieldError } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit, refuseWhile } from '#server/core/rate-limit.ts';
import { inTransaction, isUniqueViolation, type Trx } from '#server/database/client.ts';
import { announce } from '#server/database/live.ts';
import { queueAccountMail, recordLog } from '#server/people/notifications/service.ts';
import { ACCOUNT_HISTORY } from '#server/texts/people.ts';
import { isPassword } from './hashing.ts';
import { followLink, linkSpent, openLink } from './links.ts';
import { emailTaken, isRetired } from './names.ts';
import { isSameAddress, unconfirmedAddress } from './rules.ts';
import { findOwner, type OwnerRow, updatePerson } from './store.ts';
import { revokeTokens } from './tokens-store.ts';
import { fromSite } from './tries.ts';
import { endWaysIn } from './ways-in.ts';

const HOUR = 3_600;
const MAILS_PER_PERSON: RateLimit = { name: 'verification-mail', points: 3, seconds: HOUR };
/** To one address at the wish of one network: whoever gives somebody else's address uses up their own. */
const MAILS_PER_SITE: RateLimit = { name: 'verification-site', points: 5, seconds: HOUR };
/** Anybody may give any address: nobody's mailbox is filled by that. */
const MAILS_PER_ADDRESS: RateLimit = { name: 'verification-address', points: 20, seconds: HOUR };

/**
 * Counts a mail that asks an address to be confirmed.
 * @returns 0, or the seconds to wait; then nothing is to be mailed
 */
export async function countVerification(ctx: Context, email: string): Promise<number> {
  const address = email.toLowerCase();
  const wait = await ctx.limiter.consume(MAILS_PER_SITE, fromSite(ctx, address));
  return wait || ctx.limiter.consume(MAILS_PER_ADDRESS, address);
}

/** `countVerification`, where the caller is told. @throws AppError rate_limited */
export async function enforceVerification(ctx: Context, email: string): Promise<void> {
  refuseWhile(MAILS_PER_ADDRESS, await countVerification(ctx, email));
}

/**
 * Queues the mail with the link that confirms a person's address.
 * @param from where they came from: a coupon's page is where the link leads to afterwards
 */
export async function queueVerification(
  trx: Trx,
  ctx: Context,
  userId: number,
  from?: string | null,
): Promise<void> {
  const link = couponPathIn(from ?? '');
  const mail = { kind: 'verify_email', userId, address: null, at: ctx.clock() } as const;
  await queueAccountMail(trx, { ...mail, ...(link !== null && { link }) });
}

/**
 * Mails the caller the confirmation link again. Does nothing if no address waits for confirmation.
 * @throws AppError rate_limited after three mails in an hour, or five to the address from one network
 */
export async function sendVerification(ctx: MemberContext, input?: SendVerificationInput): Promise<void> {
  const person = await findOwner(ctx.db, ctx.actor.id);
  const email = person && unconfirmedAddress(person);
  if (!email) return;
  await enforceLimit(ctx.limiter, MAILS_PER_PERSON, String(person.id));
  await enforceVerification(ctx, email);
  await inTransaction(ctx.db, (trx) => queueVerification(trx, ctx, person.id, input?.from));
}

/** Where the caller finds the link of `sendVerification`. */
export async function confirmationMail(ctx: MemberContext): Promise<ConfirmationMail> {
  const person = await findOwner(ctx.db, ctx.actor.id);
  const address = person ? unconfirmedAddress(person) : null;
  return {
    isConfirmed: ctx.actor.isConfirmed,
    address,
    page: address === null ? null : (ctx.providers.mail?.pageOf?.(address, ctx.ip) ?? null),
  };
}

/** Who confirms: the account's owner in an open session, or by its password; or somebody who has only the link. */
type Confirmer = 'session' | 'password' | 'link';

/**
 * Confirms the address that a link was mailed to: it is this account's from now on, and of no other. A pending address
 * replaces the old one, which is told and can take it back. The link works once, for 24 hours and only for the address
 * it was sent to.
 *
 * At an account's first address, whoever has only the link may be somebody whose address was given by a stranger: every
 * way in that there was ends, the password too, and a second mail lets them choose one. Who is signed in keeps this
 * session and the factors; who gives the password keeps everything.
 * @param token of the session that asks
 * @throws AppError bad_input (link used or expired, a wrong password), email_taken, rate_limited
 */
export async function verifyEmail(
  ctx: Context,
  input: VerifyEmailInput,
  token: string | null,
): Promise<VerifiedEmail> {
  const link = await openLink(ctx, ['verify_email'], input.token);
  const by = await confirmerOf(ctx, link.person, input.password);
  try {
    return await inTransaction(ctx.db, async (trx) => {
      const person = await followLink(trx, ctx, link);
      const email = unconfirmedAddress(person);
      if (!isSameAddress(link.email, email)) throw linkSpent();
      await confirm(trx, ctx, person, link.email);
      const isFirst = person.emailVerifiedAt === null;
      const needsPassword = isFirst && by === 'link';
      if (needsPassword) await handOver(trx, ctx, person.id, link.email);
      else if (isFirst && by === 'session')
        await endWaysIn(trx, ctx, person.id, { session: token, setUp: true, authenticator: true });
      await announce(trx, [{ userId: person.id, event: { kind: 'account' } }]);
      return { email: link.email, needsPassword };
    });
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_key')) throw emailTaken();
    throw error;
  }
}

async function confirmerOf(ctx: Context, person: OwnerRow, password: string | undefined): Promise<Confirmer> {
  if (ctx.actor?.id === person.id) return 'session';
  if (password === undefined) return 'link';
  if (await isPassword(person.passwordHash, password)) return 'password';
  throw fieldError('bad_input', 'password', TEXTS.settings.wrongPassword(), { kind: 'password' });
}

/** Makes an address the person's own. Fails with a unique violation of users_email_key. @throws AppError email_taken */
async function confirm(trx: Trx, ctx: Context, person: OwnerRow, email: string): Promise<void> {
  const at = ctx.clock();
  await updatePerson(trx, person.id, { email, emailVerifiedAt: at, pendingEmail: null, updatedAt: at });
  if (await isRetired(trx, ctx, email)) throw emailTaken();
  // Links to a new password that were sent to the old address must no longer open the account.
  await revokeTokens(trx, person.id, 'reset_password', at);
  const isMoved = !isSameAddress(person.email, email);
  const details = isMoved ? ACCOUNT_HISTORY.addressChanged() : ACCOUNT_HISTORY.addressConfirmed();
  await recordLog(trx, { userId: person.id, actorId: person.id, action: 'profile', details, at });
  // An address that was never confirmed may be a stranger's, who must not get a link to the account.
  if (isMoved && person.emailVerifiedAt) {
    const { email: address } = person;
    await queueAccountMail(trx, { kind: 'email_changed', userId: person.id, address, at });
  }
}

/** Leaves an account to whoever reads the mail of an address: nothing opens it but a link that is mailed there now. */
async function handOver(trx: Trx, ctx: Context, userId: number, email: string): Promise<void> {
  await updatePerson(trx, userId, { passwordHash: '' });
  await endWaysIn(trx, ctx, userId, { session: null, setUp: false, authenticator: false });
  const at = ctx.clock();
  await queueAccountMail(trx, { kind: 'reset_password', userId: null, address: email, at });
}
