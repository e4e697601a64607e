import { t } from '@lingui/core/macro';
import { TEXTS } from '#contract/base/texts.ts';
import type { ChangePasswordInput, ResetPasswordInput } from '#contract/people/accounts.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { AppError, fieldError } from '#server/core/errors.ts';
import { addressKey, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction, isUniqueViolation, type Trx } from '#server/database/client.ts';
import { queueAccountMail, recordLog } from '#server/people/notifications/service.ts';
import { restartSession } from '#server/people/sessions/service.ts';
import type { SessionToken } from '#server/people/sessions/sessions.ts';
import { ACCOUNT_HISTORY } from '#server/texts/people.ts';
import type { StoredText } from '#server/texts/stored.ts';
import { checkPassword } from './accounts.ts';
import { type DeviceToken, rememberDevice } from './devices.ts';
import { hashPassword, refuseGuessable, usualForm } from './hashing.ts';
import { followLink, linkSpent, openLink } from './links.ts';
import { emailTaken, isRetired } from './names.ts';
import { checkPasskey } from './passkey-checks.ts';
import { isSameAddress } from './rules.ts';
import { findOwner, lockOwner, type OwnerRow, updatePerson } from './store.ts';
import { revokeTokens } from './tokens-store.ts';
import { forgetFailedLogins } from './tries.ts';
import { endWaysIn, type Kept, waysInText } from './ways-in.ts';

const HOUR = 3_600;
const RESETS_PER_ADDRESS: RateLimit = { name: 'reset-address', points: 10, seconds: HOUR };
const RESETS_PER_EMAIL: RateLimit = { name: 'reset-email', points: 3, seconds: HOUR };

/**
 * Queues a mail with a link for choosing a new password. The answer and the stored rows are the same whether or not the
 * address belongs to an account: it is looked up when the mail is sent. After three requests an hour an account gets no
 * more mail; the answer stays the same.
 * @throws AppError rate_limited after ten requests from one network address in an hour
 */
export async function requestPasswordReset(ctx: Context, { email }: { email: string }): Promise<void> {
  await enforceLimit(ctx.limiter, RESETS_PER_ADDRESS, addressKey(ctx.ip));
  const wait = await ctx.limiter.consume(RESETS_PER_EMAIL, email.toLowerCase());
  if (wait > 0) return;
  await inTransaction(ctx.db, (trx) =>
    queueAccountMail(trx, { kind: 'reset_password', userId: null, address: email, at: ctx.clock() }),
  );
}

/**
 * Sets a new password by a mailed link, which works once: for one hour if somebody has asked for it, for seven days if
 * it came with the news of a change ("This was not me"). Every other way in ends, but for the authenticator app: who
 * reads the mail alone must not get past it. "This was not me" also ends an authenticator app that was turned on since,
 * and takes the address back that the link was sent to. The account forgets every known browser except the one that
 * asks, whose token is `device`.
 * @returns the new device token for that browser
 * @throws AppError bad_input (link used or expired; guessable password), rate_limited, email_taken (the address is
 *   somebody else's by now)
 */
export async function resetPassword(
  ctx: Context,
  input: ResetPasswordInput,
  device: string | null = null,
): Promise<DeviceToken> {
  const link = await openLink(ctx, ['reset_password', 'not_me'], input.token);
  await refuseGuessable(input.newPassword, link.person, 'newPassword');
  const passwordHash = await hashPassword(input.newPassword);
  const isNotMe = link.purpose === 'not_me';
  const kept: Kept = { session: null, setUp: false, authenticator: isNotMe ? link.createdAt : true };
  await inTransaction(ctx.db, async (trx) => {
    const person = await followLink(trx, ctx, link);
    if (isNotMe) {
      if (!isSameAddress(link.email, person.email)) await takeBack(trx, ctx, person, link.email);
      // Those before are the owner's: whoever came later cannot use up the links that take back more.
      await revokeTokens(trx, person.id, 'not_me', ctx.clock(), link.createdAt);
    } else if (!isSameAddress(link.email, person.email)) throw linkSpent();
    await setPassword(trx, ctx, person, { passwordHash, details: ACCOUNT_HISTORY.passwordReset(), kept });
  });
  await forgetFailedLogins(ctx, link.person.id);
  return rememberDevice(ctx, { id: link.person.id, passwordHash }, device);
}

/** Gives an account the address back that it had. @throws AppError email_taken */
async function takeBack(trx: Trx, ctx: Context, { id }: OwnerRow, email: string): Promise<void> {
  const at = ctx.clock();
  try {
    await updatePerson(trx, id, { email, emailVerifiedAt: at });
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_key')) throw emailTaken();
    throw error;
  }
  if (await isRetired(trx, ctx, email)) throw emailTaken();
  await recordLog(trx, {
    userId: id,
    actorId: id,
    action: 'profile',
    details: ACCOUNT_HISTORY.addressTakenBack(),
    at,
  });
}

/**
 * Changes the caller's password, or gives them one, after the current one or a passkey. They stay signed in only in the
 * browser that asks.
 * @param kept token: of its session; challenge: to which the passkey's challenge was bound
 * @returns the new session token for that browser
 * @throws AppError bad_input (wrong current password, a refused passkey; new password equal to the old one or guessable), rate_limited
 */
export async function changePassword(
  ctx: MemberContext,
  input: ChangePasswordInput,
  { token, device, challenge }: Record<'token' | 'device' | 'challenge', string | null>,
): Promise<{ session: SessionToken; device: DeviceToken }> {
  const before = await findOwner(ctx.db, ctx.actor.id);
  if (!before) throw new AppError('unauthorized', TEXTS.requests.unauthorized());
  const { currentPassword = '', passkey } = input;
  if (passkey) await checkPasskey(ctx, passkey, challenge);
  else await checkPassword(ctx, currentPassword, 'currentPassword');
  if (usualForm(input.newPassword) === usualForm(currentPassword)) {
    throw fieldError('bad_input', 'newPassword', t`Your new password must differ from your current one.`);
  }
  await refuseGuessable(input.newPassword, before, 'newPassword');
  const passwordHash = await hashPassword(input.newPassword);
  return inTransaction(ctx.db, async (trx) => {
    const person = await lockOwner(trx, ctx.actor.id);
    // The password has been changed meanwhile: the one that was checked is no longer current.
    if (person?.passwordHash !== before.passwordHash) {
      throw fieldError('bad_input', 'currentPassword', TEXTS.settings.wrongPassword());
    }
    const kept: Kept = { session: token, setUp: true, authenticator: true };
    await setPassword(trx, ctx, person, { passwordHash, details: ACCOUNT_HISTORY.passwordChanged(), kept });
    return {
      session: await restartSession(trx, ctx, token),
      device: rememberDevice(ctx, { id: person.id, passwordHash }, device),
    };
  });
}

/** Stores a new password, ends the ways in that are not to be kept, and mails the person. */
async function setPassword(
  trx: Trx,
  ctx: Context,
  { id }: OwnerRow,
  { passwordHash, details, kept }: { passwordHash: string; details: StoredText; kept: Kept },
): Promise<void> {
  const at = ctx.clock();
  await updatePerson(trx, id, { passwordHash });
  const body = waysInText(await endWaysIn(trx, ctx, id, kept));
  await recordLog(trx, { userId: id, actorId: id, action: 'profile', details, at });
  await queueAccountMail(trx, { kind: 'password_changed', userId: id, address: null, body, at });
}
