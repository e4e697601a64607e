import type { Context } from '#server/context/context.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { undo } from './holds.ts';
import { completeIfPaid } from './leg-prices.ts';
import { countInWorkers } from './operations.ts';
import { saleOf } from './rules.ts';
import { lockPaymentWithDeal, releaseClaimed } from './sales.ts';
import * as store from './store.ts';

/**
 * Settles the price of a leg after a claim about its coupon: an upheld one gives the payer all of it back, and the giver the
 * coupon; after another one the coupon is free again. Does nothing if the payer has the money back.
 * @throws AppError payment_changed when the payer no longer has the coupon
 */
export async function settleClaimedPrice(
  trx: Trx,
  { bidId, isUpheld, at }: { bidId: number; isUpheld: boolean; at: Date },
): Promise<void> {
  const payment = await store.findPaymentOfBid(trx, bidId);
  if (!payment) return;
  const locked = await lockPaymentWithDeal(trx, payment.id);
  if (!isUpheld) await releaseClaimed(trx, locked);
  else if (saleOf(locked.payment.status) !== 'undone') await undo(trx, locked, 'claim_refunded', at);
}

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
      await undo(trx, locked, 'exchange_ended', at);
      return true;
    }),
  );
}
