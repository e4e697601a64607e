import * as fc from 'fast-check';
import { type Bid, CAST, couponsOf, dollars, endDeal, isBarred, type State } from '../state.ts';
import {
  type Act,
  type Aimed,
  type Answer,
  act,
  bidAt,
  chooseCoupon,
  chooseDeal,
  couponChoice,
  dealChoice,
  member,
  says,
} from './act.ts';
import {
  isWaiting,
  newDeal,
  objectionToOffer,
  objectionToPerson,
  objectionToSale,
  objectionToTrade,
  reserve,
} from './deals.ts';

/** Whether a bidder of the asking price can be trusted to pay: few unpaid bids, and none here that has lapsed. */
function mayBuy(state: State, { parties: [who, seller], coupon }: Bid): boolean {
  const bids = [...state.deals.values()].filter(
    (deal): deal is Bid => deal.kind === 'bid' && deal.of === null && deal.parties[0] === who,
  );
  const hasLapsed = bids.some(
    (deal) => couponsOf(deal).includes(coupon) && deal.reason === 'deadline' && deal.acceptedAt > 0,
  );
  const unpaid = bids.filter(({ status }) => status === 'accepted').length;
  return (CAST[seller]?.sellsBy.length ?? 0) > 0 && unpaid < 3 && !hasLapsed;
}

/** The answer of the asking price that the seller has set; without one the bid waits. */
function answerAtOnce(state: State, id: number, bid: Bid): Answer | undefined {
  const asking = state.coupons.get(bid.coupon)?.asking ?? null;
  const isEnough = asking !== null && bid.amount >= asking;
  return isEnough && mayBuy(state, bid) ? moveTo(state, id, bid, 'accepted') : undefined;
}

/** @param isBuying whether it is for the asking price and nothing else */
function aimBid(who: number, coupon: number, amount: number, isBuying: boolean, own: number): Aimed {
  return {
    text: says(who, `${isBuying ? 'buys' : 'bids on'} coupon ${coupon} for ${dollars(amount)}: bid ${own}`),
    who,
    gate: 'active',
    steps: [
      (state) => {
        const seller = state.coupons.get(coupon)?.owner ?? who;
        const objection =
          objectionToOffer(state, { id: coupon, who, isOwn: false }) ??
          objectionToSale(state, seller) ??
          objectionToPerson(state, who, seller);
        if (objection) return objection;
        if (isBarred(state, who)) return 'forbidden';
        if (isBuying && state.coupons.get(coupon)?.asking !== amount) return 'conflict';
        if (isWaiting(state, who, (deal) => deal.kind === 'bid' && deal.coupon === coupon))
          return 'bid_exists';
        const placed: Bid = {
          ...newDeal(state),
          kind: 'bid',
          parties: [who, seller],
          coupon,
          of: null,
          isPaid: false,
          payment: null,
          round: 1,
          amount,
          counter: null,
          roundAt: state.now,
        };
        state.deals.set(own, placed);
        return answerAtOnce(state, own, placed) ?? 'ok';
      },
    ],
    async call(world, caller) {
      const couponId = world.couponId(coupon);
      const { id } = isBuying
        ? await caller.bids.buy({ couponId, expectedAmount: dollars(amount) })
        : await caller.bids.place({ couponId, amount: dollars(amount) });
      world.remember('bids', own, id);
      return 'ok';
    },
  };
}

const amountChoice = fc.constantFrom(900, 1_100, 1_250, 1_250, 1_500, 2_500);

export const bid: fc.Arbitrary<Act> = fc
  .record({ who: member, coupon: couponChoice('others'), amount: amountChoice })
  .map(({ who, coupon, amount }) =>
    act('bid', (state, own) => aimBid(who, chooseCoupon(state, who, coupon), amount, false, own)),
  );

/** Chooses a coupon with an asking price, if others have one. */
export const buy: fc.Arbitrary<Act> = fc
  .record({ who: member, coupon: couponChoice('others'), nth: fc.nat(30) })
  .map(({ who, coupon, nth }) =>
    act('buy', (state, own) => {
      const priced = [...state.coupons].flatMap(([id, { owner, asking, isListed }]) =>
        owner !== who && asking !== null && isListed ? [id] : [],
      );
      const id = priced[nth % Math.max(1, priced.length)] ?? chooseCoupon(state, who, coupon);
      return aimBid(who, id, state.coupons.get(id)?.asking ?? 1_250, true, own);
    }),
  );

/** What the round is about. */
const standing = ({ amount, counter }: Bid) => counter ?? amount;

/** Whose answer a pending bid waits for. */
const turnOf = ({ round, parties: [bidder, seller] }: Bid) => (round % 2 === 1 ? seller : bidder);

/** @param seen the amount that it answers */
function aimCounter(who: number, id: number, amount: number, seen: number): Aimed {
  return {
    text: says(who, `answers bid ${id} of ${dollars(seen)} by ${dollars(amount)}`),
    who,
    gate: 'active',
    party: { deal: id },
    steps: [
      (state) => {
        const found = bidAt(state, id);
        if (!found?.parties.includes(who)) return 'not_found';
        const isTheirs = found.status === 'pending' && turnOf(found) === who;
        if (!isTheirs || standing(found) !== seen) return 'deal_changed';
        if (found.round === 5) return 'conflict';
        const [, seller] = found.parties;
        const objection =
          objectionToTrade(state, [{ coupon: found.coupon, giver: seller }]) ??
          objectionToSale(state, seller);
        if (objection) return objection;
        if (isBarred(state, who)) return 'forbidden';
        const asking = state.coupons.get(found.coupon)?.asking ?? null;
        const isGood =
          who === seller
            ? amount > found.amount && (asking === null || amount <= asking)
            : found.counter === null || amount < found.counter;
        if (!isGood) return 'bad_input';
        const named = who === seller ? { counter: amount } : { amount, counter: null };
        Object.assign(found, { ...named, round: found.round + 1, roundAt: state.now });
        return 'ok';
      },
    ],
    async call(world, caller) {
      const amounts = { amount: dollars(amount), expectedAmount: dollars(seen) };
      await caller.bids.counter({ id: world.bidId(id), ...amounts });
      return 'ok';
    },
  };
}

const isPending = ({ status }: Bid) => status === 'pending';

/** Mostly by whoever has to answer, towards the other’s amount. */
export const counterBid: fc.Arbitrary<Act> = fc
  .record({ deal: dealChoice('second'), isTurn: fc.nat(5), step: fc.constantFrom(100, 100, 200, -100) })
  .map(({ deal: choice, isTurn, step }) =>
    act('counter bid', (state) => {
      const { id, deal, who: chosen } = chooseDeal(state, 'bid', choice, isPending);
      const who = deal && isTurn > 0 ? turnOf(deal) : chosen;
      const seen = deal ? standing(deal) : 1_250;
      return aimCounter(who, id, seen + (who === deal?.parties[0] ? -step : step), seen);
    }),
  );

type Move = 'accepted' | 'rejected' | 'cancelled';

const VERBS: Record<Move, string> = { accepted: 'accepts', rejected: 'rejects', cancelled: 'withdraws' };

function moveTo(state: State, id: number, found: Bid, to: Move): Answer {
  const [, seller] = found.parties;
  if (to !== 'accepted') {
    endDeal(state, id, to, to === 'rejected' ? 'by_owner' : 'by_bidder');
    return 'ok';
  }
  const objection =
    objectionToTrade(state, [{ coupon: found.coupon, giver: seller }]) ??
    objectionToSale(state, seller) ??
    reserve(state, id, [found.coupon]);
  if (objection) return objection;
  Object.assign(found, { status: 'accepted', acceptedAt: state.now, amount: standing(found) });
  for (const [rivalId, rival] of state.deals) {
    const isRival = rival.kind === 'bid' && rival.coupon === found.coupon && rival.status === 'pending';
    if (isRival) endDeal(state, rivalId, 'rejected', 'rival_accepted');
  }
  return 'ok';
}

/** @param seen the amount that the person accepts */
function aimMove(who: number, id: number, to: Move, seen?: number): Aimed {
  return {
    text: says(who, `${VERBS[to]} bid ${id}`),
    who,
    gate: 'active',
    party: { deal: id },
    steps: [
      (state) => {
        const found = bidAt(state, id);
        if (!found?.parties.includes(who)) return 'not_found';
        // The seller answers, and the bidder in their turn, who may also take back what is not accepted yet.
        const mayAct = to === 'accepted' && found.round > 1;
        const isTheirs = mayAct || found.parties[to === 'cancelled' ? 0 : 1] === who;
        if (!isTheirs) return 'forbidden';
        if (found.status !== 'pending') return 'deal_changed';
        if (to !== 'accepted') return moveTo(state, id, found, to);
        if (turnOf(found) !== who) return 'deal_changed';
        if (found.round > 1 && seen === undefined) return 'bad_input';
        const isSeen = seen === undefined || seen === standing(found);
        return isSeen ? moveTo(state, id, found, to) : 'deal_changed';
      },
    ],
    async call(world, caller) {
      const expected = seen === undefined ? {} : { expectedAmount: dollars(seen) };
      const after = await caller.bids.setStatus({ id: world.bidId(id), status: to, ...expected });
      const isOther = to === 'accepted' && seen !== undefined && after.amount !== dollars(seen);
      return isOther ? `internal: accepted at ${after.amount}, not at ${dollars(seen)}` : 'ok';
    },
  };
}

/** @param states how often somebody who accepts states the amount, of six times */
const moves = (to: Move, usual: 'first' | 'second', states = 0): fc.Arbitrary<Act> =>
  fc
    .record({ choice: dealChoice(usual), luck: fc.nat(5), isTurn: fc.nat(5) })
    .map(({ choice, luck, isTurn }) =>
      act(`${VERBS[to]} bid`, (state) => {
        const { id, deal, who: chosen } = chooseDeal(state, 'bid', choice, isPending);
        const who = to === 'accepted' && deal && isTurn > 0 ? turnOf(deal) : chosen;
        return aimMove(who, id, to, deal && luck < states ? standing(deal) : undefined);
      }),
    );

export const acceptBid = moves('accepted', 'second', 4);
export const rejectBid = moves('rejected', 'second');
export const withdrawBid = moves('cancelled', 'first');
