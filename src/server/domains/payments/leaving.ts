import type { Trx } from '#server/database/client.ts';
import type { Context } from '../context.ts';
import * as store from './leaving-store.ts';

/** What of somebody's money keeps them from leaving: a claim that is open, a payment under way; null: nothing. */
export async function moneyUnderWay(trx: Trx, userId: number): Promise<'claim' | 'payment' | null> {
  const { claims, payments } = await store.countUnderWay(trx, userId);
  if (claims > 0) return 'claim';
  return payments > 0 ? 'payment' : null;
}

const CARDS_AT_ONCE = 50;

/**
 * Forgets the cards of people who have left, at the provider first. One that the provider does not forget now stays
 * written down, and is tried again by the next call.
 * @param userId of this person alone
 * @returns how many were forgotten
 */
export async function forgetCardsLeft(ctx: Context, userId?: number): Promise<number> {
  const vault = ctx.providers.payments.stripe?.cards;
  let count = 0;
  for (const card of await store.listCardsLeft(ctx.db, CARDS_AT_ONCE, userId)) {
    try {
      await vault?.forgetCard(card.tokenizedDetails);
      await store.deleteCardLeft(ctx.db, card.id);
      count += 1;
    } catch (error) {
      ctx.log.warn(
        { err: error, cardId: card.id, userId: card.userId },
        'a card is not forgotten; later again',
      );
    }
  }
  return count;
}
