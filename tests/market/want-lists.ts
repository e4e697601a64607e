import {
  BEST_FIT,
  type MarketDayCoupon,
  type MarketDayGive,
  type MarketDayGraph,
  type MarketDayTake,
  type MarketDayWish,
  MOST_URGENT,
} from '#contract/deals/market-day-certificate.ts';
import { createRandom, type Random } from '#tests/support/random.ts';

export interface WantListsOptions {
  readonly people: number;
  readonly seed: number;
  /** How many wishes each person has; 10 without it. */
  readonly wishes?: number;
  /** About how many coupons each wish takes; 10 without it. */
  readonly takes?: number;
  /** The most coupons of one person; 40 without it. */
  readonly couponsMax?: number;
  /** One coupon in so many is a gift; 40 without it. */
  readonly giftEvery?: number;
}

/**
 * A market day like the want lists of a math trade. Few people have many coupons, by a power law, and few kinds of coupons are
 * in most lists. A wish takes some of what is alike, and gives some of its person's coupons; a fifth of them also take gifts.
 */
export function wantLists({
  people,
  seed,
  wishes: wishesEach = 10,
  takes: takesEach = 10,
  couponsMax = 40,
  giftEvery = 40,
}: WantListsOptions): MarketDayGraph {
  const random = createRandom(seed);
  const numbers = distinctNumbers(random);
  const owners = Array.from({ length: people }, numbers);
  const owned = owners.map((owner) =>
    Array.from({ length: byPowerLaw(random, couponsMax) }, (): MarketDayCoupon => {
      return { number: numbers(), owner, isGift: random(giftEvery) === 0 };
    }),
  );
  const coupons = owned.flat();
  const wishes: MarketDayWish[] = [];
  const takes: MarketDayTake[] = [];
  const gives: MarketDayGive[] = [];
  const takesGifts: number[] = [];
  for (const [place, person] of owners.entries()) {
    const own = (owned[place] ?? []).filter(({ isGift }) => !isGift);
    for (let count = 0; count < wishesEach; count += 1) {
      const wish = { number: numbers(), person, times: random(5) === 0 ? 1 + random(10) : 1 };
      wishes.push(wish);
      if (random(5) === 0) takesGifts.push(wish.number);
      for (const { number } of own)
        if (random(own.length) < 3) gives.push({ wish: wish.number, coupon: number });
      const wanted = new Set<MarketDayCoupon>();
      for (let tries = 1 + random(2 * takesEach - 1); tries > 0; tries -= 1) {
        const coupon = coupons[byPowerLaw(random, coupons.length) - 1];
        if (coupon && coupon.owner !== person) wanted.add(coupon);
      }
      for (const { number } of wanted)
        takes.push({
          wish: wish.number,
          coupon: number,
          fit: random(BEST_FIT + 1),
          urgency: random(MOST_URGENT + 1),
        });
    }
  }
  return { coupons, wishes, takes, gives, takesGifts };
}

/** From 1 to `most`, the small ones far more often: the logarithm is evenly spread over three quarters of the cases. */
function byPowerLaw(random: Random, most: number): number {
  const part = random(1_000_000) / 1_000_000;
  const skewed = random(4) > 0 ? (most + 1) ** part : 1 + part * most;
  return Math.min(most, Math.floor(skewed));
}

/** Numbers from 1 to below 2**52 that never come twice. */
function distinctNumbers(random: Random): () => number {
  const known = new Set<number>();
  return () => {
    let number = 0;
    while (number === 0 || known.has(number)) number = random(2 ** 20) * 2 ** 32 + random(2 ** 32);
    known.add(number);
    return number;
  };
}
