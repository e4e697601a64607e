import type { Market } from '#contract/deals/matches.ts';
import type { Context } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import * as store from './market-store.ts';

/** How many merchants a night keeps, and how many a page names. */
const KEPT = 20;
const NAMED = 4;
/** So many people at least would swap for a coupon of a merchant that everybody is told of. */
const PEOPLE_LEAST = 3;

/** Stores the day of the market: call it when the matches that make the most trades are chosen. */
export async function recordSweep(ctx: Context): Promise<void> {
  const now = ctx.clock();
  await inTransaction(ctx.db, async (trx) => {
    await store.putDay(trx, now);
    await store.replaceInvitations(trx, { now, least: PEOPLE_LEAST, limit: KEPT });
  });
}

/**
 * How many swaps are possible, as of last night, and the merchants whose coupons would bring more. For members it begins with those that would
 * bring them a swap.
 */
export async function readMarket({ db, actor, clock }: Context): Promise<Market> {
  const [day, own, everybodys] = await Promise.all([
    store.latestDay(db),
    actor ? store.listOwnInvitations(db, { userId: actor.id, now: clock(), limit: NAMED }) : [],
    store.listInvitations(db, { userId: actor?.id ?? null, limit: NAMED }),
  ]);
  const named = new Set(own.map(({ merchant }) => merchant));
  const others = everybodys.filter(({ merchant }) => !named.has(merchant));
  return { day: day ?? null, invitations: [...own, ...others].slice(0, NAMED) };
}
