import type { Trx } from '#server/database/client.ts';
import { changesOf, termsNow } from '#server/deals/lifecycle/service.ts';
import { type ApplyContext, applyChanges } from './apply.ts';
import { decide } from './decide.ts';
import * as store from './store.ts';

/**
 * Completes the exchange of a market day's ring at once: its people have agreed beforehand. Lock its coupons first.
 * @param given.legs in the order of the ring; everybody in it gives and gets something
 * @returns its id
 * @throws AppError coupon_unavailable, coupon_reserved, deal_changed; then nothing has changed hands
 */
export async function tradeOnMarketDay(
  trx: Trx,
  ctx: ApplyContext,
  given: { day: string; legs: readonly Omit<store.LegPlan, 'price'>[] },
): Promise<number> {
  const at = ctx.clock();
  const legs = given.legs.map((leg) => ({ ...leg, price: null }));
  const [requesterId, ...others] = [...new Set(legs.map(({ giverId }) => giverId))];
  if (requesterId === undefined) throw new Error('A ring has legs');
  const kind = others.length === 1 ? 'swap' : 'ring';
  const terms = termsNow(ctx.config);
  const id = await store.insertAgreed(trx, { kind, requesterId, marketDay: given.day, legs, terms, at });
  const coupons = await store.lockTradedCoupons(trx, id, requesterId);
  const exchange = await store.findLocked(trx, id);
  if (!exchange) throw new Error(`Exchange ${id} was not inserted`);
  const decision = decide({ exchange, coupons, at }, { kind: 'marketDay' });
  await applyChanges(trx, ctx, { exchange, actorId: null, at }, changesOf(decision));
  return id;
}
