import type { Context } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { follow } from './apply.ts';
import { lockPaymentWithDeal } from './facts.ts';
import { completeIfPaid } from './leg-prices.ts';
import { countInWorkers } from './operations.ts';
import { endOfWait } from './rules.ts';
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
      const end = endOfWait(payment, bid);
      if (end === 'complete' && bid.exchangeId !== null) return completeIfPaid(trx, ctx, bid.exchangeId, at);
      if (end === 'refund') await follow(trx, ctx, locked, { what: 'undone', notice: 'exchange_ended' }, at);
      return end === 'refund';
    }),
  );
}
