import type { Context } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { follow } from './apply.ts';
import { lockPaymentWithDeal } from './facts.ts';
import { completeIfPaid } from './leg-prices.ts';
import { countInWorkers } from './operations.ts';
import * as store from './store.ts';

const AT_ONCE = 200;

/**
 * Refunds the held prices of exchanges that have ended, and completes exchanges that can be completed now.
 * @returns how many payments were moved on
 */
export async function settlePrices(ctx: Context): Promise<number> {
  const waiting = await store.listHeldPrices(ctx.db, AT_ONCE);
  return countInWorkers(ctx, 'paymentId', waiting, (id) =>
    inTransaction(ctx.db, async (trx) => {
      const locked = await lockPaymentWithDeal(trx, id);
      const { bid, payment } = locked;
      const at = ctx.clock();
      if (payment.status !== 'held' || payment.holdUntil !== null || bid.exchangeId === null) return false;
      if (bid.status === 'accepted') return completeIfPaid(trx, ctx, bid.exchangeId, at);
      if (bid.status !== 'cancelled') return false;
      await follow(trx, ctx, locked, { what: 'undone', notice: 'exchange_ended' }, at);
      return true;
    }),
  );
}
