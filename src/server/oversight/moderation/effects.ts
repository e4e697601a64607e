import type { Context } from '#server/context/context.ts';
import { hideListedOf, relistCouponsOf } from '#server/coupons/publishing/service.ts';
import { inTransaction } from '#server/database/client.ts';
import { cancelOpenDeals, cancelPendingDeals, listOpenDeals } from '#server/deals/lifecycle/service.ts';
import { deleteCardsOfLeavers } from '#server/money/payments/service.ts';
import { findPersonStatus, isBannedOrGone } from '#server/people/accounts/service.ts';
import * as store from './store.ts';

const DEALS_AT_ONCE = 100;
const PEOPLE_AT_ONCE = 100;

/**
 * Applies the effects of a person's status that are still missing: a ban hides their listings and cancels their open
 * deals, in batches; the end of a ban lists again what it hid. The status itself is stored before, so the person cannot
 * act meanwhile. A failure is logged, and the next run of `finishStatusEffects` continues.
 */
export async function applyStatusEffects(
  ctx: Context,
  userId: number,
  actorId: number | null,
): Promise<void> {
  try {
    const person = await findPersonStatus(ctx.db, userId);
    if (!person || person.isDeleted) return;
    if (person.status !== 'banned') {
      await relistCouponsOf(ctx, userId);
      return;
    }
    await hideCouponsOf(ctx, { userId, actorId });
    await endDealsOf(ctx, { userId, actorId });
    // The database hides coupons that a deal has brought in the meantime.
  } catch (error) {
    ctx.log.error({ err: error, userId }, 'a status has not had all its effects yet');
  }
}

/** Takes the listings of a banned person off the lists, and cancels the pending deals on them, in batches. */
async function hideCouponsOf(
  ctx: Context,
  { userId, actorId }: { userId: number; actorId: number | null },
): Promise<void> {
  for (let hidden: readonly number[] | null = []; hidden !== null; ) {
    hidden = await inTransaction(ctx.db, async (trx) => {
      const couponIds = await hideListedOf(trx, userId);
      const cause = { reason: 'party_banned', at: ctx.clock(), actorId } as const;
      if (couponIds !== null) await cancelPendingDeals(trx, { couponIds, ...cause });
      return couponIds;
    });
  }
}

/** Skips deals that somebody is changing right now; the next run takes them. */
async function endDealsOf(
  ctx: Context,
  { userId, actorId }: { userId: number; actorId: number | null },
): Promise<void> {
  for (let fruitless = 0; fruitless < 3; ) {
    const deals = await listOpenDeals(ctx.db, userId, DEALS_AT_ONCE);
    if (deals.length === 0) return;
    const ended = await inTransaction(ctx.db, async (trx) => {
      const cause = { reason: 'party_banned', at: ctx.clock(), actorId, closedId: userId } as const;
      const count = await cancelOpenDeals(trx, deals, cause);
      return (await isBannedOrGone(trx, userId)) ? count : null;
    });
    if (ended === null) return;
    fruitless = ended === 0 ? fruitless + 1 : 0;
  }
}

/**
 * Finishes interrupted work: bans and ends of bans with missing effects (also bids whose payment was processing and has
 * failed), and the cards of people who have left.
 * @returns the number of people and of deleted cards
 */
export async function finishStatusEffects(ctx: Context): Promise<{ people: number; cards: number }> {
  const people = await store.listUnfinished(ctx.db, PEOPLE_AT_ONCE);
  for (const userId of people) await applyStatusEffects(ctx, userId, null);
  return { people: people.length, cards: await deleteCardsOfLeavers(ctx) };
}
