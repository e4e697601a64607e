import { t } from '@lingui/core/macro';
import { utcDay } from '#server/core/clock.ts';
import { AppError } from '#server/core/errors.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { endKeysOf, workingKeys } from '../api-keys/using.ts';
import type { Context } from '../context.ts';
import { isLinked, listLinked, unlinkAll } from '../identities/linked.ts';
import { WAY_IN_TEXTS, WAYS_IN_TEXTS } from '../notifications/texts/people.ts';
import type { StoredText } from '../notifications/texts/stored.ts';
import { countSessions, endSessionsOf } from '../sessions/service.ts';
import { listPasskeys, removePasskeysOf } from './passkey-store.ts';
import * as factors from './second-factor-store.ts';
import { lockOwner, updatePerson } from './store.ts';
import { revokeTokens } from './tokens-store.ts';

/** What opens an account, or is asked for besides, apart from its password. */
export interface WaysIn {
  readonly sessions: number;
  readonly passkeys: readonly { readonly name: string; readonly createdAt: Date }[];
  /** Providers of OpenID, by name. */
  readonly identities: readonly { readonly name: string; readonly createdAt: Date }[];
  readonly authenticator: { readonly since: Date } | null;
  readonly recoveryCodes: { readonly left: number; readonly since: Date | null } | null;
  /** Keys of programs. */
  readonly keys: readonly { readonly name: string; readonly createdAt: Date }[];
}

/** The list of a person's ways in. */
async function listWaysIn(db: Database | Trx, ctx: Context, userId: number): Promise<WaysIn> {
  const factor = await factors.find(db, userId);
  const since = factor?.enabledAt ?? null;
  const codes = since && (await factors.countRecoveryCodes(db, userId));
  return {
    sessions: await countSessions(db, userId, ctx.clock()),
    passkeys: await listPasskeys(db, userId),
    identities: await listLinked(db, ctx, userId),
    authenticator: since && { since },
    recoveryCodes: codes && { left: codes.count, since: codes.since },
    keys: await workingKeys(db, userId, ctx.clock()),
  };
}

/** What is to stay when the others end. */
export interface Kept {
  /** The token of the session in use; null: none. */
  readonly session: string | null;
  /** The passkeys, and the links to providers of OpenID. */
  readonly passkeys: boolean;
  /** True: it stays; a date: it stays if it was turned on earlier. Its recovery codes share its fate. */
  readonly authenticator: boolean | Date;
}

/**
 * Ends a person's ways in, except those to keep: sessions, passkeys, links to providers, the authenticator app, all keys of
 * programs, links to a new password, and an address that waits for confirmation. A new password, which is the caller's,
 * also ends the marks of known
 * browsers.
 * @returns what has ended, and what is left
 */
export async function endWaysIn(
  trx: Trx,
  ctx: Context,
  userId: number,
  keep: Kept,
): Promise<{ ended: WaysIn; left: WaysIn }> {
  const before = await listWaysIn(trx, ctx, userId);
  const at = ctx.clock();
  await endSessionsOf(trx, userId, keep.session);
  await endKeysOf(trx, userId);
  if (!keep.passkeys) {
    await removePasskeysOf(trx, userId);
    await unlinkAll(trx, userId);
  }
  if (!keepsAuthenticator(keep, before)) await factors.remove(trx, userId);
  await revokeTokens(trx, userId, 'reset_password', at);
  await updatePerson(trx, userId, { pendingEmail: null, updatedAt: at });
  const left = await listWaysIn(trx, ctx, userId);
  const ended: WaysIn = {
    sessions: before.sessions - left.sessions,
    passkeys: keep.passkeys ? [] : before.passkeys,
    identities: keep.passkeys ? [] : before.identities,
    authenticator: left.authenticator ? null : before.authenticator,
    recoveryCodes: left.recoveryCodes ? null : before.recoveryCodes,
    keys: before.keys,
  };
  return { ended, left };
}

/**
 * Removes a way in, unless it is the last one. Locks the person.
 * @param remove what removes it, in the same transaction
 * @throws AppError conflict (nothing else opens the account)
 */
export async function removeWayIn<Removed>(
  trx: Trx,
  ctx: Context,
  userId: number,
  remove: () => Promise<Removed>,
): Promise<Removed> {
  const person = await lockOwner(trx, userId);
  const removed = await remove();
  const isOpen =
    person?.passwordHash !== '' ||
    (await listPasskeys(trx, userId)).length > 0 ||
    (await isLinked(trx, ctx, userId));
  if (!isOpen)
    throw new AppError('conflict', t`You have no password. Choose one first, so that you can sign in.`);
  return removed;
}

function keepsAuthenticator({ authenticator }: Kept, { authenticator: factor }: WaysIn): boolean {
  if (typeof authenticator === 'boolean') return authenticator;
  return factor !== null && factor.since < authenticator;
}

/** The two lists as lines of a mail; empty lists are left out. */
export function waysInText({ ended, left }: { ended: WaysIn; left: WaysIn }): StoredText {
  // The devices in use are no news.
  return WAYS_IN_TEXTS.afterPassword({ ended: waysOf(ended), left: waysOf({ ...left, sessions: 0 }) });
}

function waysOf({
  sessions,
  passkeys,
  identities,
  authenticator,
  recoveryCodes,
  keys,
}: WaysIn): StoredText[] {
  const texts = WAY_IN_TEXTS;
  const { left: count, since } = recoveryCodes ?? { left: 0, since: null };
  return [
    ...(sessions > 0 ? [texts.devices({ count: sessions })] : []),
    ...passkeys.map(({ name, createdAt }) => texts.passkey({ name, day: utcDay(createdAt) })),
    ...identities.map(({ name, createdAt }) => texts.identity({ name, day: utcDay(createdAt) })),
    ...(authenticator ? [texts.authenticator({ day: utcDay(authenticator.since) })] : []),
    ...(count > 0 ? [texts.recoveryCodes({ count, day: since && utcDay(since) })] : []),
    ...keys.map(({ name, createdAt }) => texts.key({ name, day: utcDay(createdAt) })),
  ];
}
