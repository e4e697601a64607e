import * as fc from 'fast-check';
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
} from './acts.ts';
import {
  isWaiting,
  newDeal,
  objectionToOffer,
  objectionToPerson,
  objectionToTrade,
  reserve,
} from './deals.ts';
import { type Bid, endDeal, isBarred, type State } from './market.ts';

function aimBid(who: number, coupon: number, own: number): Aimed {
  return {
    text: says(who, `bids on coupon ${coupon}: bid ${own}`),
    who,
    gate: 'active',
    steps: [
      (state) => {
        const seller = state.coupons.get(coupon)?.owner ?? who;
        const objection =
          objectionToOffer(state, { id: coupon, who, isOwn: false }) ?? objectionToPerson(state, who, seller);
        if (objection) return objection;
        if (isBarred(state, who)) return 'forbidden';
        if (isWaiting(state, who, (deal) => deal.kind === 'bid' && deal.coupon === coupon))
          return 'bid_exists';
        state.deals.set(own, {
          ...newDeal(state),
          kind: 'bid',
          parties: [who, seller],
          coupon,
          payment: null,
        });
        return 'ok';
      },
    ],
    async call(world, caller) {
      const { id } = await caller.bids.place({ couponId: world.couponId(coupon), amount: '12.50' });
      world.bids.set(own, id);
      return 'ok';
    },
  };
}

export const bid: fc.Arbitrary<Act> = fc
  .record({ who: member, coupon: couponChoice('others') })
  .map(({ who, coupon }) => act('bid', (state, own) => aimBid(who, chooseCoupon(state, who, coupon), own)));

type Move = 'accepted' | 'rejected' | 'cancelled';

const VERBS: Record<Move, string> = { accepted: 'accepts', rejected: 'rejects', cancelled: 'withdraws' };

function moveTo(state: State, id: number, found: Bid, to: Move): Answer {
  const [, seller] = found.parties;
  if (to !== 'accepted') {
    endDeal(state, id, to, to === 'rejected' ? 'by_owner' : 'by_bidder');
    return 'ok';
  }
  const objection = objectionToTrade(state, [[found.coupon, seller]]) ?? reserve(state, id, [found.coupon]);
  if (objection) return objection;
  Object.assign(found, { status: 'accepted', acceptedAt: state.now });
  for (const [rivalId, rival] of state.deals) {
    const isRival = rival.kind === 'bid' && rival.coupon === found.coupon && rival.status === 'pending';
    if (isRival) endDeal(state, rivalId, 'rejected', 'rival_accepted');
  }
  return 'ok';
}

function aimMove(who: number, id: number, to: Move): Aimed {
  return {
    text: says(who, `${VERBS[to]} bid ${id}`),
    who,
    gate: 'active',
    steps: [
      (state) => {
        const found = bidAt(state, id);
        if (!found?.parties.includes(who)) return 'not_found';
        // The seller answers; the bidder takes back what is not answered yet.
        const isTheirs = found.parties[to === 'cancelled' ? 0 : 1] === who;
        if (!isTheirs) return 'forbidden';
        return found.status === 'pending' ? moveTo(state, id, found, to) : 'deal_changed';
      },
    ],
    async call(world, caller) {
      await caller.bids.setStatus({ id: world.bidId(id), status: to });
      return 'ok';
    },
  };
}

const moves = (to: Move, usual: 'first' | 'second'): fc.Arbitrary<Act> =>
  dealChoice(usual).map((choice) =>
    act(`${VERBS[to]} bid`, (state) => {
      const { id, who } = chooseDeal(state, 'bid', choice, ({ status }) => status === 'pending');
      return aimMove(who, id, to);
    }),
  );

export const acceptBid = moves('accepted', 'second');
export const rejectBid = moves('rejected', 'second');
export const withdrawBid = moves('cancelled', 'first');
