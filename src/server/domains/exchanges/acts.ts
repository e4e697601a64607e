import type { ExchangeSide } from '#contract/deals.ts';
import type { Exchange, SetExchangeStatusInput } from '#contract/exchanges.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import type { Trx } from '#server/database/client.ts';
import { lockCouponsOfExchange, type TradedCoupon } from '../deals/service.ts';
import { notifyParties } from '../notifications/service.ts';
import { type ExchangeAct, sideOf } from './rules.ts';
import * as store from './store.ts';
import { actTexts } from './texts.ts';
import { toExchange } from './view.ts';

/** The coupons of all legs. */
export function couponIdsOf({ legs }: store.ExchangeRow): number[] {
  return legs.map(({ coupon }) => coupon.id);
}

/** The error for somebody who acts on legs that they have not seen. */
export function offerChanged(): AppError {
  return new AppError('deal_changed', 'The offer has just been changed. Please look at it again.');
}

/** Whether the caller has seen these legs. */
export function isSeen(
  exchange: store.ExchangeRow,
  { offeredCouponId, couponIds }: Pick<SetExchangeStatusInput, 'offeredCouponId' | 'couponIds'>,
): boolean {
  const offered = exchange.legs.find(({ giverId }) => giverId === exchange.requesterId);
  if (offeredCouponId !== undefined && offeredCouponId !== offered?.coupon.id) return false;
  return couponIds === undefined || isSameSet(couponIds, couponIdsOf(exchange));
}

/** Whether both lists name the same ids, each once. */
export function isSameSet(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && other.every((id) => one.includes(id));
}

/** An exchange of the caller's and their side. @throws AppError not_found, for strangers too */
export async function findOwn(trx: Trx, id: number, actorId: number): Promise<ReturnType<typeof asOwn>> {
  return asOwn(await store.findExchange(trx, id), actorId);
}

/**
 * Like `findOwn`, with the exchange and its coupons locked.
 * @returns also the locked coupons; `isChanged` when they are no longer those of the exchange
 */
export async function lockOwn(
  trx: Trx,
  id: number,
  actorId: number,
): Promise<ReturnType<typeof asOwn> & { coupons: readonly TradedCoupon[]; isChanged: boolean }> {
  const coupons = await lockCouponsOfExchange(trx, id, actorId);
  // Nothing is locked for strangers.
  const own = asOwn(coupons.length > 0 ? await store.findLocked(trx, id) : undefined, actorId);
  const current = couponIdsOf(own.exchange);
  const isChanged =
    current.length !== coupons.length || coupons.some((locked) => !current.includes(locked.id));
  return { ...own, coupons, isChanged };
}

function asOwn(
  exchange: store.ExchangeRow | undefined,
  actorId: number,
): { exchange: store.ExchangeRow; side: ExchangeSide } {
  const side = exchange && sideOf(exchange, actorId);
  if (!exchange || !side) throw notFound('Exchange');
  return { exchange, side };
}

/** Writes the histories of all parties, notifies the others and returns the exchange as the actor now sees it. */
export async function afterAct(
  trx: Trx,
  id: number,
  act: ExchangeAct,
  actorId: number,
  at: Date,
): Promise<Exchange> {
  const { exchange } = await findOwn(trx, id, actorId);
  const texts = actTexts(act, exchange, actorId);
  const others = exchange.parties.filter((party) => party.id !== actorId);
  await notifyParties(trx, [
    {
      deal: { dealType: 'exchange', dealId: id },
      parties: [
        { userId: actorId, text: texts.actor },
        ...others.map((party) => ({ userId: party.id, text: texts.other(party.id) })),
      ],
      actorId,
      action: texts.action,
      type: texts.type,
      mailSubject: texts.mailSubject,
      at,
    },
  ]);
  return toExchange(exchange, actorId);
}
