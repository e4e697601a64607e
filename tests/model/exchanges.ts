import * as fc from 'fast-check';
import { type Act, type Aimed, type Answer, act, chooseDeal, dealChoice, exchangeAt, says } from './acts.ts';
import { addPriceBids, notePriceBids, objectionToTrade, reserve } from './deals.ts';
import { couponsOf, type Deal, type Exchange, endDeal, moveLegs, type Ring, type State } from './market.ts';
import { isPending, isSame, type Offer, seenIds } from './offers.ts';

const isAccepted = ({ status }: Deal) => status === 'accepted';

export type Move = 'accepted' | 'rejected' | 'cancelled' | 'completed';

export const VERBS: Record<Move, string> = {
  accepted: 'accepts',
  rejected: 'rejects',
  cancelled: 'cancels',
  completed: 'completes',
};

/** Who may move an exchange where: the others answer, the requester takes back, an accepted one is everybody's. */
export function objectionToMove(
  { status, parties }: Exchange | Ring,
  who: number,
  to: Move,
): Answer | undefined {
  const isOwner = parties[0] !== who;
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
  const legs = [
    ...requested.map((coupon) => [coupon, owner] as const),
    ...offered.map((coupon) => [coupon, requester] as const),
  ];
  const couponIds = couponsOf(exchange);
  if (to === 'rejected' || to === 'cancelled') {
    endDeal(state, id, to, who === owner ? 'by_owner' : 'by_requester');
    return 'ok';
  }
  if (to === 'completed' && exchange.prices.length > 0) return 'conflict';
  const objection = objectionToTrade(state, legs);
  if (objection) return objection;
  if (to === 'accepted') {
    const refusal = reserve(state, id, couponIds);
    if (refusal) return refusal;
    Object.assign(exchange, { status: to, acceptedAt: state.now });
    addPriceBids(state, id, exchange);
  } else {
    moveLegs(state, id, exchange);
  }
  return 'ok';
}

/** @param seen the offer that the person sees */
function aimMove(who: number, id: number, to: Move, seen: Offer | undefined): Aimed {
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
        return isSame(exchange, seen) ? moveTo(state, id, exchange, who, to) : 'deal_changed';
      },
    ],
    async call(world, caller) {
      const after = await caller.exchanges.setStatus({
        id: world.exchangeId(id),
        status: to,
        ...seenIds(world, seen),
      });
      if (to === 'accepted') notePriceBids(world, id, after);
      return 'ok';
    },
  };
}

const moves = (to: Move, usual: 'first' | 'second', isUsual: (deal: Deal) => boolean): fc.Arbitrary<Act> =>
  dealChoice(usual).map((choice) =>
    act(`${VERBS[to]} exchange`, (state) => {
      const { id, deal, who } = chooseDeal(state, 'exchange', choice, isUsual);
      return aimMove(
        who,
        id,
        to,
        deal && { requested: deal.requested, offered: deal.offered, prices: deal.prices },
      );
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
