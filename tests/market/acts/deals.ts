import { OFFERS_OF_COUPON } from '#contract/base/limits.ts';
import {
  type Deal,
  type Exchange,
  hasBlocked,
  isTradable,
  type Leg,
  priceNumber,
  type State,
} from '../state.ts';
import { type ActWorld, type Answer, couponAt } from './act.ts';

/** Why a new deal may not include a coupon. @param isOwn whether it has to be the person's own */
export function objectionToOffer(
  state: State,
  { id, who, isOwn }: { id: number; who: number; isOwn: boolean },
): Answer | undefined {
  const coupon = couponAt(state, id);
  if (!coupon) return 'not_found';
  if ((coupon.owner === who) !== isOwn) return 'forbidden';
  if (!isTradable(state, coupon)) return 'coupon_unavailable';
  return coupon.heldBy === null ? undefined : 'coupon_reserved';
}

/** The same for several coupons, in order. */
export function objectionToOffers(
  state: State,
  ids: readonly number[],
  given: { who: number; isOwn: boolean; of?: number },
): Answer | undefined {
  let { of } = given;
  for (const id of ids) {
    const objection = objectionToOffer(state, { ...given, id });
    const owner = couponAt(state, id)?.owner;
    if (objection === 'not_found' || objection === 'forbidden') return objection;
    // All that is asked for has one owner.
    of ??= owner;
    if (!given.isOwn && owner !== of) return 'forbidden';
    if (objection) return objection;
  }
  return undefined;
}

/** Why two people begin no new deal. */
export function objectionToPerson(state: State, who: number, other: number): Answer | undefined {
  if (hasBlocked(state, who, other)) return 'conflict';
  return hasBlocked(state, other, who) ? 'coupon_unavailable' : undefined;
}

/** Why coupons of an agreed deal may not change hands. */
export function objectionToTrade(
  state: State,
  legs: readonly Pick<Leg, 'coupon' | 'giver'>[],
): Answer | undefined {
  const isGood = legs.every(({ coupon: id, giver }) => {
    const coupon = state.coupons.get(id);
    return coupon !== undefined && isTradable(state, coupon) && coupon.owner === giver;
  });
  return isGood ? undefined : 'coupon_unavailable';
}

/** Why a person sells nothing now. */
export const objectionToSale = (state: State, seller: number): Answer | undefined =>
  state.people[seller]?.isSaleStopped ? 'coupon_unavailable' : undefined;

/** Reserves coupons for a deal, all or none. */
export function reserve(state: State, dealId: number, couponIds: readonly number[]): Answer | undefined {
  const coupons = couponIds.flatMap((id) => state.coupons.get(id) ?? []);
  if (coupons.some(({ heldBy }) => heldBy !== null)) return 'coupon_reserved';
  for (const coupon of coupons) coupon.heldBy = dealId;
  return undefined;
}

/** Begins the bids by which the prices of an exchange are paid. */
export function addPriceBids(state: State, id: number, { prices, legs }: Exchange): void {
  for (const { coupon, amount } of prices) {
    const { giver = 0, receiver = 0 } = legs.find((leg) => leg.coupon === coupon) ?? {};
    state.deals.set(priceNumber(id, coupon), {
      ...newDeal(state),
      status: 'accepted',
      acceptedAt: state.now,
      kind: 'bid',
      parties: [receiver, giver],
      coupon,
      of: id,
      isPaid: false,
      payment: null,
      round: 1,
      amount,
      counter: null,
      roundAt: state.now,
    });
  }
}

/** Remembers the ids of these bids, as whoever accepts the exchange is told. */
export function notePriceBids(
  world: ActWorld,
  id: number,
  { legs }: { legs: readonly { coupon: { id: number }; price: { bidId: number | null } | null }[] },
): void {
  for (const { coupon, price } of legs) {
    const number = world.couponOf(coupon.id);
    if (price && price.bidId !== null && number !== undefined)
      world.remember('bids', priceNumber(id, number), price.bidId);
  }
}

export const newDeal = (state: State) =>
  ({ status: 'pending', reason: null, createdAt: state.now, acceptedAt: 0 }) as const;

/** Whether a person waits for an answer about a coupon already. */
export const isWaiting = (state: State, who: number, isSame: (deal: Deal) => boolean) =>
  [...state.deals.values()].some(
    (deal) => deal.status === 'pending' && deal.parties[0] === who && isSame(deal),
  );

/** What the first party of an exchange gives, and what they get. */
export const offeredIn = ({ legs, parties: [author] }: Exchange) =>
  legs.filter(({ giver }) => giver === author).map(({ coupon }) => coupon);
export const requestedIn = ({ legs, parties: [author] }: Exchange) =>
  legs.filter(({ receiver }) => receiver === author).map(({ coupon }) => coupon);

/** Whether a person offers one of these coupons in as many waiting proposals as they may. */
export const isOverOffered = (state: State, who: number, ids: readonly number[], except?: Deal) =>
  ids.some((id) => {
    const offers = [...state.deals.values()].filter(
      (deal) =>
        deal !== except &&
        deal.status === 'pending' &&
        deal.parties[0] === who &&
        deal.kind !== 'bid' &&
        offeredIn(deal).includes(id),
    );
    return offers.length >= OFFERS_OF_COUPON;
  });
