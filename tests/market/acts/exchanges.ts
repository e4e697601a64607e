import * as fc from 'fast-check';
import { ADMIN, couponsOf, type Exchange, endDeal, moveLegs, NOTHING, type State } from '../state.ts';
import { type Act, type Aimed, type Answer, act, exchangeAt, says } from './act.ts';
import { addPriceBids, notePriceBids, objectionToSale, objectionToTrade, reserve } from './deals.ts';
import { isSecured } from './deposits.ts';
import { isSame, seenIds, type Terms, termsOf } from './terms.ts';

/** The answers to swaps and rings. */

type Move = 'accepted' | 'rejected' | 'cancelled' | 'completed';

const VERBS: Record<Move, string> = {
  accepted: 'accepts',
  rejected: 'rejects',
  cancelled: 'cancels',
  completed: 'completes',
};

/** Who may move an exchange where: the others answer, the requester takes back, an accepted one is everybody's. */
function objectionToMove({ status, parties }: Exchange, who: number, to: Move): Answer | undefined {
  const isOther = parties[0] !== who;
  if (to === 'accepted' || to === 'rejected') {
    if (!isOther) return 'forbidden';
    return status === 'pending' ? undefined : 'deal_changed';
  }
  if (to === 'completed') return status === 'accepted' ? undefined : 'deal_changed';
  if (status === 'pending') return isOther ? 'forbidden' : undefined;
  return status === 'accepted' ? undefined : 'deal_changed';
}

function moveTo(state: State, id: number, exchange: Exchange, who: number, to: Move): Answer {
  const { kind, parties, legs, prices } = exchange;
  if (to === 'rejected' || to === 'cancelled') {
    const other = kind === 'ring' ? 'by_party' : 'by_owner';
    endDeal(state, id, to, who === parties[0] ? 'by_requester' : other);
    return 'ok';
  }
  if (to === 'completed' && (prices.length > 0 || !isSecured(state, exchange))) return 'conflict';
  const objection = objectionToTrade(state, legs);
  if (objection) return objection;
  if (to === 'completed') {
    moveLegs(state, id, exchange);
    return 'ok';
  }
  for (const { coupon } of prices) {
    const sale = objectionToSale(state, legs.find((leg) => leg.coupon === coupon)?.giver ?? who);
    if (sale) return sale;
  }
  if (exchange.consents.includes(who)) return 'deal_changed';
  const consents = [...exchange.consents, who].toSorted((one, other) => one - other);
  if (consents.length === parties.length) {
    const refusal = reserve(state, id, couponsOf(exchange));
    if (refusal) return refusal;
    Object.assign(exchange, { status: to, acceptedAt: state.now });
    addPriceBids(state, id, exchange);
  }
  exchange.consents = consents;
  return 'ok';
}

/** @param seen the terms that the person sees */
function aimMove(who: number, id: number, to: Move, seen: Terms | undefined): Aimed {
  return {
    text: says(who, `${VERBS[to]} exchange ${id}`),
    who,
    gate: 'active',
    party: { deal: id },
    steps: [
      (state) => {
        const exchange = exchangeAt(state, id);
        if (!exchange?.parties.includes(who)) return 'not_found';
        const objection = objectionToMove(exchange, who, to);
        if (objection) return objection;
        return isSame(termsOf(exchange), seen) ? moveTo(state, id, exchange, who, to) : 'deal_changed';
      },
    ],
    async call(world, caller) {
      const after = await caller.exchanges.setStatus({
        id: world.exchangeId(id),
        status: to,
        ...seenIds(world, seen),
      });
      if (after.status === 'accepted') notePriceBids(world, id, after);
      if (to === 'completed' && after.legs.length > 2) world.note('rings');
      return 'ok';
    },
  };
}

const everybody = Array.from({ length: ADMIN }, (_, who) => who);

/** Chooses an exchange, mostly one that can move there, and a person, mostly one who may. */
const moves = (to: Move, mayMove: (exchange: Exchange, who: number) => boolean): fc.Arbitrary<Act> =>
  fc.record({ nth: fc.nat(30), isAny: fc.nat(7) }).map(({ nth, isAny }) =>
    act(`${VERBS[to]} exchange`, (state) => {
      const all = [...state.deals].flatMap(([id, deal]) =>
        deal.kind === 'bid' ? [] : everybody.map((who) => ({ id, who, deal })),
      );
      const usual = all.filter(({ deal, who }) => deal.parties.includes(who) && mayMove(deal, who));
      const among = isAny === 0 || usual.length === 0 ? all : usual;
      const { id, who, deal } = among[nth % Math.max(1, among.length)] ?? { id: NOTHING, who: nth % ADMIN };
      return aimMove(who, id, to, deal && termsOf(deal));
    }),
  );

const isAccepted = ({ status }: Exchange) => status === 'accepted';
const isAsked = ({ status, consents }: Exchange, who: number) =>
  status === 'pending' && !consents.includes(who);

export const accept = moves('accepted', isAsked);
export const reject = moves('rejected', isAsked);
export const cancel = moves(
  'cancelled',
  (deal, who) => isAccepted(deal) || (deal.status === 'pending' && deal.parties[0] === who),
);
export const complete = moves('completed', isAccepted);
