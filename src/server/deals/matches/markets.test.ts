import { describe, expect, it } from 'vitest';
import { setUpContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { createMarket, randomWishes, type Wish } from '#tests/support/markets.ts';
import { createRandom } from '#tests/support/random.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { findMatches } from './find-matches.ts';
import { refreshMatches } from './refresh-matches.ts';

const database = setUpDatabase();
const ctx = setUpContext(database);
/** How many coupons change hands if everybody in the chosen matches agrees, before and after the night. */
async function tradesOf(market: { people: number; wishes: readonly Wish[] }, ringMax: number) {
  const ids = await createMarket(ctx, database, market);
  const finder = { ...ctx, config: { ...ctx.config, ringPeopleMax: ringMax } };
  await findMatches(finder);
  const trades = async () => {
    const { rows } = await database.pool.query<{ count: number; coupons: number }>(
      `select count(*)::integer, count(distinct coupon_id)::integer as coupons
      from match_legs join matches on matches.id = match_id where is_chosen and giver_id = any($1)`,
      [ids],
    );
    expect(rows[0]?.coupons).toBe(rows[0]?.count);
    return rows[0]?.count ?? 0;
  };
  const atOnce = await trades();
  await refreshMatches(finder);
  return { atOnce, afterNight: await trades() };
}

/** The largest number of people in disjoint rings, by trying all: shares nothing with the product. */
function optimumOf(wishes: readonly Wish[], ringMax: number): number {
  const takesFrom = new Map<number, number[]>();
  for (const [taker, owner] of wishes) takesFrom.set(taker, [...(takesFrom.get(taker) ?? []), owner]);
  const rings: bigint[] = [];
  const walk = (start: number, path: number[]) => {
    for (const next of takesFrom.get(path.at(-1) ?? 0) ?? []) {
      if (next === start && path.length > 1)
        rings.push(path.reduce((set, one) => set | (1n << BigInt(one)), 0n));
      else if (next > start && path.length < ringMax && !path.includes(next)) walk(start, [...path, next]);
    }
  };
  for (const start of takesFrom.keys()) walk(start, [start]);
  const sizeOf = (set: bigint) => set.toString(2).replaceAll('0', '').length;
  let best = 0;
  const visit = (open: readonly bigint[], covered: number): void => {
    best = Math.max(best, covered);
    const reachable = open.reduce((set, ring) => set | ring, 0n);
    if (covered + sizeOf(reachable) <= best) return;
    // The person whom the fewest rings can take: in one of them, or in none.
    const counts = new Map<number, number>();
    for (const ring of open) {
      for (let bit = 0; 1n << BigInt(bit) <= ring; bit += 1) {
        if ((ring >> BigInt(bit)) & 1n) counts.set(bit, (counts.get(bit) ?? 0) + 1);
      }
    }
    const [person] = [...counts].reduce((one, other) => (other[1] < one[1] ? other : one));
    const mask = 1n << BigInt(person);
    for (const ring of open) {
      if (ring & mask)
        visit(
          open.filter((other) => !(other & ring)),
          covered + sizeOf(ring),
        );
    }
    visit(
      open.filter((ring) => !(ring & mask)),
      covered,
    );
  };
  visit([...new Set(rings)], 0);
  return best;
}

describe('the choice of the most trades', () => {
  it.each([3, 4])(
    'reaches 95% of the optimum in random markets, with rings up to %i [decisions 3.15.19]',
    async (ringMax) => {
      const random = createRandom(ringMax);
      const sum = { optimum: 0, atOnce: 0, afterNight: 0 };
      for (let round = 0; round < shortOrLong(2, 40); round += 1) {
        const people = shortOrLong(20, 30) + random(shortOrLong(21, 31));
        const wishes = randomWishes(random, people, 2 + random(20) / 10);
        const trades = await tradesOf({ people, wishes }, ringMax);
        sum.optimum += optimumOf(wishes, ringMax);
        sum.atOnce += trades.atOnce;
        sum.afterNight += trades.afterNight;
      }
      expect(sum.optimum).toBeGreaterThan(0);
      expect(sum.afterNight / sum.optimum, JSON.stringify(sum)).toBeGreaterThanOrEqual(0.95);
    },
  );

  it.each([3, 4, 6])(
    'reaches 95% where everybody could be in a ring, with rings up to %i',
    async (ringMax) => {
      const random = createRandom(10 + ringMax);
      const people = shortOrLong(40, 3_000);
      const wishes = randomWishes(random, people, 1);
      for (let first = 0, size = 2; first < people; first += size, size = 2 + random(ringMax - 1)) {
        const ring = Array.from({ length: Math.min(size, people - first) }, (_, index) => first + index);
        if (ring.length < 2) continue;
        for (const [index, taker] of ring.entries())
          wishes.push([taker, ring[(index + 1) % ring.length] ?? first]);
      }
      const trades = await tradesOf({ people, wishes }, ringMax);
      expect(trades.afterNight / people, JSON.stringify(trades)).toBeGreaterThanOrEqual(0.95);
    },
  );
});
