import * as fc from 'fast-check';
import {
  type Act,
  type Aimed,
  type Answer,
  act,
  chooseCoupon,
  chooseDeal,
  couponChoice,
  dealChoice,
  exchangeAt,
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
import { cancelPending, type Deal, type Exchange, endDeal, free, give, type State } from './market.ts';

function aimPropose(who: number, requested: number, offered: number, own: number): Aimed {
  return {
    text: says(who, `offers coupon ${offered} for coupon ${requested}: exchange ${own}`),
    who,
    gate: 'active',
    steps: [
      (state) => {
        const owner = state.coupons.get(requested)?.owner ?? who;
        const objection =
          objectionToOffer(state, { id: requested, who, isOwn: false }) ??
          objectionToOffer(state, { id: offered, who, isOwn: true }) ??
          objectionToPerson(state, who, owner);
        if (objection) return objection;
        if (isWaiting(state, who, (deal) => deal.kind === 'exchange' && deal.requested === requested)) {
          return 'exchange_exists';
        }
        state.deals.set(own, {
          ...newDeal(state),
          kind: 'exchange',
          parties: [who, owner],
          requested,
          offered,
        });
        return 'ok';
      },
    ],
    async call(world, caller) {
      const { id } = await caller.exchanges.propose({
        requestedCouponId: world.couponId(requested),
        offeredCouponId: world.couponId(offered),
      });
      world.exchanges.set(own, id);
      return 'ok';
    },
  };
}

export const propose: fc.Arbitrary<Act> = fc
  .record({ who: member, requested: couponChoice('others'), offered: couponChoice('own') })
  .map(({ who, requested, offered }) =>
    act('propose', (state, own) =>
      aimPropose(who, chooseCoupon(state, who, requested), chooseCoupon(state, who, offered), own),
    ),
  );

function aimRevise(who: number, id: number, offered: number | undefined): Aimed {
  const what = offered === undefined ? 'writes another message' : `offers coupon ${offered}`;
  return {
    text: says(who, `${what} in exchange ${id}`),
    who,
    gate: 'active',
    steps: [
      (state) => {
        const exchange = exchangeAt(state, id);
        if (!exchange?.parties.includes(who)) return 'not_found';
        if (exchange.parties[0] !== who) return 'forbidden';
        if (exchange.status !== 'pending') return 'deal_changed';
        if (offered === undefined) return 'ok';
        const objection = objectionToOffer(state, { id: offered, who, isOwn: true });
        if (!objection) exchange.offered = offered;
        return objection ?? 'ok';
      },
    ],
    async call(world, caller) {
      const change =
        offered === undefined ? { message: 'Please?' } : { offeredCouponId: world.couponId(offered) };
      await caller.exchanges.revise({ id: world.exchangeId(id), ...change });
      return 'ok';
    },
  };
}

const isPending = ({ status }: Deal) => status === 'pending';
const isAccepted = ({ status }: Deal) => status === 'accepted';

export const revise: fc.Arbitrary<Act> = fc
  .record({ deal: dealChoice('first'), offered: fc.option(couponChoice('own'), { freq: 4 }) })
  .map(({ deal, offered }) =>
    act('revise', (state) => {
      const { id, who } = chooseDeal(state, 'exchange', deal, isPending);
      return aimRevise(who, id, offered ? chooseCoupon(state, who, offered) : undefined);
    }),
  );

type Move = 'accepted' | 'rejected' | 'cancelled' | 'completed';

const VERBS: Record<Move, string> = {
  accepted: 'accepts',
  rejected: 'rejects',
  cancelled: 'cancels',
  completed: 'completes',
};

/** Who may move an exchange where: the owner answers, the requester takes back, an accepted one is both's. */
function objectionToMove({ status, parties }: Exchange, who: number, to: Move): Answer | undefined {
  const isOwner = parties[1] === who;
  if (to === 'accepted' || to === 'rejected') {
    if (!isOwner) return 'forbidden';
    return status === 'pending' ? undefined : 'deal_changed';
  }
  if (to === 'completed') return status === 'accepted' ? undefined : 'deal_changed';
  if (status === 'pending') return isOwner ? 'forbidden' : undefined;
  return status === 'accepted' ? undefined : 'deal_changed';
}

function moveTo(state: State, id: number, exchange: Exchange, who: number, to: Move): Answer {
  const { requested, offered, parties } = exchange;
  const [requester, owner] = parties;
  const legs: [number, number][] = [
    [requested, owner],
    [offered, requester],
  ];
  if (to === 'rejected' || to === 'cancelled') {
    endDeal(state, id, to, who === owner ? 'by_owner' : 'by_requester');
    return 'ok';
  }
  const objection = objectionToTrade(state, legs);
  if (objection) return objection;
  if (to === 'accepted') {
    const refusal = reserve(state, id, [requested, offered]);
    if (refusal) return refusal;
    exchange.acceptedAt = state.now;
  } else {
    for (const [couponId, giver] of legs) {
      const coupon = state.coupons.get(couponId);
      if (coupon) give(state, coupon, giver === owner ? requester : owner);
    }
    free(state, id);
  }
  exchange.status = to;
  if (to === 'completed') cancelPending(state, [requested, offered], 'rival_completed');
  return 'ok';
}

/** @param seen the offer that the person sees */
function aimMove(who: number, id: number, to: Move, seen: number | undefined): Aimed {
  return {
    text: says(who, `${VERBS[to]} exchange ${id}`),
    who,
    gate: 'active',
    steps: [
      (state) => {
        const exchange = exchangeAt(state, id);
        if (!exchange?.parties.includes(who)) return 'not_found';
        const objection = objectionToMove(exchange, who, to);
        if (objection) return objection;
        return exchange.offered === seen ? moveTo(state, id, exchange, who, to) : 'deal_changed';
      },
    ],
    async call(world, caller) {
      const offer = seen === undefined ? {} : { offeredCouponId: world.couponId(seen) };
      await caller.exchanges.setStatus({ id: world.exchangeId(id), status: to, ...offer });
      return 'ok';
    },
  };
}

const moves = (to: Move, usual: 'first' | 'second', isUsual: (deal: Deal) => boolean): fc.Arbitrary<Act> =>
  dealChoice(usual).map((choice) =>
    act(`${VERBS[to]} exchange`, (state) => {
      const { id, deal, who } = chooseDeal(state, 'exchange', choice, isUsual);
      return aimMove(who, id, to, deal?.offered);
    }),
  );

export const accept = moves('accepted', 'second', isPending);
export const reject = moves('rejected', 'second', isPending);
export const cancel = fc.oneof(
  moves('cancelled', 'first', isPending),
  moves('cancelled', 'second', isAccepted),
);
export const complete = fc.oneof(
  moves('completed', 'first', isAccepted),
  moves('completed', 'second', isAccepted),
);
