import { type DealStatus, EXCHANGE_TRANSITIONS, type ExchangeSide } from '#contract/deals.ts';
import type {
  Exchange,
  ListExchangesInput,
  ProposeExchangeInput,
  ReviseExchangeInput,
  SetExchangeStatusInput,
} from '#contract/exchanges.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Page } from '#contract/primitives.ts';
import { TEXTS } from '#contract/texts.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction, refuseDuplicate, type Trx } from '#server/database/client.ts';
import { checkNotBlocked } from '../blocks/service.ts';
import type { MemberContext } from '../context.ts';
import { cancelPendingDeals } from '../deals/endings.ts';
import {
  checkOpenToOffers,
  checkStillTradable,
  countCompletedExchange,
  findOfferable,
  judgeMove,
  type LockedCoupon,
  lockCoupons,
  moveDeal,
  reasonOf,
  releaseReservation,
  reserveCoupons,
  stateText,
  transferCoupons,
} from '../deals/service.ts';
import { notifyParties } from '../notifications/service.ts';
import { actTexts, type ExchangeAct, forbiddenText, sideOf } from './rules.ts';
import * as store from './store.ts';
import { toExchange } from './view.ts';

/** Each proposal notifies another person, so this limit keeps a person from flooding others. */
const PROPOSALS_PER_PERSON: RateLimit = {
  name: 'proposals',
  text: 'Too many proposals.',
  ...LIMITS.proposals,
};

/** The caller's exchanges, newest first. @throws AppError bad_input on `page` beyond the counted rows */
export async function listExchanges(
  ctx: MemberContext,
  { tab, search = '', ...paging }: ListExchangesInput,
): Promise<Page<Exchange>> {
  const filter = { userId: ctx.actor.id, tab, search };
  const { rows, ...page } = await store.listExchanges(ctx.db, filter, paging);
  return { items: rows.map((row) => toExchange(row, ctx.actor.id)), ...page };
}

/** @throws AppError not_found, for strangers too */
export async function exchangeById(ctx: MemberContext, id: number): Promise<Exchange> {
  const row = await store.findExchange(ctx.db, id);
  if (!row) throw notFound('Exchange');
  return toExchange(row, ctx.actor.id);
}

/**
 * Offers one of the caller's coupons for somebody else's and notifies its owner.
 * @throws AppError not_found, forbidden (own and foreign coupons mixed up), coupon_unavailable (not open to offers, too),
 *   coupon_reserved,
 *   exchange_exists (one pending request per person and coupon), conflict (a person the caller has blocked), rate_limited
 */
export async function proposeExchange(ctx: MemberContext, input: ProposeExchangeInput): Promise<Exchange> {
  const { requestedCouponId, offeredCouponId, message } = input;
  await enforceLimit(ctx.limiter, PROPOSALS_PER_PERSON, String(ctx.actor.id));
  return inTransaction(ctx.db, async (trx) => {
    const coupons = await lockCoupons(trx, [requestedCouponId, offeredCouponId]);
    const at = ctx.clock();
    const requested = findOfferable(coupons, {
      id: requestedCouponId,
      path: 'requestedCouponId',
      at,
      wrongOwner: (ownerId) => (ownerId === ctx.actor.id ? 'You cannot ask for your own coupon' : null),
    });
    checkOpenToOffers(requested, 'requestedCouponId');
    checkOffered(coupons, offeredCouponId, ctx.actor.id, at);
    await checkNotBlocked(trx, { actorId: ctx.actor.id, coupon: requested, path: 'requestedCouponId' });
    const id = await refuseDuplicate(
      store.insertExchange(trx, {
        requesterId: ctx.actor.id,
        ownerId: requested.ownerId,
        requestedCouponId,
        offeredCouponId,
        message,
        createdAt: at,
        updatedAt: at,
      }),
      'exchanges_one_pending',
      (cause) => new AppError('exchange_exists', TEXTS.exchanges.alreadySubmitted, { cause }),
    );
    return afterAct(trx, id, 'propose', ctx.actor.id, at);
  });
}

/**
 * Changes the offered coupon or the message of a pending exchange and notifies its owner.
 * @throws AppError not_found, forbidden (not the requester), deal_changed, coupon_unavailable, coupon_reserved,
 *   rate_limited
 */
export async function reviseExchange(
  ctx: MemberContext,
  { id, offeredCouponId, message }: ReviseExchangeInput,
): Promise<Exchange> {
  await enforceLimit(ctx.limiter, PROPOSALS_PER_PERSON, String(ctx.actor.id));
  return inTransaction(ctx.db, async (trx) => {
    const { exchange, side } = await findOwn(trx, id, ctx.actor.id);
    if (side !== 'requester') {
      throw new AppError('forbidden', 'Only the person who asked for this exchange can change the offer.');
    }
    const offers = [exchange.offeredCouponId, offeredCouponId ?? exchange.offeredCouponId];
    const coupons = await lockCoupons(trx, [exchange.requestedCouponId, ...offers]);
    const at = ctx.clock();
    const { status } = await store.lockExchange(trx, id);
    if (status !== 'pending') throw new AppError('deal_changed', stateText('exchange', status));
    if (offeredCouponId !== undefined) checkOffered(coupons, offeredCouponId, ctx.actor.id, at);
    await store.reviseExchange(trx, id, { offeredCouponId, message }, at);
    return afterAct(trx, id, 'revise', ctx.actor.id, at);
  });
}

/**
 * Accepts, rejects, cancels or completes an exchange, as EXCHANGE_TRANSITIONS allows. A stale call fails with the
 * exchange's current state.
 * @param from the only state to move it from; by default any that allows the move
 * @throws AppError not_found (strangers too), forbidden (wrong side), deal_changed, coupon_unavailable, coupon_reserved
 */
export async function setExchangeStatus(
  ctx: MemberContext,
  { id, status: to, offeredCouponId: seen }: SetExchangeStatusInput,
  from?: DealStatus,
): Promise<Exchange> {
  return inTransaction(ctx.db, async (trx) => {
    const { exchange, side } = await findOwn(trx, id, ctx.actor.id);
    const coupons = await lockCoupons(trx, [exchange.requestedCouponId, exchange.offeredCouponId]);
    const current = await store.lockExchange(trx, id);
    const at = ctx.clock();
    const verdict = judgeMove(EXCHANGE_TRANSITIONS, { from: current.status, to, side });
    if (verdict === 'forbidden') throw new AppError('forbidden', forbiddenText(to));
    if (verdict === 'stale' || (from && from !== current.status))
      throw new AppError('deal_changed', stateText('exchange', current.status));
    const isSeen = seen === undefined || seen === current.offeredCouponId;
    if (!isSeen || current.offeredCouponId !== exchange.offeredCouponId) {
      throw new AppError('deal_changed', 'The offer has just been changed. Please look at it again.');
    }
    const move = { from: current.status, to, reason: reasonOf(to, side), at };
    await moveDeal(trx, { dealType: 'exchange', dealId: id }, move);
    if (to === 'accepted') await reserveBoth(trx, exchange, coupons, at);
    if (to === 'completed') await swap(trx, exchange, coupons, { actorId: ctx.actor.id, at });
    if (to === 'cancelled' && current.status === 'accepted')
      await releaseReservation(trx, { exchangeId: id });
    return afterAct(trx, id, actOf(current.status, to), ctx.actor.id, at);
  });
}

/** Reserves both coupons. Rival deals stay pending, but cannot be accepted meanwhile. */
async function reserveBoth(
  trx: Trx,
  exchange: store.ExchangeRow,
  coupons: readonly LockedCoupon[],
  at: Date,
): Promise<void> {
  checkBothTradable(exchange, coupons, at);
  const couponIds = coupons.map((coupon) => coupon.id);
  await reserveCoupons(trx, { deal: { exchangeId: exchange.id }, couponIds, at });
}

/** Swaps the owners of both coupons and ends all other deals on them. */
async function swap(
  trx: Trx,
  exchange: store.ExchangeRow,
  coupons: readonly LockedCoupon[],
  { actorId, at }: { actorId: number; at: Date },
): Promise<void> {
  checkBothTradable(exchange, coupons, at);
  const { requesterId, ownerId, requestedCouponId, offeredCouponId } = exchange;
  const deal = { exchangeId: exchange.id };
  const moves = [
    { couponId: requestedCouponId, fromUserId: ownerId, toUserId: requesterId },
    { couponId: offeredCouponId, fromUserId: requesterId, toUserId: ownerId },
  ];
  await transferCoupons(trx, { deal, moves, at });
  await releaseReservation(trx, deal);
  const couponIds = [requestedCouponId, offeredCouponId];
  await cancelPendingDeals(trx, { couponIds, reason: 'rival_completed', at, actorId });
  await countCompletedExchange(trx, [requesterId, ownerId]);
}

function checkBothTradable(exchange: store.ExchangeRow, coupons: readonly LockedCoupon[], at: Date): void {
  for (const coupon of coupons) {
    const giverId = coupon.id === exchange.requestedCouponId ? exchange.ownerId : exchange.requesterId;
    checkStillTradable(coupon, giverId, at);
  }
}

function checkOffered(coupons: readonly LockedCoupon[], id: number, actorId: number, at: Date): void {
  findOfferable(coupons, {
    id,
    path: 'offeredCouponId',
    at,
    wrongOwner: (ownerId) => (ownerId === actorId ? null : 'You can offer only coupons of your own'),
  });
}

async function findOwn(
  trx: Trx,
  id: number,
  actorId: number,
): Promise<{ exchange: store.ExchangeRow; side: ExchangeSide }> {
  const exchange = await store.findExchange(trx, id);
  const side = exchange && sideOf(exchange, actorId);
  if (!exchange || !side) throw notFound('Exchange');
  return { exchange, side };
}

function actOf(from: DealStatus, to: DealStatus): ExchangeAct {
  if (to === 'accepted') return 'accept';
  if (to === 'rejected') return 'reject';
  if (to === 'completed') return 'complete';
  return from === 'pending' ? 'withdraw' : 'cancel';
}

/** Writes both histories, notifies the other party and returns the exchange as the actor now sees it. */
async function afterAct(
  trx: Trx,
  id: number,
  act: ExchangeAct,
  actorId: number,
  at: Date,
): Promise<Exchange> {
  const { exchange, side } = await findOwn(trx, id, actorId);
  const texts = actTexts(act, exchange, side);
  const otherId = side === 'requester' ? exchange.ownerId : exchange.requesterId;
  await notifyParties(trx, [
    {
      deal: { dealType: 'exchange', dealId: id },
      parties: [
        { userId: actorId, text: texts.actor },
        { userId: otherId, text: texts.other },
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
