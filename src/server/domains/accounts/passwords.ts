import type { ChangePasswordInput, ResetPasswordInput } from '#contract/accounts.ts';
import { TEXTS } from '#contract/texts.ts';
import { AppError, fieldError } from '#server/core/errors.ts';
import { addressKey, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import type { Context, MemberContext } from '../context.ts';
import { queueAccountMail, recordLog } from '../notifications/service.ts';
import { endSessionsOf, restartSessions, type SessionToken } from '../sessions/service.ts';
import { type DeviceToken, rememberDevice } from './devices.ts';
import { hashPassword, refuseGuessable } from './hashing.ts';
import { followLink, linkSpent, openLink } from './links.ts';
import { isSameAddress } from './rules.ts';
import { checkPassword } from './service.ts';
import { forgetFailedLogins } from './signing-in.ts';
import { findOwner, lockOwner, type OwnerRow, updatePerson } from './store.ts';
import { spendTokens } from './tokens-store.ts';

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
 * Sets a new password by a mailed link, which works once and for one hour. Using it proves the address. All sessions
 * end, and an address that was waiting for confirmation is dropped, since somebody else may have asked for it. The
 * account forgets every known browser except the one that asks, whose token is `device`.
 * @returns the new device token for that browser
 * @throws AppError bad_input (link used or expired; guessable password), rate_limited
 */
export async function resetPassword(
  ctx: Context,
  input: ResetPasswordInput,
  device: string | null = null,
): Promise<DeviceToken> {
  const link = await openLink(ctx, 'reset_password', input.token);
  await refuseGuessable(input.newPassword, link.person, 'newPassword');
  const passwordHash = await hashPassword(input.newPassword);
  await inTransaction(ctx.db, async (trx) => {
    const person = await followLink(trx, ctx, 'reset_password', link);
    if (!isSameAddress(link.email, person.email)) throw linkSpent();
    await setPassword(trx, ctx, person, passwordHash, 'Password reset');
    await updatePerson(trx, person.id, { emailVerifiedAt: person.emailVerifiedAt ?? ctx.clock() });
    await endSessionsOf(trx, person.id);
  });
  await forgetFailedLogins(ctx, link.person.id);
  return rememberDevice(ctx, { id: link.person.id, passwordHash }, device);
}

/**
 * Changes the caller's password. They stay signed in only in the browser that asks; `token` is its session.
 * @returns the new session token for that browser
 * @throws AppError bad_input (wrong current password; new password equal to the old one or guessable), rate_limited
 */
export async function changePassword(
  ctx: MemberContext,
  input: ChangePasswordInput,
  token: string | null,
  device: string | null = null,
): Promise<{ session: SessionToken; device: DeviceToken }> {
  const before = await findOwner(ctx.db, ctx.actor.id);
  if (!before) throw new AppError('unauthorized', TEXTS.requests.unauthorized);
  await checkPassword(ctx, input.currentPassword, 'currentPassword');
  if (input.newPassword === input.currentPassword) {
    throw fieldError('bad_input', 'newPassword', 'Your new password must differ from your current one.');
  }
  await refuseGuessable(input.newPassword, before, 'newPassword');
  const passwordHash = await hashPassword(input.newPassword);
  return inTransaction(ctx.db, async (trx) => {
    const person = await lockOwner(trx, ctx.actor.id);
    // The password has been changed meanwhile: the one that was checked is no longer current.
    if (person?.passwordHash !== before.passwordHash) {
      throw fieldError('bad_input', 'currentPassword', TEXTS.settings.wrongPassword);
    }
    await setPassword(trx, ctx, person, passwordHash, 'Password changed');
    return {
      session: await restartSessions(trx, ctx, token),
      device: rememberDevice(ctx, { id: person.id, passwordHash }, device),
    };
  });
}

/** Stores a new password, drops a pending address, makes reset links useless, and mails the person. */
async function setPassword(
  trx: Trx,
  ctx: Context,
  { id }: OwnerRow,
  passwordHash: string,
  details: string,
): Promise<void> {
  const at = ctx.clock();
  await updatePerson(trx, id, { passwordHash, pendingEmail: null, updatedAt: at });
  await spendTokens(trx, id, 'reset_password', at);
  await recordLog(trx, { userId: id, actorId: id, action: 'profile', details, at });
  await queueAccountMail(trx, { kind: 'password_changed', userId: id, address: null, at });
}
