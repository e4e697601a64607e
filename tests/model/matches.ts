import * as fc from 'fast-check';
import { sql } from 'kysely';
import { notifyOfCoupons } from '#server/coupons/wants/notify-of-coupons.ts';
import { inTransaction } from '#server/database/client.ts';
import { findMatches } from '#server/deals/matches/find-matches.ts';
import { lockFinder } from '#server/deals/matches/queue-store.ts';
import { closeMatches, deleteMatches } from '#server/deals/matches/store.ts';
import { insertMatchOf } from '#tests/support/matches.ts';
import { type Act, type Aimed, act, says } from '../market/acts/act.ts';
import { isOverOffered, newDeal } from '../market/acts/deals.ts';
import { hasBlocked, isTradable, NOTHING, type Price, personOf, type State } from '../market/state.ts';
import type { World } from './world.ts';

/** What the finder suggests, and rings as it would suggest them. */

/** Who gives which coupon to the next one. */
interface Legs {
  readonly parties: readonly number[];
  readonly coupons: readonly number[];
}

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
          parties,
          legs: coupons.map((coupon, place) => ({
            coupon,
            giver: parties[place] ?? who,
            receiver: parties[place + 1] ?? who,
          })),
          prices: settles ? pricesOf(state, coupons) : [],
          consents: [who],
          round: 1,
          replaces: null,
          completedAt: 0,
          claims: [],
          deposit: null,
          deposits: [],
        });
        return 'ok';
      },
    ],
    async call(world: World, caller) {
      if (parties.length < 3) {
        await caller.matches.propose({ id: NOTHING });
        return 'ok';
      }
      const id = await suggest(world, legs);
      try {
        const match = settles ? (await caller.matches.list()).find((one) => one.id === id) : undefined;
        // Whoever wants money for the difference has to see it first.
        if (settles && !match) return 'not_found';
        const prices = match?.legs.flatMap(({ coupon, price }) =>
          price === null ? [] : [{ couponId: coupon.id, amount: price }],
        );
        const { exchangeId } = await caller.matches.propose({ id, ...(prices?.length && { prices }) });
        world.remember('exchanges', own, exchangeId);
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

/** What the finder suggests, by the numbers of the model. */
async function suggested({ market, people, couponOf }: World) {
  const { rows } = await sql<{ matchId: number; couponId: number; giverId: number; receiverId: number }>`
    select match_id, coupon_id, giver_id, receiver_id from match_legs join matches on matches.id = match_id
    where state = 'open' order by match_id, place`.execute(market.ctx.db);
  const legs = rows.map(({ matchId, couponId, giverId, receiverId }) => ({
    matchId,
    coupon: couponOf(couponId) ?? NOTHING,
    giver: people.indexOf(giverId),
    receiver: people.indexOf(receiverId),
  }));
  return [...new Set(legs.map(({ matchId }) => matchId))].map((id) =>
    legs.filter(({ matchId }) => matchId === id),
  );
}

type Suggested = Awaited<ReturnType<typeof suggested>>[number];

/** What no match may be. */
function objectionTo(state: State, legs: Suggested): string | undefined {
  for (const { coupon: number, giver, receiver } of legs) {
    const coupon = state.coupons.get(number);
    if (!coupon || coupon.owner !== giver) return `coupon ${number} is not its giver’s`;
    if (!isTradable(state, coupon) || coupon.heldBy !== null) return `coupon ${number} cannot be had`;
    if (giver === receiver) return 'somebody gives to themselves';
    const { status, hasLeft } = personOf(state, receiver);
    if (status !== 'active' || hasLeft) return `person ${receiver} takes no part`;
    if (legs.some((leg) => hasBlocked(state, giver, leg.giver))) return `person ${giver} has blocked another`;
  }
  return undefined;
}

/** The jobs of the wants and the matches; what they suggest afterwards can be. */
export const find: fc.Arbitrary<Act> = fc.constant(
  act(
    'find',
    (state): Aimed => ({
      text: 'matches are looked for',
      who: null,
      gate: 'anybody',
      steps: [() => 'ok'],
      async call(world: World) {
        await notifyOfCoupons(world.market.ctx);
        await findMatches(world.market.ctx);
        const matches = await suggested(world);
        world.seen.matches += matches.length;
        const wrong = matches.flatMap((legs) => objectionTo(state, legs) ?? []);
        return wrong.length === 0 ? 'ok' : `internal: ${wrong.join('; ')}`;
      },
    }),
  ),
);
