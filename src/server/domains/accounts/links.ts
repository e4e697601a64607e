import { randomBytes } from 'node:crypto';
import { paths } from '#contract/pages.ts';
import { TEXTS } from '#contract/texts.ts';
import { addDays } from '#server/core/clock.ts';
import { sha256 } from '#server/core/crypto.ts';
import { type AppError, fieldError } from '#server/core/errors.ts';
import { callerOf, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import type { Trx } from '#server/database/client.ts';
import type { Context } from '../context.ts';
import type { AccountLinks } from '../notifications/sending.ts';
import { unconfirmedAddress } from './rules.ts';
import {
  deletePastTokens,
  findOwner,
  findToken,
  lockOwner,
  lockOwnerByEmail,
  type OwnerRow,
  replaceToken,
  type TokenPurpose,
  takeToken,
} from './store.ts';

const HOURS = { verify_email: 24, reset_password: 1 } as const satisfies Record<TokenPurpose, number>;
const LINK_PAGES = { verify_email: 'verifyEmail', reset_password: 'resetPassword' } as const;
const TOKEN_BYTES = 32;

/** A token cannot be guessed; whoever tries to is stopped all the same. */
const LINK_TRIES: RateLimit = { name: 'link-tries', points: 30, seconds: 15 * 60 };

/** Makes the link of a mail that is on its way: the token is new, and spends those sent before it. */
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

/** Where mails of the account go and what they link to, asked when they are sent. Null: there is nobody to write to. */
export const accountLinks: AccountLinks = {
  /** To the address that waits to be confirmed, if one still does. */
  async verifyEmail(trx, ctx, userId) {
    const person = await lockOwner(trx, userId);
    const email = person && unconfirmedAddress(person);
    return email ? makeLink(trx, ctx, { purpose: 'verify_email', userId, email }) : null;
  },

  /** To whoever has the address, if anybody has: here and nowhere earlier it is looked up. */
  async resetPassword(trx, ctx, address) {
    const person = await lockOwnerByEmail(trx, address);
    if (!person) return null;
    return makeLink(trx, ctx, { purpose: 'reset_password', userId: person.id, email: person.email });
  },
};

/** A link that can be followed, the address it was sent to, and whose it is. */
interface OpenLink {
  readonly tokenHash: string;
  readonly email: string;
  readonly person: OwnerRow;
}

/**
 * Whose link this is, while it can be used; using it is another step.
 * @throws AppError bad_input on `token` for one that is unknown, used or too old, rate_limited
 */
export async function openLink(ctx: Context, purpose: TokenPurpose, token: string): Promise<OpenLink> {
  await enforceLimit(ctx.limiter, LINK_TRIES, callerOf(ctx.ip));
  const tokenHash = sha256(token);
  const found = await findToken(ctx.db, purpose, tokenHash, ctx.clock());
  const person = found && (await findOwner(ctx.db, found.userId));
  if (!person) throw linkSpent();
  return { tokenHash, email: found.email, person };
}

/**
 * Uses a link, once: of several who follow it at once one goes on. The person's row is locked from here on.
 * @throws AppError bad_input on `token` for all others
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

/** What an unknown, a used and an expired link are told alike. */
export function linkSpent(): AppError {
  return fieldError('bad_input', 'token', TEXTS.settings.linkSpent);
}

/** Removes the tokens of links that have been past use for a day; a job calls it. */
export async function removePastTokens(ctx: Context): Promise<void> {
  await deletePastTokens(ctx.db, addDays(ctx.clock(), -1));
}
