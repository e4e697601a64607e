import { t } from '@lingui/core/macro';
import { LIMITS, OFFERS_OF_COUPON } from '#contract/base/limits.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { quote } from '#contract/base/words.ts';
import { COUNTER_HOURS, RING_CONSENT_HOURS, RING_PEOPLE, ROUNDS_MAX } from '#contract/deals/deals.ts';
import type {
  CounterExchangeInput,
  Exchange,
  ProposeExchangeInput,
  ReviseExchangeInput,
} from '#contract/deals/exchanges.ts';
import type { OwnLimits } from '#contract/people/settings.ts';
import type { MemberContext } from '#server/context/context.ts';
import { addHours } from '#server/core/clock.ts';
import { AppError, fieldError } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { lockCoupons } from '#server/coupons/core/service.ts';
import { inTransaction, refuseDuplicate, type Trx } from '#server/database/client.ts';
import { checkNotAway } from '#server/deals/away/service.ts';
import { shownFeesRefusal } from '#server/deals/bids/service.ts';
import {
  checkDealLimit,
  checkOpenToOffers,
  findOfferable,
  stateText,
  termsNow,
} from '#server/deals/lifecycle/service.ts';
import { checkConfirmed } from '#server/people/accounts/service.ts';
import { checkNoneBlocked, checkNotBlocked } from '#server/people/blocks/service.ts';
import { afterProposal } from './apply.ts';
import { offerChanged } from './decide.ts';
import { askedDeposit } from './deposits.ts';
import {
  changeOfInput,
  checkOffered,
  checkRequested,
  isSameMoney,
  sideOfInput,
  swapLegs,
  swapOf,
} from './offers.ts';
import { findOwn } from './own.ts';
import { couponIdsOf, isRing, isSameDeposit, isSameSet, isSeen } from './rules.ts';
import * as store from './store.ts';

/** Each proposal notifies another person, so this limit keeps a person from flooding others. */
const proposalsPerPerson = ({ proposals: points }: OwnLimits): RateLimit => ({
  name: 'proposals',
  text: () => t`Too many proposals.`,
  ...LIMITS.proposals,
  points,
});

/** A new ring: each person's coupon, its receiver, and what they pay for it besides, a decimal text in the base currency. */
export interface RingProposal {
  readonly legs: readonly {
    readonly couponId: number;
    readonly receiverId: number;
    readonly price?: string | null;
  }[];
  /** What each puts up, a decimal text; undefined: what newcomers are asked for; null: nothing. */
  readonly deposit?: string | null | undefined;
  readonly message: string | null;
}

/**
 * Offers coupons of the caller's for coupons of one other person, and notifies that person.
 * @throws AppError not_found, forbidden (own and foreign coupons mixed up), coupon_unavailable (not open to offers,
 *   too), coupon_reserved, exchange_exists (one pending request per person and coupon), conflict (a person whom the
 *   caller has blocked or who is away), rate_limited
 */
export async function proposeExchange(ctx: MemberContext, input: ProposeExchangeInput): Promise<Exchange> {
  await admitProposal(ctx);
  return inTransaction(ctx.db, (trx) => addSwap(trx, ctx, input));
}

/** Checks, before its transaction, that the caller may propose. @throws AppError address_unconfirmed, rate_limited */
export async function admitProposal(ctx: MemberContext): Promise<void> {
  checkConfirmed(ctx);
  await enforceLimit(ctx.limiter, proposalsPerPerson(ctx.config.limits), String(ctx.actor.id));
}

/** Like proposeExchange, within a transaction and without the limit. */
export async function addSwap(trx: Trx, ctx: MemberContext, input: ProposeExchangeInput): Promise<Exchange> {
  const requested = sideOfInput(input, 'requested');
  const offered = sideOfInput(input, 'offered');
  const coupons = await lockCoupons(trx, [...requested.ids, ...offered.ids]);
  const at = ctx.clock();
  const [asked] = checkRequested(coupons, requested, ctx.actor.id, at);
  checkOffered(coupons, offered, ctx.actor.id, at);
  await checkNotBlocked(trx, { actorId: ctx.actor.id, coupon: asked, path: requested.path });
  await checkNotAway(trx, { userIds: [asked.ownerId], path: requested.path, at });
  const { message, money = null } = input;
  const swap = { requested: requested.ids, offered: offered.ids, money };
  const legs = swapLegs(swap, ctx.actor.id, asked.ownerId);
  const deposit = await askedDeposit(trx, ctx, { legs, deposit: input.deposit });
  const proposal = {
    kind: 'swap',
    requesterId: ctx.actor.id,
    message,
    consentBy: null,
    legs,
    deposit,
    at,
  } as const;
  const id = await addProposal(trx, ctx, proposal, offered.path);
  return afterProposal(trx, ctx, id, 'propose', at);
}

/**
 * Stores a proposal of a person who may begin a deal.
 * @param path of the offered coupons
 * @throws AppError exchange_exists, too_many_deals, conflict (on `path`; other fees than shown)
 */
async function addProposal(
  trx: Trx,
  ctx: MemberContext,
  proposal: Omit<Parameters<typeof store.insertExchange>[1], 'terms'>,
  path: string,
): Promise<number> {
  const { requesterId, legs, at } = proposal;
  await checkDealLimit(trx, requesterId, at);
  checkShownFees(ctx, legs);
  const id = await refuseSecond(store.insertExchange(trx, { ...proposal, terms: termsNow(ctx.config) }));
  await checkOffers(trx, { requesterId, legs, path });
  return id;
}

/** @throws AppError conflict if something is paid, at other fees than the caller's page shows */
function checkShownFees(ctx: MemberContext, legs: readonly store.LegPlan[]): void {
  const refusal = legs.some(({ price }) => price !== null) ? shownFeesRefusal(ctx) : null;
  if (refusal) throw refusal;
}

/** Refuses a proposal that offers a coupon too often. Its author's coupons are locked. @throws AppError conflict on `path` */
async function checkOffers(
  trx: Trx,
  { requesterId, legs, path }: { requesterId: number; legs: readonly store.LegPlan[]; path: string },
): Promise<void> {
  const ids = legs.filter(({ giverId }) => giverId === requesterId).map(({ couponId }) => couponId);
  const title = await store.findOverOffered(trx, { requesterId, ids, most: OFFERS_OF_COUPON });
  if (title === null) return;
  const text = t`${quote(title)} is already in ${OFFERS_OF_COUPON} of your open offers. Withdraw one first, or offer another coupon.`;
  throw fieldError('conflict', path, text);
}

/**
 * Proposes a ring: each of three to six people gives one coupon to the next. The caller is one of them and has agreed;
 * the others are notified and have RING_CONSENT_HOURS to agree.
 * @param input.legs a coupon each, and who gets it; its giver is its owner
 * @throws AppError on `legs`: bad_input (no ring of these people), forbidden (the caller is not in it, or a coupon is
 *   personal), coupon_unavailable, coupon_reserved, conflict (a person whom the caller has blocked or
 *   who is away); not_found, rate_limited
 */
export async function proposeRing(ctx: MemberContext, input: RingProposal): Promise<Exchange> {
  await admitProposal(ctx);
  return inTransaction(ctx.db, (trx) => addRing(trx, ctx, input));
}

/** Like proposeRing, within a transaction and without the limit. */
export async function addRing(trx: Trx, ctx: MemberContext, input: RingProposal): Promise<Exchange> {
  const path = 'legs';
  if (input.legs.length < RING_PEOPLE.min || input.legs.length > RING_PEOPLE.max) {
    throw fieldError('bad_input', path, t`A ring has ${RING_PEOPLE.min} to ${RING_PEOPLE.max} people`);
  }
  const ids = input.legs.map(({ couponId }) => couponId);
  const coupons = await lockCoupons(trx, [...new Set(ids)]);
  const at = ctx.clock();
  const legs = input.legs.map(({ couponId, receiverId, price = null }) => {
    const coupon = findOfferable(coupons, { id: couponId, path, at, wrongOwner: () => null });
    if (coupon.ownerId !== ctx.actor.id) checkOpenToOffers(coupon, path);
    return { couponId, giverId: coupon.ownerId, receiverId, price };
  });
  if (!isRing(legs)) throw fieldError('bad_input', path, t`Each person gives one coupon to the next`);
  const people = legs.map(({ giverId }) => giverId);
  if (!people.includes(ctx.actor.id)) throw fieldError('forbidden', path, t`You are not part of this ring`);
  await checkNoneBlocked(trx, { actorId: ctx.actor.id, userIds: people, path });
  await checkNotAway(trx, { userIds: people.filter((id) => id !== ctx.actor.id), path, at });
  const proposal = {
    kind: 'ring',
    requesterId: ctx.actor.id,
    message: input.message,
    consentBy: addHours(at, RING_CONSENT_HOURS),
    legs,
    deposit: await askedDeposit(trx, ctx, { legs, deposit: input.deposit }),
    at,
  } as const;
  const id = await addProposal(trx, ctx, proposal, path);
  return afterProposal(trx, ctx, id, 'propose', at);
}

/**
 * Changes the coupons, the money or the message of a pending swap and notifies the other person.
 * @throws AppError not_found, forbidden (not the requester; a ring), deal_changed, coupon_unavailable, coupon_reserved,
 *   exchange_exists, rate_limited
 */
export async function reviseExchange(
  ctx: MemberContext,
  { id, message, money, deposit, ...input }: ReviseExchangeInput,
): Promise<Exchange> {
  await admitProposal(ctx);
  return inTransaction(ctx.db, async (trx) => {
    const { exchange, side } = await findOwn(trx, id, ctx.actor.id);
    if (side !== 'requester') {
      throw new AppError('forbidden', t`Only the person who asked for this exchange can change the offer.`);
    }
    if (exchange.kind === 'ring') {
      throw new AppError('forbidden', t`You cannot change a ring. Withdraw it and propose another.`);
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
    if (requested) checkRequested(coupons, requested, ctx.actor.id, at, { ownerId: other.id });
    if (offered) checkOffered(coupons, offered, ctx.actor.id, at);
    const hasNewLegs = Boolean(requested ?? offered) || money !== undefined;
    if (hasNewLegs) {
      const now = swapOf(current);
      const swap = {
        requested: requested?.ids ?? now.requested,
        offered: offered?.ids ?? now.offered,
        money: money === undefined ? now.money : money,
      };
      const legs = swapLegs(swap, ctx.actor.id, other.id);
      checkShownFees(ctx, legs);
      await refuseSecond(store.replaceLegs(trx, id, legs, termsNow(ctx.config)));
      if (offered) await checkOffers(trx, { requesterId: ctx.actor.id, legs, path: offered.path });
    }
    const isOther = hasNewLegs || (deposit !== undefined && !isSameDeposit(deposit, current.deposit));
    await store.reviseExchange(trx, id, { message, deposit, hasNewLegs: isOther }, at);
    return afterProposal(trx, ctx, id, 'revise', at);
  });
}

/** A second pending request of one person for one coupon. */
function refuseSecond<Result>(insert: Promise<Result>): Promise<Result> {
  return refuseDuplicate(
    insert,
    'exchanges_one_pending',
    (cause) => new AppError('exchange_exists', TEXTS.exchanges.alreadySubmitted(), { cause }),
  );
}

/** The author of a counter-offer is the other person of the round before. */
const OTHER_PAYER = { author: 'other', other: 'author' } as const;

/**
 * Answers a pending swap with another proposal to the same person, which ends it. The other has COUNTER_HOURS to answer.
 * @returns the new round
 * @throws AppError not_found, forbidden (the author; a ring), deal_changed, conflict (the last round; a person whom the
 *   caller has blocked or who is away), bad_input (nothing changed), coupon_unavailable, coupon_reserved,
 *   exchange_exists, rate_limited
 */
export async function counterExchange(
  ctx: MemberContext,
  { id, requestedCouponIds, offeredCouponIds, message, ...input }: CounterExchangeInput,
): Promise<Exchange> {
  await admitProposal(ctx);
  const requested = { ids: requestedCouponIds, path: 'requestedCouponIds' };
  const offered = { ids: offeredCouponIds, path: 'offeredCouponIds' };
  const money = input.money ?? null;
  return inTransaction(ctx.db, async (trx) => {
    const { exchange, side } = await findOwn(trx, id, ctx.actor.id);
    if (exchange.kind === 'ring')
      throw new AppError('forbidden', t`You cannot make a counter-offer to a ring.`);
    if (side === 'requester') {
      throw new AppError('forbidden', t`This is your own offer. You can change it until it is answered.`);
    }
    const before = couponIdsOf(exchange);
    const coupons = await lockCoupons(trx, [...new Set([...before, ...requested.ids, ...offered.ids])]);
    const at = ctx.clock();
    const { status, version } = await store.lockExchange(trx, id);
    if (status !== 'pending') throw new AppError('deal_changed', stateText('exchange', status));
    if (
      version !== exchange.version ||
      !isSeen(exchange, { couponIds: input.couponIds, prices: input.prices })
    )
      throw offerChanged();
    if (exchange.round >= ROUNDS_MAX) {
      throw new AppError('conflict', t`This is round ${ROUNDS_MAX} of ${ROUNDS_MAX}: accept or decline it.`);
    }
    const now = swapOf(exchange);
    const moneyNow = now.money && { ...now.money, payer: OTHER_PAYER[now.money.payer] };
    const isSame = isSameSet(requested.ids, now.offered) && isSameSet(offered.ids, now.requested);
    const deposit = input.deposit === undefined ? exchange.deposit : input.deposit;
    if (isSame && isSameMoney(money, moneyNow) && isSameDeposit(deposit, exchange.deposit)) {
      throw fieldError(
        'bad_input',
        offered.path,
        t`Change a coupon, the money or the deposit, or accept the offer`,
      );
    }
    const only = { ownerId: exchange.requesterId, offeredIds: now.offered };
    const [asked] = checkRequested(coupons, requested, ctx.actor.id, at, only);
    checkOffered(coupons, offered, ctx.actor.id, at);
    await checkNotBlocked(trx, { actorId: ctx.actor.id, coupon: asked, path: requested.path });
    await checkNotAway(trx, { userIds: [asked.ownerId], path: requested.path, at });
    const end = {
      from: 'pending',
      to: 'cancelled',
      reason: 'countered',
      endedById: ctx.actor.id,
      at,
    } as const;
    await store.moveExchange(trx, id, end);
    const proposal = {
      kind: 'swap',
      requesterId: ctx.actor.id,
      message,
      consentBy: addHours(at, COUNTER_HOURS),
      replacesId: id,
      deposit,
      legs: swapLegs(
        { requested: requested.ids, offered: offered.ids, money },
        ctx.actor.id,
        exchange.requesterId,
      ),
      at,
    } as const;
    const newId = await addProposal(trx, ctx, proposal, offered.path);
    return afterProposal(trx, ctx, newId, 'counter', at);
  });
}
