import { TEXTS } from '#contract/texts.ts';
import { type AppError, fieldError } from '#server/core/errors.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { Context } from '../context.ts';
import { deleteClaim, insertClaim, isClaimedByAnother, type NameClaim } from './names-store.ts';
import { isEmailOfAnother } from './store.ts';

type Keyed = Pick<Context, 'vault'>;

interface Names {
  readonly userId: number;
  readonly username: string;
  readonly email: string;
}

const TAKEN = {
  username: () => fieldError('username_taken', 'username', TEXTS.accounts.usernameTaken),
  email: () => fieldError('email_taken', 'email', TEXTS.accounts.emailTaken),
} as const satisfies Record<NameClaim['kind'], () => AppError>;

export const usernameTaken = TAKEN.username;
export const emailTaken = TAKEN.email;

function claimOf({ vault }: Keyed, kind: NameClaim['kind'], name: string, userId: number): NameClaim {
  return { kind, fingerprint: vault.fingerprint(`${kind} ${name.toLowerCase()}`), userId };
}

/**
 * Claims a username and an e-mail address for a person: nobody else can register them, not even after the account is
 * deleted. Write the row of `users` first, so that a simultaneous deletion of an account with the same name is waited
 * for.
 * @throws AppError username_taken, email_taken
 */
export async function claimNames(trx: Trx, ctx: Keyed, { userId, username, email }: Names): Promise<void> {
  if (!(await insertClaim(trx, claimOf(ctx, 'username', username, userId)))) throw usernameTaken();
  await claimEmail(trx, ctx, userId, email);
}

/** @throws AppError email_taken */
async function claimEmail(trx: Trx, ctx: Keyed, userId: number, email: string): Promise<void> {
  if (!(await insertClaim(trx, claimOf(ctx, 'email', email, userId)))) throw emailTaken();
}

/** Claims a person's new e-mail address and releases the old one. @throws AppError email_taken */
export async function changeEmailClaim(
  trx: Trx,
  ctx: Keyed,
  { userId, from, to }: { userId: number; from: string; to: string },
): Promise<void> {
  await claimEmail(trx, ctx, userId, to);
  await deleteClaim(trx, claimOf(ctx, 'email', from, userId));
}

/** @throws AppError email_taken if another person has or had the address */
export async function refuseTakenEmail(
  db: Database | Trx,
  ctx: Keyed,
  { userId, email }: { userId: number; email: string },
): Promise<void> {
  const isTaken =
    (await isEmailOfAnother(db, email, userId)) ||
    (await isClaimedByAnother(db, claimOf(ctx, 'email', email, userId)));
  if (isTaken) throw emailTaken();
}
