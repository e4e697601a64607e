import { t } from '@lingui/core/macro';
import type { ExchangeSide } from '#contract/deals/deals.ts';
import type { Exchange, SetExchangeStatusInput } from '#contract/deals/exchanges.ts';
import type { FeeRates } from '#contract/money/fees.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import type { Trx } from '#server/database/client.ts';
import { notifyParties } from '#server/people/notifications/service.ts';
import { EXCHANGE_TEXTS, type ExchangeFacts, type OwnPrice, withPrices } from '#server/texts/exchanges.ts';
import { type ExchangeTransition, sideOf, TRANSITIONS } from './rules.ts';
import * as store from './store.ts';
import { toExchange, toPrice } from './view.ts';

/** The coupons of all legs. */
export function couponIdsOf({ legs }: store.ExchangeRow): number[] {
  return legs.map(({ coupon }) => coupon.id);
}

/** The error for somebody who acts on legs that they have not seen. */
export function offerChanged(): AppError {
  return new AppError('deal_changed', t`The offer has just changed. Please check it again.`);
}

/** What a leg of an exchange costs, for those that have a price. */
export function pricesOf({ legs }: store.ExchangeRow): { couponId: number; amount: string }[] {
  return legs.flatMap(({ coupon, price }) => (price ? [{ couponId: coupon.id, amount: price.amount }] : []));
}

/** Whether the caller has seen these legs. */
export function isSeen(
  exchange: store.ExchangeRow,
  {
    offeredCouponId,
    couponIds,
    prices,
  }: Pick<SetExchangeStatusInput, 'offeredCouponId' | 'couponIds' | 'prices'>,
): boolean {
  const keysOf = (of: readonly { couponId: number; amount: string }[]) =>
    of.map(({ couponId, amount }) => `${couponId} ${amount}`);
  if (prices !== undefined && !isSameSet(keysOf(prices), keysOf(pricesOf(exchange)))) return false;
  const offered = exchange.legs.find(({ giverId }) => giverId === exchange.requesterId);
  if (offeredCouponId !== undefined && offeredCouponId !== offered?.coupon.id) return false;
  return couponIds === undefined || isSameSet(couponIds, couponIdsOf(exchange));
}

/** Whether both lists have the same items, each once. */
export function isSameSet<Item>(one: readonly Item[], other: readonly Item[]): boolean {
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
): Promise<ReturnType<typeof asOwn> & { coupons: readonly store.TradedCoupon[]; isChanged: boolean }> {
  const coupons = await store.lockTradedCoupons(trx, id, actorId);
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
  if (!exchange || !side) throw notFound(t`Exchange not found`);
  return { exchange, side };
}

/** Writes the histories of all parties, notifies the others and returns the exchange as the actor now sees it. */
export async function afterTransition(
  trx: Trx,
  ctx: MemberContext,
  id: number,
  transition: ExchangeTransition,
  at: Date,
): Promise<Exchange> {
  const { exchange } = await findOwn(trx, id, ctx.actor.id);
  await tellOfTransition(trx, ctx, { exchange, transition, actorId: ctx.actor.id, at });
  return toExchange(exchange, ctx.actor.id, ctx.config.feeRates);
}

/** Writes the histories of all parties and notifies all but the actor. @param news.actorId null: no person did it */
export async function tellOfTransition(
  trx: Trx,
  { config }: Pick<Context, 'config'>,
  news: { exchange: store.ExchangeRow; transition: ExchangeTransition; actorId: number | null; at: Date },
): Promise<void> {
  const { exchange, transition, actorId, at } = news;
  const { id } = exchange;
  const { action, type, event, status } = TRANSITIONS[transition];
  const texts = EXCHANGE_TEXTS[exchange.kind][transition];
  if (!texts) throw new Error(`A ${exchange.kind} has no ${transition}`);
  await notifyParties(trx, [
    {
      deal: { dealType: 'exchange', dealId: id },
      parties: exchange.parties.map(({ id: userId }) => {
        const facts = factsFor(exchange, userId, actorId);
        const text = userId === actorId ? texts.actor(facts) : texts.other(facts);
        const prices = ownPrices(exchange, userId, config.feeRates);
        return { userId, text: facts.isPriced ? withPrices(transition, { text, prices }) : text };
      }),
      actorId,
      action,
      event,
      data: { couponIds: exchange.legs.map(({ coupon }) => coupon.id), status },
      type,
      mailSubject: texts.subject?.(),
      at,
    },
  ]);
}

/** What the texts say to one reader. */
function factsFor(
  { requesterId, parties, legs }: store.ExchangeRow,
  readerId: number,
  actorId: number | null,
): ExchangeFacts {
  const nameOf = (userId: number) => parties.find(({ id }) => id === userId)?.username ?? '';
  const titles = (side: 'giverId' | 'receiverId', userId: number) =>
    legs.filter((leg) => leg[side] === userId).map(({ coupon }) => coupon.title);
  return {
    requester: nameOf(requesterId),
    owner: nameOf(parties.find(({ id }) => id !== requesterId)?.id ?? 0),
    actor: actorId === null ? '' : nameOf(actorId),
    others: parties.filter(({ id }) => id !== readerId).map(({ username }) => username),
    offered: titles('giverId', requesterId),
    asked: titles('receiverId', requesterId),
    given: titles('giverId', readerId),
    got: titles('receiverId', readerId),
    isPriced: legs.some(({ price }) => price !== null),
  };
}

/** What one reader pays or gets besides. */
function ownPrices({ legs }: store.ExchangeRow, readerId: number, ratesNow: FeeRates): OwnPrice[] {
  return legs.flatMap(({ price, giverId, giverUsername, receiverId, receiverUsername }) => {
    const shown = price && toPrice(price, ratesNow);
    if (!shown || (readerId !== giverId && readerId !== receiverId)) return [];
    const { amount, buyerTotal, netAmount } = shown;
    const isPayer = readerId === receiverId;
    return [{ amount, buyerTotal, netAmount, pays: receiverUsername, gets: giverUsername, isPayer }];
  });
}
