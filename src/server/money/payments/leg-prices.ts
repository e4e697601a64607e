import type { Context } from '#server/context/context.ts';
import type { Trx } from '#server/database/client.ts';
import { completePaidExchange } from '#server/deals/exchanges/service.ts';
import { areHeld, holdUntil } from './rules.ts';
import * as store from './store.ts';

/**
 * The prices of the legs of an exchange. Each is paid like a bid, but no payment moves a coupon: when the money of all is
 * held, the exchange is completed and the holds begin. If it ends before, all the money goes back.
 */

/**
 * Completes an exchange once all its prices are paid and no bank disputes one of the payments; then the holds begin. Lock
 * one of its payments, with its deal, first.
 */
export async function completeIfPaid(trx: Trx, ctx: Context, exchangeId: number, at: Date): Promise<boolean> {
  const payments = await store.lockPaymentsOfExchange(trx, exchangeId);
  if (!areHeld(payments)) return false;
  if (!(await completePaidExchange(trx, ctx, exchangeId, at))) return false;
  for (const payment of payments) await store.updatePayment(trx, payment, { holdUntil: holdUntil(at) }, at);
  return true;
}
