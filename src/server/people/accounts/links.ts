import { randomBytes } from 'node:crypto';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { Context } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { sha256 } from '#server/core/crypto.ts';
import { type AppError, fieldError } from '#server/core/errors.ts';
import { addressKey, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import type { Trx } from '#server/database/client.ts';
import type { AccountLinks } from '#server/people/notifications/sending.ts';
import { defencePath } from './defence.ts';
import { isRetired } from './names.ts';
import { unconfirmedAddress } from './rules.ts';
import { findAddressOwner, findOwner, lockAddressOwner, lockOwner, type OwnerRow } from './store.ts';
import {
  deletePastTokens,
  findToken,
  insertToken,
  revokeTokens,
  type TokenPurpose,
  takeToken,
} from './tokens-store.ts';

const DAYS = { verify_email: 1, reset_password: 1 / 24, not_me: 7 } as const satisfies Record<
  TokenPurpose,
  number
>;
const LINK_PAGES = { verify_email: 'verifyEmail', reset_password: 'resetPassword', not_me: 'notMe' } as const;
const TOKEN_BYTES = 32;

/** Tokens are too long to guess; the limit stops those who try anyway. */
const LINK_TRIES: RateLimit = { name: 'link-tries', points: 30, seconds: 15 * 60 };

/**
 * Creates the link for a mail that is being sent.
 * @param more since: when it begins to count; by default now. from: the path that its page leads to afterwards
 */
async function makeLink(
  trx: Trx,
  ctx: Context,
  link: { purpose: TokenPurpose; userId: number; email: string },
  { since = ctx.clock(), from = null }: { since?: Date; from?: string | null } = {},
): Promise<{ to: string; path: string }> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await insertToken(trx, {
    ...link,
    tokenHash: sha256(token),
    expiresAt: addDays(since, DAYS[link.purpose]),
    createdAt: since,
  });
  return { to: link.email, path: paths.mailed(LINK_PAGES[link.purpose], token, from) };
}

/** `makeLink`; the person's earlier links of the same purpose become useless. */
async function replaceLink(
  trx: Trx,
  ctx: Context,
  link: { purpose: TokenPurpose; userId: number; email: string },
  from: string | null = null,
): Promise<{ to: string; path: string }> {
  await revokeTokens(trx, link.userId, link.purpose, ctx.clock());
  return makeLink(trx, ctx, link, { from });
}

/**
 * The address and the link of each account mail, created when the mail is sent. Null: there is nobody to send it to.
 */
export const accountLinks: AccountLinks = {
  /**
   * Goes to the address that is still to be confirmed. Whether somebody has confirmed it already is looked up only
   * here, and told there alone, so that asking for an address does not reveal who has an account.
   */
  async verifyEmail(trx, ctx, userId, from) {
    const person = await lockOwner(trx, userId);
    const email = person && unconfirmedAddress(person);
    if (!email) return null;
    const owner = await findAddressOwner(trx, email);
    if (owner) {
      const path = from === null ? paths.auth : paths.authFrom(from);
      return { to: email, path, instead: { kind: 'address_in_use', body: owner.username } };
    }
    if (await isRetired(trx, ctx, email)) {
      return { to: email, path: paths.settings('profile'), instead: { kind: 'address_retired', body: '' } };
    }
    return replaceLink(trx, ctx, { purpose: 'verify_email', userId, email }, from);
  },

  defend: defencePath,

  /**
   * Goes to whoever has confirmed the address. It is looked up only here, so that the request does not reveal who has
   * an account.
   */
  async resetPassword(trx, ctx, address) {
    const person = await lockAddressOwner(trx, address);
    if (!person) return null;
    return replaceLink(trx, ctx, { purpose: 'reset_password', userId: person.id, email: person.email });
  },

  /** For a mail of a change: counts from the change on, and makes no earlier link useless. */
  async notMe(trx, ctx, { userId, to, at }) {
    const person = await lockOwner(trx, userId);
    if (!person) return null;
    return makeLink(trx, ctx, { purpose: 'not_me', userId, email: to }, { since: at });
  },
};

/** A usable link, the address it was sent to and the account it belongs to. */
interface OpenLink {
  readonly tokenHash: string;
  readonly purpose: TokenPurpose;
  readonly email: string;
  readonly createdAt: Date;
  readonly person: OwnerRow;
}

/**
 * Finds the account of a usable link. Does not use the link up: `followLink` does.
 * @throws AppError bad_input on `token` if it is unknown, used or expired; rate_limited
 */
export async function openLink(
  ctx: Context,
  purposes: readonly TokenPurpose[],
  token: string,
): Promise<OpenLink> {
  await enforceLimit(ctx.limiter, LINK_TRIES, addressKey(ctx.ip));
  const tokenHash = sha256(token);
  const found = await findToken(ctx.db, purposes, tokenHash, ctx.clock());
  const person = found && (await findOwner(ctx.db, found.userId));
  if (!person) throw linkSpent();
  if (found.usedAt) throw linkDone();
  return { tokenHash, purpose: found.purpose, email: found.email, createdAt: found.createdAt, person };
}

/**
 * Uses a link up: of several simultaneous requests one succeeds. Locks the person's row.
 * @throws AppError bad_input on `token` for the other requests
 */
export async function followLink(trx: Trx, ctx: Context, link: OpenLink): Promise<OwnerRow> {
  const person = await lockOwner(trx, link.person.id);
  if (!person) throw linkSpent();
  if (!(await takeToken(trx, link.tokenHash, ctx.clock()))) {
    const found = await findToken(trx, [link.purpose], link.tokenHash, ctx.clock());
    throw found?.usedAt ? linkDone() : linkSpent();
  }
  return person;
}

/** The same error for an unknown, a replaced and an expired link. */
export function linkSpent(): AppError {
  return fieldError('bad_input', 'token', TEXTS.settings.linkSpent(), { kind: 'link' });
}

/** For a link that was used: what it is for has happened. */
function linkDone(): AppError {
  return fieldError('bad_input', 'token', TEXTS.settings.linkDone());
}

/** Removes tokens that expired more than a day ago; called by a job. */
export async function removePastTokens(ctx: Context): Promise<void> {
  await deletePastTokens(ctx.db, addDays(ctx.clock(), -1));
}
