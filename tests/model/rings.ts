import * as fc from 'fast-check';
import { inTransaction } from '#server/database/client.ts';
import { lockFinder } from '#server/domains/matches/queue-store.ts';
import { closeMatches, deleteMatches } from '#server/domains/matches/store.ts';
import { insertMatchOf } from '#server/testing/matches.ts';
import { type Act, type Aimed, type Answer, act, says } from './acts.ts';
import {
  addPriceBids,
  isOverOffered,
  newDeal,
  notePriceBids,
  objectionToTrade,
  reserve,
  seenPrices,
} from './deals.ts';
import { type Move, objectionToMove, VERBS } from './exchanges.ts';
import {
  endDeal,
  hasBlocked,
  isTradable,
  moveLegs,
  type Price,
  personOf,
  type Ring,
  type State,
} from './market.ts';
import type { World } from './world.ts';

type Legs = Pick<Ring, 'parties' | 'coupons'>;

/** What is paid so that nobody gains or loses: each coupon's value less the lowest; [] where that is not worth it. */
function pricesOf(state: State, coupons: readonly number[]): Price[] {
  const values = coupons.map((id) => state.coupons.get(id)?.value ?? 0);
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const prices = coupons.flatMap((coupon, index) => {
    const amount = (values[index] ?? 0) - lowest;
    return amount === 0 ? [] : [{ coupon, amount }];
  });
  const isGood = highest - lowest >= highest / 10 && prices.every(({ amount }) => amount >= 300);
  return isGood ? prices : [];
}

/** Whether the finder could suggest such a ring now. */
function isLive(state: State, { parties, coupons }: Legs): boolean {
  const isGood = coupons.every((id, index) => {
    const coupon = state.coupons.get(id);
    return coupon && isTradable(state, coupon) && coupon.heldBy === null && coupon.owner === parties[index];
  });
  const takePart = parties.every((who) => {
    const { status, hasLeft } = personOf(state, who);
    return status === 'active' && !hasLeft && !parties.some((other) => hasBlocked(state, who, other));
  });
  return isGood && takePart && parties.length > 2;
}

/** Puts the ring on the lists of its people as the only match. @returns its id */
function suggest({ market: { ctx }, people, couponId }: World, { parties, coupons }: Legs): Promise<number> {
  return inTransaction(ctx.db, async (trx) => {
    await lockFinder(trx);
    const givers = parties.map((who) => people[who] ?? 0);
    const open = trx
      .selectFrom('matchLegs')
      .select('matchId')
      .where('giverId', 'in', givers)
      .where('slot', 'is not', null);
    const ids = (await open.execute()).map(({ matchId }) => matchId);
    await closeMatches(trx, ids, ctx.clock());
    const legs = coupons.map((coupon, place) => ({
      couponId: couponId(coupon),
      giverId: givers[place] ?? 0,
      receiverId: givers[(place + 1) % givers.length] ?? 0,
    }));
    return insertMatchOf(trx, legs, ctx.clock());
  });
}

/** @param settles whether the difference is settled with money, where that is offered */
function aimProposeRing(legs: Legs, settles: boolean, own: number): Aimed {
  const { parties, coupons } = legs;
  const who = parties[0] ?? 0;
  return {
    text: says(who, `proposes ring ${own} of coupons ${coupons.join(', ')}`),
    who,
    gate: 'active',
    // It is looked at before its coupons are locked, and one with the same people may push it out.
    mayAlso: ['not_found', 'coupon_unavailable', 'coupon_reserved', 'conflict', 'bad_input'],
    steps: [
      (state) => {
        if (!isLive(state, legs)) return 'not_found';
        if (isOverOffered(state, who, coupons.slice(0, 1))) return 'conflict';
        state.deals.set(own, {
          ...newDeal(state),
          kind: 'ring',
          ...legs,
          prices: settles ? pricesOf(state, coupons) : [],
          consents: [who],
          round: 1,
          completedAt: 0,
        });
        return 'ok';
      },
    ],
    async call(world, caller) {
      if (parties.length < 3) {
        await caller.matches.propose({ id: world.nothing });
        return 'ok';
      }
      const id = await suggest(world, legs);
      try {
        const match = settles ? (await caller.matches.list()).find((one) => one.id === id) : undefined;
        const prices = match?.legs.flatMap(({ coupon, price }) =>
          price === null ? [] : [{ couponId: coupon.id, amount: price }],
        );
        const { exchangeId } = await caller.matches.propose({ id, ...(prices?.length && { prices }) });
        world.exchanges.set(own, exchangeId);
      } finally {
        await inTransaction(world.market.ctx.db, (trx) => deleteMatches(trx, [id]));
      }
      return 'ok';
    },
  };
}

/** A coupon each of three or four people, mostly ones that can be had. */
export const proposeRing: fc.Arbitrary<Act> = fc
  .record({
    first: fc.nat(3),
    size: fc.constantFrom(3, 3, 4),
    nth: fc.nat(30),
    isAny: fc.nat(9),
    settles: fc.boolean(),
  })
  .map(({ first, size, nth, isAny, settles }) =>
    act('propose ring', (state, own) => {
      const legs = [0, 1, 2, 3].flatMap((step) => {
        const who = (first + step) % 4;
        const found = [...state.coupons].filter(([, coupon]) => coupon.owner === who);
        const free = found.filter(([, coupon]) => isTradable(state, coupon) && coupon.heldBy === null);
        const among = isAny === 0 || free.length === 0 ? found : free;
        const coupon = among[nth % Math.max(1, among.length)]?.[0];
        return coupon === undefined ? [] : [{ who, coupon }];
      });
      const ring = legs.slice(0, size);
      return aimProposeRing(
        { parties: ring.map(({ who }) => who), coupons: ring.map(({ coupon }) => coupon) },
        settles,
        own,
      );
    }),
  );

const ringAt = (state: State, id: number): Ring | undefined => {
  const deal = state.deals.get(id);
  return deal?.kind === 'ring' ? deal : undefined;
};

function moveTo(state: State, id: number, ring: Ring, who: number, to: Move): Answer {
  const { parties, coupons } = ring;
  if (to === 'rejected' || to === 'cancelled') {
    endDeal(state, id, to, who === parties[0] ? 'by_requester' : 'by_party');
    return 'ok';
  }
  if (to === 'completed' && ring.prices.length > 0) return 'conflict';
  const legs = coupons.map((coupon, place) => [coupon, parties[place] ?? 0] as const);
  const objection = objectionToTrade(state, legs);
  if (objection) return objection;
  if (to === 'completed') {
    moveLegs(state, id, ring);
    return 'ok';
  }
  if (ring.consents.includes(who)) return 'deal_changed';
  const consents = [...ring.consents, who].toSorted((one, other) => one - other);
  if (consents.length === parties.length) {
    const refusal = reserve(state, id, coupons);
    if (refusal) return refusal;
    Object.assign(ring, { status: 'accepted', acceptedAt: state.now });
    addPriceBids(state, id, ring);
  }
  ring.consents = consents;
  return 'ok';
}

/** @param prices as the person sees them; they do not change */
function aimMove(who: number, id: number, to: Move, prices: readonly Price[]): Aimed {
  return {
    text: says(who, `${VERBS[to]} ring ${id}`),
    who,
    gate: 'active',
    steps: [
      (state) => {
        const ring = ringAt(state, id);
        if (!ring?.parties.includes(who)) return 'not_found';
        return objectionToMove(ring, who, to) ?? moveTo(state, id, ring, who, to);
      },
    ],
    async call(world, caller) {
      const after = await caller.exchanges.setStatus({
        id: world.exchangeId(id),
        status: to,
        prices: seenPrices(world, prices),
      });
      if (after.status === 'accepted') notePriceBids(world, id, after);
      if (to === 'completed') world.seen.rings += 1;
      return 'ok';
    },
  };
}

/** Chooses a ring, mostly one that can move there, and a person, mostly one who may. */
const moves = (to: Move, isUsual: (ring: Ring, who: number) => boolean): fc.Arbitrary<Act> =>
  fc.record({ nth: fc.nat(30), isAny: fc.nat(7) }).map(({ nth, isAny }) =>
    act(`${VERBS[to]} ring`, (state) => {
      const all = [...state.deals].flatMap(([id, deal]) =>
        deal.kind === 'ring' ? [0, 1, 2, 3].map((who) => ({ id, who, ring: deal })) : [],
      );
      const usual = all.filter(({ ring, who }) => ring.parties.includes(who) && isUsual(ring, who));
      const among = isAny === 0 || usual.length === 0 ? all : usual;
      const chosen = among[nth % Math.max(1, among.length)];
      const { id, who } = chosen ?? { id: 0, who: nth % 4 };
      return aimMove(who, id, to, chosen?.ring.prices ?? []);
    }),
  );

export const consent = moves(
  'accepted',
  (ring, who) => ring.status === 'pending' && !ring.consents.includes(who),
);
export const decline = moves('rejected', (ring, who) => ring.status === 'pending' && ring.parties[0] !== who);
export const cancelRing = moves('cancelled', ({ status }) => status === 'accepted');
export const completeRing = moves('completed', ({ status }) => status === 'accepted');
