import { paths } from '#contract/base/pages.ts';
import type { Context } from '#server/context/context.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { mailNews, notifyAll } from '#server/people/notifications/service.ts';
import { WANT_DIGEST, WANT_TEXTS } from '#server/texts/coupons.ts';
import { keysOf } from './rules.ts';
import * as store from './store.ts';

/** Wants per transaction. */
const AT_ONCE = 500;

/** Coupons that a digest names; it counts the others. */
const NAMED = 5;

const MINUTE_MS = 60_000;

/**
 * Holds the coupons that were listed or changed against the wants, and tells people of what was found. The coupons of a minute
 * come together when it is over, and each goes through the wants in an order by chance, so that neither a fast program nor an
 * old want is always the first. A coupon's wants are taken in batches: finds, notifications and the place in the queue are
 * stored together, so that a crash loses none, and nobody is told of a coupon twice.
 * @param signal stops early, after the batch under way
 * @returns how many people were told
 */
export async function notifyOfCoupons(ctx: Context, signal?: AbortSignal): Promise<number> {
  let count = 0;
  // The next run tries them again: a coupon that fails does not hold up the others.
  const failed: number[] = [];
  const before = new Date(Math.floor(ctx.clock().getTime() / MINUTE_MS) * MINUTE_MS);
  while (!signal?.aborted) {
    const taken: { queued?: store.Queued | undefined } = {};
    try {
      const told = await inTransaction(ctx.db, async (trx) => {
        taken.queued = await store.lockQueued(trx, { before, passedOver: failed });
        return taken.queued ? notifyOf(trx, ctx, taken.queued) : null;
      });
      if (told === null) break;
      count += told;
    } catch (error) {
      if (!taken.queued) throw error;
      const { id, couponId } = taken.queued;
      failed.push(id);
      ctx.log.error({ err: error, couponId }, 'people could not be told of a coupon that they look for');
    }
  }
  return count;
}

/** Takes one batch. @returns how many people were told */
async function notifyOf(trx: Trx, ctx: Context, queued: store.Queued): Promise<number> {
  const at = ctx.clock();
  const { couponId, seed, afterPlace } = queued;
  const coupon = await store.findOffered(trx, couponId, at);
  if (!coupon) {
    await store.moveOn(trx, queued, null);
    return 0;
  }
  const { title, merchant, category, rank, ...texts } = coupon;
  const candidates = await store.listCandidates(trx, {
    couponId,
    keys: keysOf({ ...texts, rank }),
    category,
    rank,
    seed,
    afterPlace,
    limit: AT_ONCE,
    now: at,
  });
  const finds = candidates.filter(({ isFound }) => isFound);
  const userIds = await store.insertFinds(trx, { couponId, finds, at });
  await notifyAll(
    trx,
    userIds.map((userId) => ({
      userId,
      type: 'want' as const,
      content: WANT_TEXTS.found({ title, merchant }),
      relatedId: couponId,
      link: paths.coupon(couponId),
      at,
    })),
    { event: 'wish.found', data: { couponIds: [couponId] }, at },
  );
  const last = candidates.length < AT_ONCE ? null : (candidates.at(-1)?.place ?? null);
  await store.moveOn(trx, queued, last);
  return userIds.length;
}

/** Mails the finds of the last day to those who want one mail a day. @returns how many people got one */
export async function sendDigests(ctx: Context): Promise<number> {
  let count = 0;
  for (let taken = AT_ONCE; taken === AT_ONCE; ) {
    taken = await inTransaction(ctx.db, async (trx) => {
      const at = ctx.clock();
      const done = await store.takeDigests(trx, AT_ONCE, at);
      await mailNews(
        trx,
        done.digests.map(({ userId, coupons }) => ({
          userId,
          type: 'want' as const,
          subject: WANT_DIGEST.subject({ count: coupons.length }),
          body: WANT_DIGEST.body({
            named: coupons.slice(0, NAMED),
            more: Math.max(0, coupons.length - NAMED),
          }),
          link: paths.wants,
          at,
        })),
      );
      count += done.digests.length;
      return done.taken;
    });
  }
  return count;
}
