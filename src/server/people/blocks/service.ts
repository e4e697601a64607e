import { t } from '@lingui/core/macro';
import { TEXTS } from '#contract/base/texts.ts';
import { BLOCKS_MAX, type BlockedPerson } from '#contract/people/blocks.ts';
import { pictureUrl } from '#contract/people/picture-addresses.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import type { Database, Trx } from '#server/database/client.ts';
import * as store from './store.ts';

/** The error for people who want to deal with somebody they have blocked. */
export const ownBlockText = () => t`You have blocked this person. Unblock them in your settings first.`;

/**
 * Refuses a new deal between two people if one has blocked the other. The blocked person gets the error of a coupon that
 * is gone. The lock holds back a block until the transaction ends; lock the coupon first.
 * @throws AppError conflict (the caller's own block), coupon_unavailable; on the input field `path`
 */
export async function checkNotBlocked(
  trx: Trx,
  given: { actorId: number; coupon: { ownerId: number; title: string }; path: string },
): Promise<void> {
  const { actorId, coupon, path } = given;
  await store.lockPairs(trx, [actorId, coupon.ownerId]);
  const blocks = await store.blocksAmong(trx, [actorId, coupon.ownerId]);
  if (blocks.some(({ blockerId }) => blockerId === actorId))
    throw fieldError('conflict', path, ownBlockText());
  if (blocks.length > 0)
    throw fieldError('coupon_unavailable', path, TEXTS.exchanges.unavailable(coupon.title));
}

/**
 * Refuses a ring in which somebody has blocked somebody else. The text does not tell who, unless it is the caller.
 * @throws AppError conflict (the caller's own block), coupon_unavailable; on the input field `path`
 */
export async function checkNoneBlocked(
  trx: Trx,
  given: { actorId: number; userIds: readonly number[]; path: string },
): Promise<void> {
  const { actorId, userIds, path } = given;
  await store.lockPairs(trx, userIds);
  const blocks = await store.blocksAmong(trx, userIds);
  if (blocks.some(({ blockerId }) => blockerId === actorId))
    throw fieldError('conflict', path, ownBlockText());
  if (blocks.length > 0) throw fieldError('coupon_unavailable', path, t`This ring is no longer possible`);
}

/** Holds back new deals between the caller and a person until the transaction ends. @throws AppError not_found */
export async function holdDealsWith(trx: Trx, ctx: MemberContext, userId: number): Promise<void> {
  await store.lockPair(trx, ctx.actor.id, userId, 'exclusive');
  if (!(await store.isPerson(trx, userId))) throw notFound(t`User not found`);
}

/** Blocks a person; may be repeated. Hold the deals with them first. @throws AppError conflict (BLOCKS_MAX) */
export async function addBlock(trx: Trx, ctx: MemberContext, userId: number): Promise<void> {
  const actorId = ctx.actor.id;
  const blocked = await store.lockBlockedIds(trx, actorId);
  if (blocked.length >= BLOCKS_MAX && !blocked.includes(userId)) {
    throw new AppError('conflict', t`You can block at most ${BLOCKS_MAX} people. Unblock someone first.`);
  }
  await store.insertBlock(trx, actorId, userId, ctx.clock());
}

/** Ends a block; may be repeated. */
export async function unblockPerson(ctx: MemberContext, userId: number): Promise<void> {
  await store.deleteBlock(ctx.db, ctx.actor.id, userId);
}

/** The people whom the caller has blocked, the latest first. */
export async function listBlocked(ctx: MemberContext): Promise<BlockedPerson[]> {
  const rows = await store.listBlocked(ctx.db, ctx.actor.id);
  return rows.map(({ id, username, pictureId, createdAt }) => ({
    id,
    username,
    profileImageUrl: pictureUrl(pictureId),
    blockedAt: createdAt.toISOString(),
  }));
}

/** The ids of the people whom somebody has blocked. */
export async function blockedIdsOf(db: Database, userId: number): Promise<number[]> {
  return store.blockedIds(db, userId);
}

/** Ends the blocks by and of a person who leaves. */
export async function forgetBlocks(trx: Trx, userId: number): Promise<void> {
  await store.deleteBlocksOf(trx, userId);
}
