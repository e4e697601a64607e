import { t } from '@lingui/core/macro';
import type { Context } from '#server/context/context.ts';
import { utcDay } from '#server/core/clock.ts';
import { AppError } from '#server/core/errors.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { calendarSince, endAddress } from '#server/people/private-addresses/service.ts';
import { countSessions, endSessionsOf } from '#server/people/sessions/service.ts';
import { WAY_IN_TEXTS, WAYS_IN_TEXTS } from '#server/texts/people.ts';
import type { StoredText } from '#server/texts/stored.ts';
import { listPasskeys, removePasskeysOf } from './passkey-store.ts';
import * as factors from './second-factor-store.ts';
import { lockOwner, updatePerson } from './store.ts';
import { revokeTokens } from './tokens-store.ts';
import * as store from './ways-in-store.ts';

/** What opens an account, is asked for besides or goes on telling of it, apart from its password. */
export interface WaysIn {
  readonly sessions: number;
  readonly passkeys: readonly { readonly name: string; readonly createdAt: Date }[];
  /** Providers of OpenID, by name. */
  readonly identities: readonly { readonly name: string; readonly createdAt: Date }[];
  readonly authenticator: { readonly since: Date } | null;
  readonly recoveryCodes: { readonly left: number; readonly since: Date | null } | null;
  /** Keys of programs. */
  readonly keys: readonly { readonly name: string; readonly createdAt: Date }[];
  /** What tells others of the account without opening it: webhooks that are on, and the address of the calendar. */
  readonly webhooks: readonly { readonly host: string; readonly createdAt: Date }[];
  readonly calendar: { readonly since: Date } | null;
}

/** What other providers than the one in use are called by: their host. */
export function nameOfIssuer({ providers: { openId } }: Pick<Context, 'providers'>, issuer: string): string {
  if (issuer === openId?.issuer) return openId.name;
  return URL.canParse(issuer) ? new URL(issuer).host : issuer;
}

/** The list of a person's ways in. */
async function listWaysIn(db: Database | Trx, ctx: Context, userId: number): Promise<WaysIn> {
  const factor = await factors.find(db, userId);
  const since = factor?.enabledAt ?? null;
  const codes = since && (await factors.countRecoveryCodes(db, userId));
  const calendar = await calendarSince(db, userId);
  const identities = await store.listIdentities(db, userId);
  const webhooks = await store.listActiveWebhooks(db, userId);
  return {
    sessions: await countSessions(db, userId, ctx.clock()),
    passkeys: await listPasskeys(db, userId),
    identities: identities.map(({ issuer, createdAt }) => ({ name: nameOfIssuer(ctx, issuer), createdAt })),
    authenticator: since && { since },
    recoveryCodes: codes && { left: codes.count, since: codes.since },
    keys: await store.listWorkingKeys(db, userId, ctx.clock()),
    webhooks: webhooks.map(({ url, createdAt }) => ({ host: new URL(url).host, createdAt })),
    calendar: calendar && { since: calendar },
  };
}

/** What is to stay when the others end. */
export interface Kept {
  /** The token of the session in use; null: none. */
  readonly session: string | null;
  /** What else the person has set up: passkeys, links to providers of OpenID, webhooks, the address of the calendar. */
  readonly setUp: boolean;
  /** True: it stays; a date: it stays if it was turned on earlier. Its recovery codes share its fate. */
  readonly authenticator: boolean | Date;
}

/**
 * Ends a person's ways in, except those to keep: sessions, passkeys, links to providers, the authenticator app, all keys of
 * programs, links to a new password, and an address that waits for confirmation; and what goes on telling of the account:
 * webhooks are switched off, the calendar's address ends. A new password, which is the caller's, also ends the marks of
 * known browsers. docs/security.md has the table of what ends when.
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
  await store.removeKeys(trx, userId);
  if (!keep.setUp) {
    await removePasskeysOf(trx, userId);
    await store.removeIdentities(trx, userId);
    await store.switchWebhooksOff(trx, userId, at);
    await endAddress(trx, userId, 'calendar');
  }
  if (!keepsAuthenticator(keep, before)) await factors.remove(trx, userId);
  await revokeTokens(trx, userId, 'reset_password', at);
  await updatePerson(trx, userId, { pendingEmail: null, updatedAt: at });
  const left = await listWaysIn(trx, ctx, userId);
  const ended: WaysIn = {
    sessions: before.sessions - left.sessions,
    passkeys: keep.setUp ? [] : before.passkeys,
    identities: keep.setUp ? [] : before.identities,
    authenticator: left.authenticator ? null : before.authenticator,
    recoveryCodes: left.recoveryCodes ? null : before.recoveryCodes,
    keys: before.keys,
    webhooks: keep.setUp ? [] : before.webhooks,
    calendar: keep.setUp ? null : before.calendar,
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
    (await store.listIdentities(trx, userId)).some(({ issuer }) => issuer === ctx.providers.openId?.issuer);
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
  return WAYS_IN_TEXTS.afterPassword({
    ended: waysOf(ended),
    // The devices in use are no news.
    left: waysOf({ ...left, sessions: 0 }),
    webhooksOff: ended.webhooks.length > 0,
    calendarOff: ended.calendar !== null,
  });
}

/** Each of them, for a list in a mail. */
export function waysOf({
  sessions,
  passkeys,
  identities,
  authenticator,
  recoveryCodes,
  keys,
  webhooks,
  calendar,
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
    ...webhooks.map(({ host, createdAt }) => texts.webhook({ host, day: utcDay(createdAt) })),
    ...(calendar ? [texts.calendar({ day: utcDay(calendar.since) })] : []),
  ];
}

/** Ends all keys of a person's programs. */
export const endKeysOf = store.removeKeys;
