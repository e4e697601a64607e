import { randomBytes } from 'node:crypto';
import { paths } from '#contract/pages.ts';
import { TEXTS } from '#contract/texts.ts';
import { addDays } from '#server/core/clock.ts';
import { sha256 } from '#server/core/crypto.ts';
import { type AppError, fieldError } from '#server/core/errors.ts';
import { addressKey, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import type { Trx } from '#server/database/client.ts';
import type { Context } from '../context.ts';
import type { AccountLinks } from '../notifications/sending.ts';
import { defencePath } from './defence.ts';
import { unconfirmedAddress } from './rules.ts';
import { findOwner, lockOwner, lockOwnerByEmail, type OwnerRow } from './store.ts';
import { deletePastTokens, findToken, replaceToken, type TokenPurpose, takeToken } from './tokens-store.ts';

const HOURS = { verify_email: 24, reset_password: 1 } as const satisfies Record<TokenPurpose, number>;
const LINK_PAGES = { verify_email: 'verifyEmail', reset_password: 'resetPassword' } as const;
const TOKEN_BYTES = 32;

/** Tokens are too long to guess; the limit stops those who try anyway. */
const LINK_TRIES: RateLimit = { name: 'link-tries', points: 30, seconds: 15 * 60 };

/** Creates the link for a mail that is being sent. Its new token makes the earlier ones of the same purpose useless. */
async function makeLink(
  trx: Trx,
  ctx: Context,
  link: { purpose: TokenPurpose; userId: number; email: string },
): Promise<{ to: string; path: string }> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const now = ctx.clock();
  await replaceToken(trx, {
    ...link,
    tokenHash: sha256(token),
    expiresAt: addDays(now, HOURS[link.purpose] / 24),
    createdAt: now,
  });
  return { to: link.email, path: paths.mailed(LINK_PAGES[link.purpose], token) };
}

/**
 * The address and the link of each account mail, created when the mail is sent. Null: there is nobody to send it to.
 */
export const accountLinks: AccountLinks = {
  /** Goes to the address that is still to be confirmed; null if there is none. */
  async verifyEmail(trx, ctx, userId) {
    const person = await lockOwner(trx, userId);
    const email = person && unconfirmedAddress(person);
    return email ? makeLink(trx, ctx, { purpose: 'verify_email', userId, email }) : null;
  },

  defend: defencePath,

  /**
   * Goes to the owner of the address. It is looked up only here, so that the request does not reveal who has an
   * account.
   */
  async resetPassword(trx, ctx, address) {
    const person = await lockOwnerByEmail(trx, address);
    if (!person) return null;
    return makeLink(trx, ctx, { purpose: 'reset_password', userId: person.id, email: person.email });
  },
};

/** A usable link, the address it was sent to and the account it belongs to. */
interface OpenLink {
  readonly tokenHash: string;
  readonly email: string;
  readonly person: OwnerRow;
}

/**
 * Finds the account of a usable link. Does not use the link up: `followLink` does.
 * @throws AppError bad_input on `token` if it is unknown, used or expired; rate_limited
 */
export async function openLink(ctx: Context, purpose: TokenPurpose, token: string): Promise<OpenLink> {
  await enforceLimit(ctx.limiter, LINK_TRIES, addressKey(ctx.ip));
  const tokenHash = sha256(token);
  const found = await findToken(ctx.db, purpose, tokenHash, ctx.clock());
  const person = found && (await findOwner(ctx.db, found.userId));
  if (!person) throw linkSpent();
  return { tokenHash, email: found.email, person };
}

/**
 * Uses a link up: of several simultaneous requests one succeeds. Locks the person's row.
 * @throws AppError bad_input on `token` for the other requests
 */
export async function followLink(
  trx: Trx,
  ctx: Context,
  purpose: TokenPurpose,
  link: OpenLink,
): Promise<OwnerRow> {
  const person = await lockOwner(trx, link.person.id);
  const isTaken = await takeToken(trx, purpose, link.tokenHash, ctx.clock());
  if (!person || !isTaken) throw linkSpent();
  return person;
}

/** The same error for an unknown, a used and an expired link. */
export function linkSpent(): AppError {
  return fieldError('bad_input', 'token', TEXTS.settings.linkSpent, { kind: 'link' });
}

/** Removes tokens that expired more than a day ago; called by a job. */
export async function removePastTokens(ctx: Context): Promise<void> {
  await deletePastTokens(ctx.db, addDays(ctx.clock(), -1));
}
