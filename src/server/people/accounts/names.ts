import { TEXTS } from '#contract/base/texts.ts';
import type { Context } from '#server/context/context.ts';
import { type AppError, fieldError } from '#server/core/errors.ts';
import { skeleton } from '#server/core/fold.ts';
import { withoutEnd } from '#server/core/text.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { findAddressOwner, isNameReserved, type ReservedName, reserveName } from './store.ts';

type Keyed = Pick<Context, 'vault'>;

export const usernameTaken = (): AppError =>
  fieldError('username_taken', 'username', TEXTS.accounts.usernameTaken());
export const emailTaken = (): AppError => fieldError('email_taken', 'email', TEXTS.accounts.emailTaken());

function fingerprintOf({ vault }: Keyed, kind: ReservedName['kind'], name: string): string {
  return vault.fingerprint(`${kind} ${name.toLowerCase()}`);
}

/** Of what a username looks like. */
function looksOf({ vault }: Keyed, username: string): string {
  return vault.fingerprint(`skeleton ${skeleton(username)}`);
}

/**
 * Reserves a username and what it looks like for a person: nobody else can register either, not even after the account
 * is deleted. Write the row of `users` first, so that a simultaneous registration of the same name is waited for.
 * @throws AppError username_taken
 */
export async function reserveUsername(
  trx: Trx,
  { vault }: Keyed,
  { userId, username }: { userId: number; username: string },
): Promise<void> {
  for (const fingerprint of [fingerprintOf({ vault }, 'username', username), looksOf({ vault }, username)])
    if (!(await reserveName(trx, { kind: 'username', fingerprint, userId }))) throw usernameTaken();
}

/** Whether somebody has or had a username that looks like this one. */
export function isUsernameReserved(db: Database | Trx, ctx: Keyed, username: string): Promise<boolean> {
  return isNameReserved(db, 'username', looksOf(ctx, username));
}

/** Keeps the confirmed address of an account that is being deleted from others for good. */
export async function retireEmail(
  trx: Trx,
  ctx: Keyed,
  { userId, email }: { userId: number; email: string },
): Promise<void> {
  await reserveName(trx, { kind: 'email', fingerprint: fingerprintOf(ctx, 'email', email), userId });
}

/** Whether an address was that of an account that is deleted. */
export async function isRetired(db: Database | Trx, ctx: Keyed, email: string): Promise<boolean> {
  return isNameReserved(db, 'email', fingerprintOf(ctx, 'email', email));
}

/** Whether an address is nobody's: no account has confirmed it, and it was that of none that is deleted. */
export async function isAddressFree(db: Database | Trx, ctx: Keyed, email: string): Promise<boolean> {
  return !(await findAddressOwner(db, email)) && !(await isRetired(db, ctx, email));
}

/** Nobody has one of these words in a name, apart from the rest of it. */
const OFFICIAL = `admin admins administrator administrators moderator moderators support staff official security
  billing payment payments stripe root system`;
/** Nobody has a name of these words alone. */
const WEAK = 'help desk team info mod mods contact customer service noreply postmaster webmaster';
/** Nobody has these anywhere in a name. */
const PROPER = ['clipswap', 'paypal'].map(skeleton);

const official = OFFICIAL.split(/\s+/).map(skeleton);
const officialWords = new Set(official);
const onlySuchWords = new RegExp(`^(?:${[...official, ...WEAK.split(' ').map(skeleton)].join('|')})+$`);

/** Where the words of a name end: at separators, and before a capital. */
const WORD_ENDS = [/[._-]/, /[._-]|(?<=[a-z\d])(?=[A-Z])/];

/** Numbers around a word do not change it; those within may be letters. */
function wordOf(text: string): string {
  return skeleton(withoutEnd(text.replace(/^\d+/, ''), '0123456789'));
}

/** Whether a username could be taken for ours, in any spelling that looks like it. */
export function looksOfficial(username: string): boolean {
  return (
    PROPER.some((name) => skeleton(username).includes(name)) ||
    onlySuchWords.test(wordOf(username)) ||
    WORD_ENDS.some((end) => username.split(end).some((part) => officialWords.has(wordOf(part))))
  );
}

/** Whether a username is reserved for deleted accounts, or looks as if it were. */
export function isReservedName(username: string): boolean {
  return skeleton(username).startsWith('deleted');
}
