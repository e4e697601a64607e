import * as fc from 'fast-check';
import { type Deal, dollars, type Exchange, endDeal, NOTHING, type State } from '../state.ts';
import {
  type Act,
  type ActWorld,
  type Aimed,
  type Answer,
  act,
  chooseCoupon,
  chooseDeal,
  couponAt,
  couponChoice,
  dealChoice,
  exchangeAt,
  member,
  says,
} from './act.ts';
import { change, changeChoice, isTooMuch } from './changes.ts';
import {
  isOverOffered,
  isWaiting,
  newDeal,
  objectionToOffers,
  objectionToPerson,
  requestedIn,
} from './deals.ts';
import {
  depositChoice,
  isSame,
  legsOf,
  moneyFor,
  type Offer,
  offerOf,
  type Payment,
  paymentChoice,
  paymentOf,
  pricesFor,
  seenIds,
  type Terms,
  termsOf,
  textOf,
} from './terms.ts';

const numbered = (ids: readonly number[]) => ids.join(' and ');

const isPending = ({ status }: Deal) => status === 'pending';

/** Whether a person waits for an answer about one of these coupons already. */
const isAsked = (state: State, who: number, ids: readonly number[], except?: Exchange) =>
  isWaiting(
    state,
    who,
    (deal) => deal !== except && deal.kind === 'swap' && requestedIn(deal).some((id) => ids.includes(id)),
  );

/**
 * Why somebody cannot ask for these coupons and offer those.
 * @param deal.of who has to own all that is asked for; by default the owner of the first coupon
 * @param deal.other the person of a new deal
 * @param deal.except the exchange that is being changed
 */
function objectionTo(
  state: State,
  who: number,
  given: Partial<Offer>,
  deal: { of?: number; other?: number; except?: Exchange },
): Answer | undefined {
  const { requested = [], offered = [] } = given;
  const { of, other, except } = deal;
  return (
    objectionToOffers(state, requested, { who, isOwn: false, ...(of !== undefined && { of }) }) ??
    objectionToOffers(state, offered, { who, isOwn: true }) ??
    (other === undefined ? undefined : objectionToPerson(state, who, other)) ??
    (isAsked(state, who, requested, except) ? 'exchange_exists' : undefined) ??
    (isOverOffered(state, who, offered, except) ? 'conflict' : undefined) ??
    (isTooMuch(state, given) ? 'bad_input' : undefined)
  );
}

/** A pending exchange that its author may change, or that the other party may answer; or why not. */
function pendingExchange(state: State, id: number, who: number, side: 'author' | 'other'): Exchange | Answer {
  const exchange = exchangeAt(state, id);
  if (!exchange?.parties.includes(who)) return 'not_found';
  if ((exchange.parties[0] === who) !== (side === 'author')) return 'forbidden';
  return exchange.status === 'pending' ? exchange : 'deal_changed';
}

function addExchange(
  state: State,
  own: number,
  offer: Offer,
  given: { parties: readonly [number, number]; round: number; replaces: number | null },
): void {
  state.deals.set(own, {
    ...newDeal(state),
    kind: 'swap',
    legs: legsOf(offer, given.parties),
    prices: offer.prices,
    deposit: offer.deposit,
    deposits: [],
    consents: [given.parties[0]],
    completedAt: 0,
    claims: [],
    ...given,
  });
}

const idsFor = (world: ActWorld, offer: Offer) => {
  const money = moneyFor(paymentOf(offer));
  return {
    requestedCouponIds: offer.requested.map(world.couponId),
    offeredCouponIds: offer.offered.map(world.couponId),
    ...(money && { money }),
    deposit: offer.deposit === null ? null : dollars(offer.deposit),
  };
};

function aimPropose(who: number, offer: Offer, own: number): Aimed {
  const { requested, offered } = offer;
  return {
    text: says(
      who,
      `offers coupon ${numbered(offered)} for coupon ${numbered(requested)}${textOf(paymentOf(offer))}: exchange ${own}`,
    ),
    who,
    gate: 'active',
    steps: [
      (state) => {
        const owner = couponAt(state, requested[0] ?? NOTHING)?.owner ?? who;
        const objection = objectionTo(state, who, offer, { other: owner });
        if (objection) return objection;
        addExchange(state, own, offer, { parties: [who, owner], round: 1, replaces: null });
        return 'ok';
      },
    ],
    async call(world, caller) {
      const { id } = await caller.exchanges.propose(idsFor(world, offer));
      world.remember('exchanges', own, id);
      return 'ok';
    },
  };
}

const rarelyMore = fc.record({
  how: fc.constantFrom('same' as const, 'same' as const, 'same' as const, 'more' as const),
  nth: fc.nat(30),
});

export const propose: fc.Arbitrary<Act> = fc
  .record({
    who: member,
    requested: couponChoice('others'),
    offered: couponChoice('own'),
    addAsked: rarelyMore,
    addOffered: rarelyMore,
    payment: paymentChoice,
    deposit: depositChoice,
  })
  .map(({ who, requested, offered, addAsked, addOffered, payment, deposit }) =>
    act('propose', (state, own) => {
      const sides = {
        requested: change(state, [chooseCoupon(state, who, requested)], addAsked),
        offered: change(state, [chooseCoupon(state, who, offered)], addOffered),
      };
      const prices = pricesFor(payment, sides);
      return aimPropose(who, { ...sides, prices, deposit: prices.length > 0 ? null : deposit }, own);
    }),
  );

function aimRevise(
  who: number,
  id: number,
  offer: Partial<Pick<Offer, 'requested' | 'offered'>> & { readonly payment?: Payment },
): Aimed {
  const { requested, offered, payment } = offer;
  const isMessage = requested === undefined && offered === undefined && payment === undefined;
  const what = [
    ...(isMessage ? ['writes another message'] : []),
    ...(requested ? [`asks for coupon ${numbered(requested)}`] : []),
    ...(offered ? [`offers coupon ${numbered(offered)}`] : []),
    ...(payment === undefined ? [] : [`changes the money${textOf(payment)}`]),
  ];
  return {
    text: says(who, `${what.join(' and ')} in exchange ${id}`),
    who,
    gate: 'active',
    party: { deal: id, isFirst: true },
    // The coupons of the offer have just become others, which it has not locked.
    mayAlso: ['deal_changed'],
    steps: [
      (state) => {
        const exchange = pendingExchange(state, id, who, 'author');
        if (typeof exchange === 'string') return exchange;
        const [, other = who] = exchange.parties;
        const objection = objectionTo(state, who, offer, { of: other, except: exchange });
        if (objection) return objection;
        const before = offerOf(exchange);
        const sides = { requested: requested ?? before.requested, offered: offered ?? before.offered };
        const paid = payment === undefined ? paymentOf(before) : payment;
        const prices = pricesFor(paid, sides);
        if (isTooMuch(state, { ...sides, prices, deposit: exchange.deposit })) return 'bad_input';
        exchange.legs = legsOf(sides, [who, other]);
        exchange.prices = prices;
        return 'ok';
      },
    ],
    async call(world, caller) {
      const ids = {
        ...(isMessage && { message: 'Please?' }),
        ...(requested && { requestedCouponIds: requested.map(world.couponId) }),
        ...(offered && { offeredCouponIds: offered.map(world.couponId) }),
        ...(payment !== undefined && { money: moneyFor(payment) }),
      };
      await caller.exchanges.revise({ id: world.exchangeId(id), ...ids });
      return 'ok';
    },
  };
}

export const revise: fc.Arbitrary<Act> = fc
  .record({
    deal: dealChoice('first'),
    offered: fc.option(couponChoice('own'), { freq: 4 }),
    requested: fc.option(changeChoice),
    payment: fc.option(paymentChoice, { freq: 2, nil: undefined }),
  })
  .map(({ deal: choice, offered, requested, payment }) =>
    act('revise', (state) => {
      const { id, deal, who } = chooseDeal(state, 'swap', choice, isPending);
      return aimRevise(who, id, {
        ...(offered && { offered: [chooseCoupon(state, who, offered)] }),
        ...(requested && deal && { requested: change(state, requestedIn(deal), requested) }),
        ...(payment !== undefined && { payment }),
      });
    }),
  );

/** @param seen the exchange that it answers, as the person sees it */
function aimCounter(who: number, id: number, offer: Offer, seen: Terms | undefined, own: number): Aimed {
  const { requested, offered } = offer;
  return {
    text: says(
      who,
      `answers exchange ${id} by coupon ${numbered(offered)} for coupon ${numbered(requested)}${textOf(paymentOf(offer))}: exchange ${own}`,
    ),
    who,
    gate: 'active',
    party: { deal: id },
    // Its coupons have been set meanwhile, if only to the same ones.
    mayAlso: ['deal_changed'],
    steps: [
      (state) => {
        const exchange = pendingExchange(state, id, who, 'other');
        if (typeof exchange === 'string') return exchange;
        if (!isSame(termsOf(exchange), seen)) return 'deal_changed';
        if (exchange.round === 5) return 'conflict';
        if (
          isSame(termsOf(exchange), {
            coupons: [...requested, ...offered],
            prices: offer.prices,
            deposit: offer.deposit,
          })
        )
          return 'bad_input';
        const [author = who] = exchange.parties;
        const objection = objectionTo(state, who, offer, { of: author, other: author });
        if (objection) return objection;
        endDeal(state, id, 'cancelled', 'countered');
        addExchange(state, own, offer, { parties: [who, author], round: exchange.round + 1, replaces: id });
        return 'ok';
      },
    ],
    async call(world, caller) {
      const { couponIds, prices } = seenIds(world, seen) ?? {};
      const answer = await caller.exchanges.counter({
        id: world.exchangeId(id),
        ...idsFor(world, offer),
        couponIds,
        prices,
      });
      world.remember('exchanges', own, answer.id);
      world.note('counters');
      return 'ok';
    },
  };
}

/** Mostly by whoever has to answer, the same negotiation again. */
export const counter: fc.Arbitrary<Act> = fc
  .record({
    deal: dealChoice('second'),
    isLatest: fc.boolean(),
    asked: changeChoice,
    offered: changeChoice,
    payment: fc.option(paymentChoice, { freq: 2, nil: undefined }),
  })
  .map(({ deal: choice, isLatest, asked, offered, payment }) =>
    act('counter', (state, own) => {
      const rounds = [...state.deals.values()].flatMap((deal) =>
        deal.kind === 'swap' && isPending(deal) ? [deal.round] : [],
      );
      const isUsual = (deal: Exchange) =>
        isPending(deal) && (!isLatest || deal.round === Math.max(...rounds));
      const { id, deal, who } = chooseDeal(state, 'swap', choice, isUsual);
      const before = deal
        ? offerOf(deal)
        : { requested: [NOTHING], offered: [NOTHING], prices: [], deposit: null };
      const sides = {
        requested: change(state, before.offered, asked),
        offered: change(state, before.requested, offered),
      };
      // Mostly the same money, which the same person pays.
      const now = paymentOf(before);
      const same: Payment = now && { ...now, payer: now.payer === 'author' ? 'other' : 'author' };
      const prices = pricesFor(payment === undefined ? same : payment, sides);
      const offer = { ...sides, prices, deposit: prices.length > 0 ? null : before.deposit };
      return aimCounter(who, id, offer, deal && termsOf(deal), own);
    }),
  );
