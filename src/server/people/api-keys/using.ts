import { t } from '@lingui/core/macro';
import { listed } from '#contract/base/locale.ts';
import { userRoleSchema, userStatusSchema } from '#contract/people/accounts.ts';
import type { ApiScope } from '#contract/people/api-keys.ts';
import { API_KEY_READS_A_MINUTE, API_KEY_WRITES_A_MINUTE } from '#contract/people/program-limits.ts';
import type { Actor, ApiKeyFacts, Context } from '#server/context/context.ts';
import { sha256 } from '#server/core/crypto.ts';
import { AppError } from '#server/core/errors.ts';
import {
  addressKey,
  enforceLimit,
  type LimitCount,
  type RateLimit,
  refuseWhile,
} from '#server/core/rate-limit.ts';
import type { Trx } from '#server/database/client.ts';
import * as store from './store.ts';
import { isWhole } from './tokens.ts';

const MINUTE = 60;
/** Keys cannot be guessed; the limit stops those who try anyway. Right ones are not counted here. */
const WRONG_KEYS: RateLimit = {
  name: 'wrong-keys',
  points: 30,
  seconds: 15 * MINUTE,
  text: () => t`Too many keys that do not work.`,
};
const tooManyCalls = () => t`This key makes too many calls.`;
const READS: RateLimit = {
  name: 'key-reads',
  points: API_KEY_READS_A_MINUTE,
  seconds: MINUTE,
  text: tooManyCalls,
};
const WRITES: RateLimit = {
  name: 'key-writes',
  points: API_KEY_WRITES_A_MINUTE,
  seconds: MINUTE,
  text: tooManyCalls,
};

/** What a key may still do. */
export interface KeyAllowance extends LimitCount {
  readonly limit: RateLimit;
}

const limitsOf = ({ settings }: Pick<Context, 'settings'>) => {
  const { keyReads, keyWrites } = settings.current().limits;
  return { reads: { ...READS, points: keyReads }, writes: { ...WRITES, points: keyWrites } };
};

/** How often a key may read and write in the minute that is running. */
export async function allowancesOf(
  ctx: Pick<Context, 'limiter' | 'settings'>,
  id: number,
): Promise<{ reads: KeyAllowance; writes: KeyAllowance }> {
  const limits = limitsOf(ctx);
  const [reads, writes] = await Promise.all([
    ctx.limiter.countOf(limits.reads, String(id)),
    ctx.limiter.countOf(limits.writes, String(id)),
  ]);
  return { reads: { ...reads, limit: limits.reads }, writes: { ...writes, limit: limits.writes } };
}

/** The last use of a key is stored at most once in this time. */
const SEEN_MS = 60_000;

/**
 * Finds who a key belongs to, and counts the call. A key with a wrong checksum is not looked up.
 * @param given isRead: whether the call may change nothing; tell: is told what the key may still do, also where it is refused;
 *   isForAssistants: whether tokens of connected programs work there, which are for nothing else
 * @throws AppError unauthorized (the key is not whole, unknown or expired, or its owner is banned), rate_limited
 */
export async function resolveKey(
  ctx: Pick<Context, 'db' | 'clock' | 'limiter' | 'settings'>,
  {
    token,
    ip,
    isRead,
    tell,
    isForAssistants,
  }: {
    token: string;
    ip: string;
    isRead: boolean;
    tell?: (allowance: KeyAllowance) => void;
    isForAssistants: boolean;
  },
): Promise<{ actor: Actor; apiKey: ApiKeyFacts }> {
  const row = isWhole(token) ? await store.findByHash(ctx.db, sha256(token)) : undefined;
  const at = ctx.clock();
  const until = row?.tokenUntil && row.tokenUntil < row.expiresAt ? row.tokenUntil : row?.expiresAt;
  const isExpired = until !== undefined && until <= at;
  const isElsewhere = row !== undefined && row.clientId !== null && !isForAssistants;
  if (!row || row.status === 'banned' || row.deletedAt !== null || isExpired || isElsewhere) {
    // A connected program finds out by a call that it has to get the next token.
    if (!row?.clientId) await enforceLimit(ctx.limiter, WRONG_KEYS, addressKey(ip));
    throw refused(isExpired);
  }
  const { id, name, scopes, lastUsedAt, userId, username, memberSince, isConfirmed, isEstablished } = row;
  const { reads, writes } = limitsOf(ctx);
  const limit = isRead ? reads : writes;
  const count = await ctx.limiter.spend(limit, String(id));
  tell?.({ ...count, limit });
  refuseWhile(limit, count.wait);
  const unlessSince = new Date(at.getTime() - SEEN_MS);
  if (lastUsedAt === null || lastUsedAt <= unlessSince) await store.touch(ctx.db, id, unlessSince, at);
  return {
    actor: {
      id: userId,
      username,
      memberSince,
      isConfirmed,
      isEstablished,
      role: userRoleSchema.parse(row.role),
      status: userStatusSchema.parse(row.status),
    },
    apiKey: { id, name, scopes },
  };
}

function refused(isExpired: boolean): AppError {
  const text = isExpired
    ? t`This key has expired. Make a new one in your settings.`
    : t`This key does not work: it is not complete, or it was revoked. Make a new one in your settings.`;
  return new AppError('unauthorized', text, { refused: { kind: 'sign_in' } });
}

/** Counts what a key changes in a call whose request was counted as one that only reads. @throws AppError rate_limited */
export async function countKeyWrite(
  ctx: Pick<Context, 'limiter' | 'settings'>,
  { id }: Pick<ApiKeyFacts, 'id'>,
): Promise<void> {
  const { keyWrites } = ctx.settings.current().limits;
  await enforceLimit(ctx.limiter, { ...WRITES, points: keyWrites }, String(id));
}

/** Keeps a key while a transaction stores what it has made. @throws AppError unauthorized (it was revoked meanwhile) */
export async function holdKey(trx: Trx, id: number): Promise<void> {
  if (!(await store.hold(trx, id))) throw refused(false);
}

/** @throws AppError forbidden, naming the scopes that a key lacks */
export function demandScopes({ scopes }: Pick<ApiKeyFacts, 'scopes'>, needed: readonly ApiScope[]): void {
  const missing = needed.filter((scope) => !scopes.includes(scope));
  if (missing.length > 0)
    throw new AppError(
      'forbidden',
      t`This key has no scope for it. Make a key with ${listed(missing)} in your settings.`,
    );
}
