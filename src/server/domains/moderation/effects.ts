import { inTransaction } from '#server/database/client.ts';
import { findPersonStatus } from '../accounts/service.ts';
import type { Context } from '../context.ts';
import { hideCouponsOf, relistCouponsOf } from '../coupons/owner-effects.ts';
import { cancelOpenDeals, listOpenDeals } from '../deals/endings.ts';
import { isBannedOrGone } from '../deals/service.ts';
import { deleteCardsOfLeavers } from '../payments/cards.ts';
import * as store from './store.ts';

const DEALS_AT_ONCE = 100;
const PEOPLE_AT_ONCE = 100;

/**
 * Does what follows from a person's status, as far as it is not done yet: a banned person's listings are hidden and
 * their open deals cancelled, both in portions that are whole in themselves; after a ban what it has hidden is listed
 * again. The status itself stands already, so that the person cannot act meanwhile. What fails here is logged, and
 * finished by the next run of `finishStatusEffects`.
 */
export async function carryOut(ctx: Context, userId: number, actorId: number | null): Promise<void> {
  try {
    const person = await findPersonStatus(ctx.db, userId);
    if (!person || person.isDeleted) return;
    if (person.status !== 'banned') {
      await relistCouponsOf(ctx, userId);
      return;
    }
    await hideCouponsOf(ctx, { ownerId: userId, actorId });
    await endDealsOf(ctx, { userId, actorId });
    // What a deal has brought meanwhile, the database has hidden.
  } catch (error) {
    ctx.log.error({ err: error, userId }, 'a status has not had all its effects yet');
  }
}

/** Those that people change in the same moment are left for the next run. */
async function endDealsOf(
  ctx: Context,
  { userId, actorId }: { userId: number; actorId: number | null },
): Promise<void> {
  for (let fruitless = 0; fruitless < 3; ) {
    const deals = await listOpenDeals(ctx.db, userId, DEALS_AT_ONCE);
    if (deals.length === 0) return;
    const ended = await inTransaction(ctx.db, async (trx) => {
      const cause = { reason: 'party_banned', at: ctx.clock(), actorId } as const;
      const count = await cancelOpenDeals(trx, deals, cause);
      return (await isBannedOrGone(trx, userId)) ? count : null;
    });
    if (ended === null) return;
    fruitless = ended === 0 ? fruitless + 1 : 0;
  }
}

/**
 * Finishes what was interrupted: bans and their ends that have not had all their effects, among them the bids whose
 * payment was on its way and has come to nothing; and the cards of people who have left.
 * @returns how many people were seen to, and how many cards forgotten
 */
export async function finishStatusEffects(ctx: Context): Promise<{ people: number; cards: number }> {
  const people = await store.listUnfinished(ctx.db, PEOPLE_AT_ONCE);
  for (const userId of people) await carryOut(ctx, userId, null);
  return { people: people.length, cards: await deleteCardsOfLeavers(ctx) };
}
