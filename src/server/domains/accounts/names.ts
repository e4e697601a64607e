import { TEXTS } from '#contract/texts.ts';
import { type AppError, fieldError } from '#server/core/errors.ts';
import { skeleton } from '#server/core/fold.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { Context } from '../context.ts';
import { insertClaim, isClaimed, type NameClaim } from './names-store.ts';

type Keyed = Pick<Context, 'vault'>;

export const usernameTaken = (): AppError =>
  fieldError('username_taken', 'username', TEXTS.accounts.usernameTaken);
export const emailTaken = (): AppError => fieldError('email_taken', 'email', TEXTS.accounts.emailTaken);

function fingerprintOf({ vault }: Keyed, kind: NameClaim['kind'], name: string): string {
  return vault.fingerprint(`${kind} ${name.toLowerCase()}`);
}

/**
 * Claims a username for a person: nobody else can register it, not even after the account is deleted. Write the row of
 * `users` first, so that a simultaneous deletion of an account with the same name is waited for.
 * @throws AppError username_taken
 */
export async function claimUsername(
  trx: Trx,
  ctx: Keyed,
  { userId, username }: { userId: number; username: string },
): Promise<void> {
  const fingerprint = fingerprintOf(ctx, 'username', username);
  if (!(await insertClaim(trx, { kind: 'username', fingerprint, userId }))) throw usernameTaken();
}

/**
 * Claims what a person's username looks like, in the same way.
 * @returns false if it is another person's, as of people whose names looked alike before that was refused
 */
export async function claimLook(
  trx: Trx,
  { vault }: Keyed,
  { userId, username }: { userId: number; username: string },
): Promise<boolean> {
  const fingerprint = vault.fingerprint(`skeleton ${skeleton(username)}`);
  return insertClaim(trx, { kind: 'username', fingerprint, userId });
}

/** Keeps the confirmed address of an account that is being deleted from others for good. */
export async function retireEmail(
  trx: Trx,
  ctx: Keyed,
  { userId, email }: { userId: number; email: string },
): Promise<void> {
  await insertClaim(trx, { kind: 'email', fingerprint: fingerprintOf(ctx, 'email', email), userId });
}

/** Whether an address was that of an account that is deleted. */
export async function isRetired(db: Database | Trx, ctx: Keyed, email: string): Promise<boolean> {
  return isClaimed(db, 'email', fingerprintOf(ctx, 'email', email));
}
