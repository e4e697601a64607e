import type { Context } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { AppError } from '#server/core/errors.ts';
import { lockCoupons } from '#server/coupons/core/reservations.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { findFeedPicture, storeFeedPicture } from '#server/people/pictures/service.ts';
import { FeedRefusal } from '#server/readers/feeds/feeds.ts';
import { type PictureProblem, PictureRefusal } from '#server/readers/pictures/pictures.ts';
import * as store from './feed-pictures-store.ts';

/** A job fetches the pictures of imported coupons from the merchant's feed after the import. */

/** The pauses after each attempt: a host may be down for an hour or two, and a process may end in the last one. */
const PAUSE_MINUTES = [5, 15, 45, 135, 135] as const;
const TRIES = PAUSE_MINUTES.length;

/** Problems on our side. */
const PASSING: ReadonlySet<PictureProblem> = new Set(['busy', 'too_slow', 'interrupted']);

/** How long a picture that was given up is not fetched again, whoever imports its offer. */
const FORGET_DAYS = 1;

const COUPONS_AT_ONCE = 200;

/** Lets a newly imported coupon wait for the picture of its offer. */
export async function awaitFeedPicture(
  trx: Trx,
  given: { readonly couponId: number; readonly url: string; readonly at: Date },
): Promise<void> {
  await store.wait(trx, { ...given, host: new URL(given.url).host });
}

/** Keeps a picture that a moderator removes from coming back. Call it before the coupons are locked. */
export async function forbidFeedPicture(trx: Trx, given: { url: string; at: Date }): Promise<void> {
  await store.forbid(trx, { ...given, host: new URL(given.url).host });
}

/** Ends the waiting after an edit that makes a coupon another offer, or decides on its picture. */
export async function stopAwaiting(trx: Trx, couponId: number): Promise<void> {
  await store.stopWaiting(trx, [couponId]);
}

/**
 * Fetches the pictures that are due, each once for all coupons that wait for it, one after another so that no host gets
 * many requests at once. A host that fails is left alone until the next run.
 * @param end aborts when the run should end
 * @returns how many pictures were given to coupons, and how many were given up
 */
export async function takeFeedPictures(
  ctx: Context,
  end: AbortSignal,
): Promise<{ taken: number; givenUp: number }> {
  await store.stopIdleWaits(ctx.db);
  await store.forgetFetches(ctx.db, addDays(ctx.clock(), -FORGET_DAYS));
  const exceptHosts: string[] = [];
  const done = { taken: 0, givenUp: 0 };
  while (!end.aborted) {
    const at = ctx.clock();
    const due = await inTransaction(ctx.db, (trx) =>
      store.claim(trx, { at, exceptHosts, nextAt: (tries) => nextAttempt(at, tries) }),
    );
    if (!due) break;
    const failure = await takePicture(ctx, due.url).catch((error: unknown) => failureOf(ctx, error));
    if (failure === null) done.taken += 1;
    else if (failure.mayPass && due.tries < TRIES) exceptHosts.push(due.host);
    else {
      const coupons = await inTransaction(ctx.db, (trx) => store.giveUp(trx, due.url));
      // Without the address, which may contain a key.
      const { host, tries } = due;
      ctx.log.info(
        { host, tries, coupons, problem: failure.problem },
        'the picture of an offer was not taken',
      );
      done.givenUp += 1;
    }
  }
  return done;
}

function nextAttempt(at: Date, tries: number): Date {
  const minutes = PAUSE_MINUTES[tries - 1] ?? 0;
  return new Date(at.getTime() + minutes * 60_000);
}

interface Failure {
  readonly problem: string;
  readonly mayPass: boolean;
}

/** Gives a picture to all coupons that wait for it. @returns why not, or null */
async function takePicture(ctx: Context, url: string): Promise<Failure | null> {
  if (await giveToWaiting(ctx, url)) return null;
  const bytes = await ctx.providers.feedPictures.fetch(url);
  if (!(await storeFeedPicture(ctx, { sourceUrl: url, bytes })))
    return { problem: 'A code can be read in it.', mayPass: false };
  await giveToWaiting(ctx, url);
  return null;
}

/** Decides what follows a failed attempt. It logs our own faults, and tries again as often as for those outside. */
function failureOf(ctx: Context, error: unknown): Failure {
  if (error instanceof FeedRefusal) return { problem: error.message, mayPass: error.mayPass };
  if (error instanceof PictureRefusal) return { problem: error.message, mayPass: PASSING.has(error.problem) };
  if (error instanceof AppError && error.code === 'unavailable')
    return { problem: error.message, mayPass: true };
  ctx.log.error({ err: error }, 'taking the picture of an offer failed');
  return { problem: 'It failed here: see the log.', mayPass: true };
}

/** @returns false if there is no picture of this address yet */
async function giveToWaiting(ctx: Context, url: string): Promise<boolean> {
  for (;;) {
    const given = await inTransaction(ctx.db, async (trx) => {
      const at = ctx.clock();
      const couponIds = await store.lockWaiting(trx, url, COUPONS_AT_ONCE);
      // Edits may have ended all waiting since the claim.
      if (couponIds.length > 0) await lockCoupons(trx, couponIds);
      const pictureId = await findFeedPicture(trx, url, at);
      if (pictureId === null) return null;
      await store.givePicture(trx, { pictureId, couponIds, at });
      await store.stopWaiting(trx, couponIds);
      if (couponIds.length < COUPONS_AT_ONCE) await store.endFetch(trx, url);
      return couponIds.length;
    });
    if (given === null) return false;
    if (given < COUPONS_AT_ONCE) return true;
  }
}
