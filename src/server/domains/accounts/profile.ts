import type { ConfirmationMail, SessionUser, UpdateProfileInput, VerifiedEmail } from '#contract/accounts.ts';
import { TEXTS } from '#contract/texts.ts';
import { AppError } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction, isUniqueViolation } from '#server/database/client.ts';
import { announce } from '#server/database/live.ts';
import type { Context, MemberContext } from '../context.ts';
import { queueAccountMail, recordLog } from '../notifications/service.ts';
import { replacePicture } from '../pictures/service.ts';
import { followLink, linkSpent, openLink } from './links.ts';
import { changeEmailClaim, emailTaken, refuseTakenEmail } from './names.ts';
import { isSameAddress, unconfirmedAddress } from './rules.ts';
import { currentUser } from './service.ts';
import { findOwner, lockOwner, type OwnerRow, updatePerson } from './store.ts';
import { spendTokens } from './tokens-store.ts';

const HOUR = 3_600;
const VERIFICATIONS_PER_PERSON: RateLimit = { name: 'verification-mail', points: 3, seconds: HOUR };
/** Each attempt mails an address of the caller's choice and reveals whether an account has it. */
const ADDRESSES_PER_PERSON: RateLimit = { name: 'new-address', points: 5, seconds: HOUR };

/**
 * Changes the caller's profile. A new e-mail address replaces the old one only when the link mailed to it is followed;
 * giving the old address again cancels the change.
 * @throws AppError email_taken, bad_input on profileImageUrl, rate_limited (too many new addresses), unauthorized if
 *   the account has just been deleted
 */
export async function updateProfile(ctx: MemberContext, input: UpdateProfileInput): Promise<SessionUser> {
  const before = await findOwner(ctx.db, ctx.actor.id);
  if (before && isNewAddress(before, input.email)) {
    await enforceLimit(ctx.limiter, ADDRESSES_PER_PERSON, String(ctx.actor.id));
  }
  await inTransaction(ctx.db, async (trx) => {
    const person = await lockOwner(trx, ctx.actor.id);
    if (!person) throw new AppError('unauthorized', TEXTS.requests.unauthorized);
    const at = ctx.clock();
    const { email, profileImageUrl, ...profile } = input;
    const isNew = isNewAddress(person, email);
    if (isNew) await refuseTakenEmail(trx, ctx, { userId: person.id, email });
    const pendingEmail = isSameAddress(email, person.email) ? null : email;
    const pictureId =
      profileImageUrl === undefined
        ? person.pictureId
        : await replacePicture(trx, {
            url: profileImageUrl,
            before: person.pictureId,
            kind: 'profile',
            field: 'profileImageUrl',
            uploaderId: person.id,
            at,
          });
    await updatePerson(trx, person.id, { ...profile, pictureId, pendingEmail, updatedAt: at });
    if (isNew) await queueAccountMail(trx, { kind: 'verify_email', userId: person.id, address: null, at });
    await recordProfile(trx, person.id, 'Profile updated', at);
  });
  return currentUser(ctx);
}

/** Whether an address is neither the person's current one nor the pending one. */
function isNewAddress(person: OwnerRow, email: string): boolean {
  return !isSameAddress(email, person.email) && !isSameAddress(email, person.pendingEmail);
}

/**
 * Mails the caller the confirmation link again. Does nothing if no address waits for confirmation.
 * @throws AppError rate_limited after three mails in an hour
 */
export async function sendVerification(ctx: MemberContext): Promise<void> {
  const person = await findOwner(ctx.db, ctx.actor.id);
  if (!person || unconfirmedAddress(person) === null) return;
  await enforceLimit(ctx.limiter, VERIFICATIONS_PER_PERSON, String(person.id));
  await inTransaction(ctx.db, (trx) =>
    queueAccountMail(trx, { kind: 'verify_email', userId: person.id, address: null, at: ctx.clock() }),
  );
}

/** Where the caller finds the link of `sendVerification`. */
export async function confirmationMail(ctx: MemberContext): Promise<ConfirmationMail> {
  const person = await findOwner(ctx.db, ctx.actor.id);
  const address = person ? unconfirmedAddress(person) : null;
  const isConfirmed = ctx.actor.isConfirmed;
  return {
    isConfirmed,
    address,
    page: address === null ? null : (ctx.providers.mail?.pageOf?.(address, ctx.ip) ?? null),
  };
}

/**
 * Confirms the address that a link was mailed to. A pending address replaces the old one, which is notified. The link
 * works once, for 24 hours and only for the address it was sent to.
 * @throws AppError bad_input (link used or expired), email_taken, rate_limited
 */
export async function verifyEmail(ctx: Context, { token }: { token: string }): Promise<VerifiedEmail> {
  const link = await openLink(ctx, 'verify_email', token);
  try {
    await inTransaction(ctx.db, async (trx) => {
      const person = await followLink(trx, ctx, 'verify_email', link);
      const at = ctx.clock();
      const confirmed = { emailVerifiedAt: at, updatedAt: at };
      if (isSameAddress(link.email, person.pendingEmail)) {
        await updatePerson(trx, person.id, { ...confirmed, email: link.email, pendingEmail: null });
        await changeEmailClaim(trx, ctx, { userId: person.id, from: person.email, to: link.email });
        // Reset links sent to the old address must no longer open the account.
        await spendTokens(trx, person.id, 'reset_password', at);
        await queueAccountMail(trx, {
          kind: 'email_changed',
          userId: person.id,
          address: person.email,
          at,
        });
        await recordProfile(trx, person.id, 'E-mail address changed', at);
      } else if (isSameAddress(link.email, person.email)) {
        await updatePerson(trx, person.id, confirmed);
        await recordProfile(trx, person.id, 'E-mail address confirmed', at);
      } else {
        throw linkSpent();
      }
      await announce(trx, [{ userId: person.id, event: { kind: 'account' } }]);
    });
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_key')) throw emailTaken();
    throw error;
  }
  return { email: link.email };
}

/** Adds a line to the person's own history. Lines contain no e-mail addresses. */
function recordProfile(trx: Parameters<typeof recordLog>[0], userId: number, details: string, at: Date) {
  return recordLog(trx, { userId, actorId: userId, action: 'profile', details, at });
}
