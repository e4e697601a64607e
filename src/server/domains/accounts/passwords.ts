import type { ChangePasswordInput, ResetPasswordInput } from '#contract/accounts.ts';
import { TEXTS } from '#contract/texts.ts';
import { AppError, fieldError } from '#server/core/errors.ts';
import { callerOf, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
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
import { findOwner, lockOwner, type OwnerRow, spendTokens, updatePerson } from './store.ts';

const HOUR = 3_600;
const RESETS_PER_CALLER: RateLimit = { name: 'reset-caller', points: 10, seconds: HOUR };
const RESETS_PER_ADDRESS: RateLimit = { name: 'reset-address', points: 3, seconds: HOUR };

/**
 * Asks for a mailed link to choose a new password. The answer and what is written down are the same whoever has the
 * address, or nobody: it is looked up when the mail is sent. Beyond three an hour an address gets no more mail, and
 * nobody is told.
 * @throws AppError rate_limited after ten from one caller in an hour
 */
export async function requestPasswordReset(ctx: Context, { email }: { email: string }): Promise<void> {
  await enforceLimit(ctx.limiter, RESETS_PER_CALLER, callerOf(ctx.ip));
  const wait = await ctx.limiter.consume(RESETS_PER_ADDRESS, email.toLowerCase());
  if (wait > 0) return;
  await inTransaction(ctx.db, (trx) =>
    queueAccountMail(trx, { kind: 'reset_password', userId: null, address: email, at: ctx.clock() }),
  );
}

/**
 * Chooses a new password by a mailed link, which works for an hour and once. It has proved the address; all sessions
 * end, and an address that waited to be confirmed is forgotten, since somebody else may have asked for it. Every browser
 * is unknown again but the one that asks, whose token is `device`.
 * @returns what that browser is known by from now on
 * @throws AppError bad_input (the link is used or too old; a guessable password), rate_limited
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
 * Changes the caller's password; they stay signed in in the browser that asks, whose token is `token`, and nowhere
 * else.
 * @returns what that browser is to keep from now on
 * @throws AppError bad_input (a wrong current password; a new one that is the old one or guessable), rate_limited
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
    // Somebody has changed it meanwhile: what was checked is the current password no more.
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

/** Stores a new password, makes what was mailed or asked for under the old one useless, and tells the person. */
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
