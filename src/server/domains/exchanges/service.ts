import {
  type DealReason,
  type DealStatus,
  EXCHANGE_TRANSITIONS,
  type ExchangeKind,
  type ExchangeSide,
  RING_CONSENT_HOURS,
  RING_PEOPLE,
} from '#contract/deals.ts';
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
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction, refuseDuplicate, type Trx } from '#server/database/client.ts';
import { checkNotAway } from '../away/service.ts';
import { checkNoneBlocked, checkNotBlocked } from '../blocks/service.ts';
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
  releaseReservation,
  reserveCoupons,
  stateText,
  transferCoupons,
} from '../deals/service.ts';
import { notifyParties } from '../notifications/service.ts';
import { changeOfInput, checkOffered, checkRequested, sideOfInput, swapLegs } from './offers.ts';
import { actOf, type ExchangeAct, forbiddenText, isRing, sideOf } from './rules.ts';
import * as store from './store.ts';
import { actTexts } from './texts.ts';
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

/** A ring to be: a coupon of each person, and who gets it. */
export interface RingProposal {
  readonly legs: readonly { readonly couponId: number; readonly receiverId: number }[];
  readonly message: string | null;
}

/**
 * Offers coupons of the caller's for coupons of one other person, and notifies that person.
 * @throws AppError not_found, forbidden (own and foreign coupons mixed up), coupon_unavailable (not open to offers,
 *   too), coupon_reserved, exchange_exists (one pending request per person and coupon), conflict (a person whom the
 *   caller has blocked or who is away), rate_limited
 */
export async function proposeExchange(ctx: MemberContext, input: ProposeExchangeInput): Promise<Exchange> {
  const requested = sideOfInput(input, 'requested');
  const offered = sideOfInput(input, 'offered');
  await enforceLimit(ctx.limiter, PROPOSALS_PER_PERSON, String(ctx.actor.id));
  return inTransaction(ctx.db, async (trx) => {
    const coupons = await lockCoupons(trx, [...requested.ids, ...offered.ids]);
    const at = ctx.clock();
    const [asked] = checkRequested(coupons, requested, ctx.actor.id, at);
    checkOffered(coupons, offered, ctx.actor.id, at);
    await checkNotBlocked(trx, { actorId: ctx.actor.id, coupon: asked, path: requested.path });
    await checkNotAway(trx, { userIds: [asked.ownerId], path: requested.path, at });
    const legs = swapLegs(requested.ids, offered.ids, ctx.actor.id, asked.ownerId);
    const { message } = input;
    const proposal = { kind: 'swap', requesterId: ctx.actor.id, message, consentBy: null, legs, at } as const;
    const id = await refuseSecond(store.insertExchange(trx, proposal));
    return afterAct(trx, id, 'propose', ctx.actor.id, at);
  });
}

/**
 * Proposes a ring: each of three or four people gives one coupon to the next. The caller is one of them and has agreed;
 * the others are notified and have RING_CONSENT_HOURS to agree.
 * @param input.legs a coupon each, and who gets it; its giver is its owner
 * @throws AppError on `legs`: bad_input (no ring of these people), forbidden (the caller is not in it, or a coupon is
 *   personal), coupon_unavailable, coupon_reserved, conflict (a person whom the caller has blocked or
 *   who is away); not_found, rate_limited
 */
export async function proposeRing(ctx: MemberContext, input: RingProposal): Promise<Exchange> {
  await enforceLimit(ctx.limiter, PROPOSALS_PER_PERSON, String(ctx.actor.id));
  const path = 'legs';
  if (input.legs.length < RING_PEOPLE.min || input.legs.length > RING_PEOPLE.max) {
    throw fieldError('bad_input', path, `A ring has ${RING_PEOPLE.min} or ${RING_PEOPLE.max} people`);
  }
  return inTransaction(ctx.db, async (trx) => {
    const ids = input.legs.map(({ couponId }) => couponId);
    const coupons = await lockCoupons(trx, [...new Set(ids)]);
    const at = ctx.clock();
    const legs = input.legs.map(({ couponId, receiverId }) => {
      const coupon = findOfferable(coupons, { id: couponId, path, at, wrongOwner: () => null });
      if (coupon.ownerId !== ctx.actor.id) checkOpenToOffers(coupon, path);
      if (coupon.transferable === 'no') {
        throw fieldError('forbidden', path, `“${coupon.title}” is for its owner alone`);
      }
      return { couponId, giverId: coupon.ownerId, receiverId };
    });
    if (!isRing(legs)) throw fieldError('bad_input', path, 'Each person gives one coupon to the next');
    const people = legs.map(({ giverId }) => giverId);
    if (!people.includes(ctx.actor.id)) throw fieldError('forbidden', path, 'You are not part of this ring');
    await checkNoneBlocked(trx, { actorId: ctx.actor.id, userIds: people, path });
    await checkNotAway(trx, { userIds: people.filter((id) => id !== ctx.actor.id), path, at });
    const id = await store.insertExchange(trx, {
      kind: 'ring',
      requesterId: ctx.actor.id,
      message: input.message,
      consentBy: new Date(at.getTime() + RING_CONSENT_HOURS * 3_600_000),
      legs,
      at,
    });
    return afterAct(trx, id, 'propose', ctx.actor.id, at);
  });
}

/**
 * Changes the coupons or the message of a pending swap and notifies the other person.
 * @throws AppError not_found, forbidden (not the requester; a ring), deal_changed, coupon_unavailable, coupon_reserved,
 *   exchange_exists, rate_limited
 */
export async function reviseExchange(
  ctx: MemberContext,
  { id, message, ...input }: ReviseExchangeInput,
): Promise<Exchange> {
  await enforceLimit(ctx.limiter, PROPOSALS_PER_PERSON, String(ctx.actor.id));
  return inTransaction(ctx.db, async (trx) => {
    const { exchange, side } = await findOwn(trx, id, ctx.actor.id);
    if (side !== 'requester') {
      throw new AppError('forbidden', 'Only the person who asked for this exchange can change the offer.');
    }
    if (exchange.kind === 'ring') {
      throw new AppError('forbidden', 'A ring cannot be changed. Withdraw it and propose another.');
    }
    const requested = changeOfInput(input, 'requested');
    const offered = changeOfInput(input, 'offered');
    const before = couponIdsOf(exchange);
    const after = [...(requested?.ids ?? []), ...(offered?.ids ?? [])];
    const coupons = await lockCoupons(trx, [...new Set([...before, ...after])]);
    const at = ctx.clock();
    const { status, version } = await store.lockExchange(trx, id);
    if (status !== 'pending') throw new AppError('deal_changed', stateText('exchange', status));
    // Two changes at once: the second builds on the first.
    const current = version === exchange.version ? exchange : (await findOwn(trx, id, ctx.actor.id)).exchange;
    const other = current.parties.find((party) => party.id !== ctx.actor.id);
    if (!other || couponIdsOf(current).some((one) => !coupons.some((locked) => locked.id === one)))
      throw offerChanged();
    if (requested) checkRequested(coupons, requested, ctx.actor.id, at, other.id);
    if (offered) checkOffered(coupons, offered, ctx.actor.id, at);
    if (requested || offered) {
      const sideNow = (userId: number) =>
        current.legs.filter(({ giverId }) => giverId === userId).map(({ coupon }) => coupon.id);
      const legs = swapLegs(
        requested?.ids ?? sideNow(other.id),
        offered?.ids ?? sideNow(ctx.actor.id),
        ctx.actor.id,
        other.id,
      );
      await refuseSecond(store.replaceLegs(trx, id, legs));
    }
    await store.reviseExchange(trx, id, { message, hasNewLegs: Boolean(requested ?? offered) }, at);
    return afterAct(trx, id, 'revise', ctx.actor.id, at);
  });
}

/**
 * Accepts, rejects, cancels or completes an exchange, as EXCHANGE_TRANSITIONS allows. In a ring, `accepted` is the
 * caller's consent, and the last one accepts it. A stale call fails with the exchange's current state.
 * @param from the only state to move it from; by default any that allows the move
 * @throws AppError not_found (strangers too), forbidden (wrong side), deal_changed, coupon_unavailable, coupon_reserved
 */
export async function setExchangeStatus(
  ctx: MemberContext,
  { id, status: to, ...seen }: SetExchangeStatusInput,
  from?: DealStatus,
): Promise<Exchange> {
  return inTransaction(ctx.db, async (trx) => {
    const { exchange, side } = await findOwn(trx, id, ctx.actor.id);
    const coupons = await lockCoupons(trx, couponIdsOf(exchange));
    const current = await store.lockExchange(trx, id);
    const at = ctx.clock();
    const verdict = judgeMove(EXCHANGE_TRANSITIONS, { from: current.status, to, side });
    if (verdict === 'forbidden') throw new AppError('forbidden', forbiddenText(to, exchange.kind));
    if (verdict === 'stale' || (from && from !== current.status))
      throw new AppError('deal_changed', stateText('exchange', current.status));
    if (current.version !== exchange.version || !isSeen(exchange, seen)) throw offerChanged();
    if (to === 'accepted') return agree(trx, { exchange, coupons, actorId: ctx.actor.id, at });
    const reason = to === 'completed' ? null : reasonFor(exchange.kind, side);
    const endedById = to === 'completed' ? null : ctx.actor.id;
    await store.moveExchange(trx, id, { from: current.status, to, reason, endedById, at });
    if (to === 'completed') await completeLegs(trx, exchange, coupons, { actorId: ctx.actor.id, at });
    if (to === 'cancelled' && current.status === 'accepted')
      await releaseReservation(trx, { exchangeId: id });
    return afterAct(trx, id, actOf(current.status, to), ctx.actor.id, at);
  });
}

/** Stores the caller's consent. The last one reserves all coupons; rival deals stay pending, but cannot be accepted. */
async function agree(
  trx: Trx,
  given: { exchange: store.ExchangeRow; coupons: readonly LockedCoupon[]; actorId: number; at: Date },
): Promise<Exchange> {
  const { exchange, coupons, actorId, at } = given;
  checkTradable(exchange, coupons, at);
  const status = await store.consent(trx, { id: exchange.id, userId: actorId, at });
  if (!status) throw new AppError('deal_changed', 'You have agreed to this exchange already.');
  if (status === 'accepted') {
    const couponIds = coupons.map((coupon) => coupon.id);
    await reserveCoupons(trx, { deal: { exchangeId: exchange.id }, couponIds, at });
  }
  return afterAct(trx, exchange.id, status === 'accepted' ? 'accept' : 'consent', actorId, at);
}

/** Moves all coupons to their receivers and ends all other deals on them. */
async function completeLegs(
  trx: Trx,
  exchange: store.ExchangeRow,
  coupons: readonly LockedCoupon[],
  { actorId, at }: { actorId: number; at: Date },
): Promise<void> {
  checkTradable(exchange, coupons, at);
  const deal = { exchangeId: exchange.id };
  const moves = exchange.legs.map(({ coupon, giverId, receiverId }) => ({
    couponId: coupon.id,
    fromUserId: giverId,
    toUserId: receiverId,
  }));
  await transferCoupons(trx, { deal, moves, at });
  await releaseReservation(trx, deal);
  const couponIds = couponIdsOf(exchange);
  await cancelPendingDeals(trx, { couponIds, reason: 'rival_completed', at, actorId });
  await countCompletedExchange(
    trx,
    exchange.parties.map(({ id }) => id),
  );
}

function checkTradable(exchange: store.ExchangeRow, coupons: readonly LockedCoupon[], at: Date): void {
  for (const coupon of coupons) {
    const leg = exchange.legs.find((one) => one.coupon.id === coupon.id);
    if (leg) checkStillTradable(coupon, leg.giverId, at);
  }
}

/** Whether the caller has seen these legs. */
function isSeen(
  exchange: store.ExchangeRow,
  { offeredCouponId, couponIds }: Pick<SetExchangeStatusInput, 'offeredCouponId' | 'couponIds'>,
): boolean {
  const offered = exchange.legs.find(({ giverId }) => giverId === exchange.requesterId);
  if (offeredCouponId !== undefined && offeredCouponId !== offered?.coupon.id) return false;
  const current = couponIdsOf(exchange);
  return (
    couponIds === undefined ||
    (couponIds.length === current.length && current.every((one) => couponIds.includes(one)))
  );
}

function couponIdsOf({ legs }: store.ExchangeRow): number[] {
  return legs.map(({ coupon }) => coupon.id);
}

function offerChanged(): AppError {
  return new AppError('deal_changed', 'The offer has just been changed. Please look at it again.');
}

/** The reason that is stored when a person ends an exchange. */
function reasonFor(kind: ExchangeKind, side: ExchangeSide): DealReason {
  if (side === 'requester') return 'by_requester';
  return kind === 'ring' ? 'by_party' : 'by_owner';
}

/** A second pending request of one person for one coupon. */
function refuseSecond<Result>(insert: Promise<Result>): Promise<Result> {
  return refuseDuplicate(
    insert,
    'exchanges_one_pending',
    (cause) => new AppError('exchange_exists', TEXTS.exchanges.alreadySubmitted, { cause }),
  );
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

/** Writes the histories of all parties, notifies the others and returns the exchange as the actor now sees it. */
async function afterAct(
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
