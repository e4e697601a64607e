import { t } from '@lingui/core/macro';
import {
  API_KEYS_AT_MOST,
  type ApiKey,
  type ApiScope,
  type KeyCaller,
  type MadeApiKey,
  type MakeApiKeyInput,
  type RevokeApiKeyInput,
  STAFF_GROUPS,
} from '#contract/people/api-keys.ts';
import { hasRole, type UserRole } from '#contract/people/roles.ts';
import type { MemberContext } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { sha256 } from '#server/core/crypto.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { checkIdentity } from '#server/people/accounts/service.ts';
import { audit } from '#server/people/audit/service.ts';
import { queueAccountMail, recordLog } from '#server/people/notifications/service.ts';
import { API_KEY_TEXTS } from '#server/texts/people.ts';
import * as store from './store.ts';
import { makeToken } from './tokens.ts';
import { allowancesOf, type KeyAllowance } from './using.ts';

const HINT_LENGTH = 4;

/** The caller's keys, the newest first, with those that have expired. */
export async function listKeys(ctx: MemberContext): Promise<ApiKey[]> {
  const at = ctx.clock();
  const urls = await store.webhooksByKey(ctx.db, ctx.actor.id);
  const rows = await store.list(ctx.db, ctx.actor.id);
  return Promise.all(rows.map((row) => toApiKey(ctx, row, at, urls.get(row.id))));
}

/** Whose key makes the call, and what it may do. */
export function keyCaller({ actor, apiKey }: MemberContext): KeyCaller {
  const key = apiKey ? { name: apiKey.name, scopes: [...apiKey.scopes] } : null;
  return { userId: actor.id, username: actor.username, key };
}

/**
 * Makes a key, and mails the person. Only its hash is stored.
 * @param browser the one that a passkey's challenge was bound to
 * @throws AppError bad_input (a wrong password, a refused passkey, a scope for another role), second_factor_required,
 *   rate_limited, conflict (too many)
 */
export async function makeKey(
  ctx: MemberContext,
  { name, scopes, days, ...identity }: MakeApiKeyInput,
  browser: string | null,
): Promise<MadeApiKey> {
  if (scopes.some((scope) => !mayChoose(ctx.actor.role, scope)))
    throw fieldError('bad_input', 'scopes', t`Your account cannot give a key this scope.`);
  await checkIdentity(ctx, identity, browser);
  const token = makeToken();
  const given = { name, scopes, days, token, clientId: null };
  const row = await inTransaction(ctx.db, (trx) => insertKey(trx, ctx, given));
  return { key: await toApiKey(ctx, row, ctx.clock()), token };
}

/**
 * Lets a program that has registered itself act for the caller: a key of theirs, which works from the first exchange on.
 * @returns its id
 * @throws AppError conflict (too many)
 */
export async function allowClient(
  trx: Trx,
  ctx: MemberContext,
  given: { clientId: string; name: string; scopes: ApiScope[]; days: number },
): Promise<number> {
  // Nobody ever learns this token.
  return (await insertKey(trx, ctx, { ...given, token: makeToken() })).id;
}

async function insertKey(
  trx: Trx,
  ctx: MemberContext,
  given: { name: string; scopes: ApiScope[]; days: number; token: string; clientId: string | null },
): Promise<store.ApiKeyRow> {
  const { name, scopes, days, token, clientId } = given;
  const userId = ctx.actor.id;
  await store.lockOwner(trx, userId);
  if ((await store.list(trx, userId)).length >= API_KEYS_AT_MOST)
    throw new AppError('conflict', t`You have ${API_KEYS_AT_MOST} keys. Revoke one first.`);
  const at = ctx.clock();
  const row = await store.insert(trx, {
    userId,
    name,
    tokenHash: sha256(token),
    hint: token.slice(-HINT_LENGTH),
    scopes,
    clientId,
    createdAt: at,
    expiresAt: addDays(at, days),
  });
  await record(trx, ctx, 'made', row);
  const body = API_KEY_TEXTS.made.mail({ name });
  await queueAccountMail(trx, { kind: 'api_key', userId, address: null, body, at });
  return row;
}

/**
 * Ends one of the caller's keys at once.
 * @param removesWebhooks whether the webhooks that it has added end, too; otherwise they stay as they are
 * @throws AppError not_found
 */
export async function revokeKey(
  ctx: MemberContext,
  { id, removesWebhooks }: RevokeApiKeyInput,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    if (removesWebhooks) await store.removeWebhooksOfKey(trx, ctx.actor.id, id);
    const removed = await store.remove(trx, ctx.actor.id, id);
    if (!removed) throw notFound(t`Key not found`);
    await record(trx, ctx, 'revoked', removed);
  });
}

const groupOf = (scope: ApiScope) => scope.split(':')[0];
const isForStaff = (scope: ApiScope) => STAFF_GROUPS.some((group) => group === groupOf(scope));

function mayChoose(role: UserRole, scope: ApiScope): boolean {
  return !isForStaff(scope) || hasRole(role, groupOf(scope) === 'admin' ? 'admin' : 'moderator');
}

/** Writes what happened to a key into its owner's history; that of a moderator's or an admin's into the audit log, too. */
async function record(
  trx: Trx,
  ctx: MemberContext,
  what: 'made' | 'revoked',
  { name, scopes }: store.ApiKeyRow,
): Promise<void> {
  const { id: userId } = ctx.actor;
  const at = ctx.clock();
  const details = API_KEY_TEXTS[what].history({ name });
  await recordLog(trx, { userId, actorId: userId, action: 'profile', details, at });
  if (scopes.some(isForStaff))
    await audit(trx, ctx, {
      actorId: userId,
      action: `key_${what}`,
      details: `${name}: ${scopes.join(', ')}`,
      targetUserId: userId,
      at,
    });
}

async function toApiKey(
  ctx: Pick<MemberContext, 'limiter' | 'settings'>,
  { createdAt, expiresAt, lastUsedAt, ...row }: store.ApiKeyRow,
  at: Date,
  webhooks: string[] = [],
): Promise<ApiKey> {
  const { reads, writes } = await allowancesOf(ctx, row.id);
  const told = ({ left, limit }: KeyAllowance) => ({ left, aMinute: limit.points });
  return {
    ...row,
    webhooks,
    reads: told(reads),
    writes: told(writes),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    isExpired: expiresAt <= at,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

export { makeToken, TOKEN_PREFIX } from './tokens.ts';
export { countKeyWrite, demandScopes, holdKey, type KeyAllowance, resolveKey } from './using.ts';
