import { beforeAll, describe, expect, it } from 'vitest';
import { POINTS, type Scores } from '#contract/oversight/leaderboard.ts';
import { LEADERBOARD_CATEGORIES } from '#contract/oversight/leaderboard-categories.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { createCoupon, createUser, setUpContext } from '#tests/support/builders.ts';
import { insertSwap } from '#tests/support/exchanges.ts';
import { createRandom, type Random } from '#tests/support/random.ts';
import { listLeaderboard, refreshLeaderboard, scoresOf } from './service.ts';

/** Compares the SQL with a second, plain implementation of decisions 5.6 over random data. */

interface Deal {
  readonly kind: 'exchanges' | 'bids';
  readonly sides: readonly [number, number];
  readonly isCompleted: boolean;
  readonly isUndone: boolean;
  readonly at: Date;
}
interface Rating {
  readonly rater: number;
  readonly rated: number;
  readonly rating: number;
  readonly visibleAt: Date;
}
interface Coupon {
  readonly lister: number;
  readonly code: number;
  readonly isVerified: boolean;
  readonly isDeleted: boolean;
  readonly createdAt: Date;
}
interface World {
  readonly deals: Deal[];
  readonly ratings: Rating[];
  readonly coupons: Coupon[];
}
interface Score {
  readonly points: number;
  readonly reachedAt: Date;
}

const PEOPLE = 14;
const latest = (dates: readonly Date[]) => new Date(Math.max(...dates.map((date) => date.getTime())));

function dealScore(deals: readonly Deal[], id: number, kind: Deal['kind'], each: number): Score {
  const partners = new Set<number>();
  const counted = deals
    .filter((deal) => deal.isCompleted && !deal.isUndone && deal.sides.includes(id))
    .sort((a, b) => a.at.getTime() - b.at.getTime())
    .filter(({ sides }) => {
      const other = sides[0] === id ? sides[1] : sides[0];
      const isFirst = !partners.has(other);
      partners.add(other);
      return isFirst;
    })
    .filter((deal) => deal.kind === kind);
  return { points: counted.length * each, reachedAt: latest(counted.map(({ at }) => at)) };
}

function couponScore(coupons: readonly Coupon[], id: number): Score {
  const listed = coupons.filter((coupon) => coupon.lister === id && coupon.isVerified && !coupon.isDeleted);
  const codes = [...new Set(listed.map(({ code }) => code))];
  const firsts = codes.map(
    (code) =>
      new Date(
        Math.min(
          ...listed.filter((coupon) => coupon.code === code).map(({ createdAt }) => createdAt.getTime()),
        ),
      ),
  );
  return { points: codes.length * POINTS.verifiedCoupon, reachedAt: latest(firsts) };
}

function ratingScore(ratings: readonly Rating[], id: number, now: Date): Score {
  const visible = ratings.filter(({ rated, visibleAt }) => rated === id && visibleAt <= now);
  // The last written of each rater.
  const seen = [...new Map(visible.map((rating) => [rating.rater, rating])).values()];
  if (seen.length === 0) return { points: 0, reachedAt: latest([]) };
  const total = seen.reduce((sum, { rating }) => sum + rating, 0);
  const mean = (POINTS.ratingPrior * POINTS.ratingWeight + total) / (POINTS.ratingWeight + seen.length);
  return {
    points: Math.round(mean * POINTS.perRatingPoint * 10) / 10,
    reachedAt: latest(seen.map(({ visibleAt }) => visibleAt)),
  };
}

function modelOf({ deals, ratings, coupons }: World, id: number, now: Date): Record<keyof Scores, Score> {
  const parts = {
    coupons: couponScore(coupons, id),
    exchanges: dealScore(deals, id, 'exchanges', POINTS.completedExchange),
    bids: dealScore(deals, id, 'bids', POINTS.completedSale),
    ratings: ratingScore(ratings, id, now),
  };
  const giving = Object.values(parts).filter(({ points }) => points > 0);
  const points = giving.reduce((sum, part) => sum + part.points, 0);
  const overall = {
    points: Math.round(points * 10) / 10,
    reachedAt: latest(giving.map(({ reachedAt }) => reachedAt)),
  };
  return { overall, ...parts };
}

const ctx = setUpContext();
const people: Actor[] = [];
beforeAll(async () => {
  for (let i = 0; i < PEOPLE; i += 1) {
    const status = i % 7 === 3 ? 'banned' : i % 7 === 5 ? 'suspended' : 'active';
    people.push(await createUser(ctx, { status }));
  }
});

/** Two different people. */
function pair(random: Random): [number, number] {
  const first = random(PEOPLE);
  const second = (first + 1 + random(PEOPLE - 1)) % PEOPLE;
  return [people[first]?.id ?? 0, people[second]?.id ?? 0];
}

/** Inserts random deals, ratings and coupons, bypassing the rules. */
async function deal(random: Random): Promise<World> {
  const world: World = { deals: [], ratings: [], coupons: [] };
  const now = ctx.clock();
  const past = () => addDays(now, -random(2_000) / 100);
  for (let i = 0; i < 60; i += 1) world.coupons.push(await insertCoupon(random, past(), world));
  for (let i = 0; i < 260; i += 1) {
    const made: Deal = {
      kind: random(2) === 0 ? 'exchanges' : 'bids',
      sides: pair(random),
      isCompleted: random(5) > 0,
      isUndone: false,
      at: past(),
    };
    world.deals.push(await insertDeal(random, made, world));
  }
  return world;
}

async function insertCoupon(random: Random, createdAt: Date, world: World): Promise<Coupon> {
  const [lister, buyer] = pair(random);
  const code = random(40);
  const isDeleted = random(6) === 0;
  const isVerified = random(3) > 0;
  const changesHands = random(3) === 0;
  const { id } = await createCoupon(
    ctx,
    { id: changesHands ? buyer : lister },
    {
      isActive: false,
      isVerified,
      code: null,
      codeHash: code.toString(16).padStart(64, '0'),
      deletedAt: isDeleted ? createdAt : null,
      createdAt,
    },
  );
  if (changesHands) {
    await insertExchange([buyer, lister], 'completed', id, createdAt);
    const sides = [buyer, lister] as const;
    world.deals.push({ kind: 'exchanges', sides, isCompleted: true, isUndone: false, at: createdAt });
  }
  return { lister, code, isVerified, isDeleted, createdAt };
}

/** A coupon without points. */
async function spare(ownerId: number): Promise<number> {
  return (await createCoupon(ctx, { id: ownerId }, { isActive: false, code: null })).id;
}

async function insertTransfer(
  couponId: number,
  [fromUserId, toUserId]: readonly [number, number],
  row: { exchangeId?: number; bidId?: number; isReturn?: boolean; createdAt: Date },
): Promise<void> {
  await ctx.db
    .insertInto('couponTransfers')
    .values({ couponId, fromUserId, toUserId, ...row })
    .execute();
}

async function insertExchange(
  [requesterId, ownerId]: readonly [number, number],
  status: 'completed' | 'pending',
  requestedCouponId: number,
  at: Date,
): Promise<number> {
  const offeredCouponId = await spare(requesterId);
  const coupons = { requestedCouponId, offeredCouponId };
  const exchangeId = await insertSwap(ctx, { requesterId, ownerId, ...coupons, status, createdAt: at });
  if (status === 'completed') {
    await insertTransfer(requestedCouponId, [ownerId, requesterId], { exchangeId, createdAt: at });
    await insertTransfer(offeredCouponId, [requesterId, ownerId], { exchangeId, createdAt: at });
  }
  return exchangeId;
}

async function insertDeal(random: Random, made: Deal, world: World): Promise<Deal> {
  const { kind, sides, isCompleted, at } = made;
  const [bidderId, ownerId] = sides;
  const couponId = await spare(ownerId);
  if (kind === 'exchanges') {
    const exchangeId = await insertExchange(sides, isCompleted ? 'completed' : 'pending', couponId, at);
    if (isCompleted) await insertRatings(random, made, exchangeId, world);
    return made;
  }
  const { id: bidId } = await ctx.db
    .insertInto('bids')
    .values({
      couponId,
      bidderId,
      ownerId,
      amount: '5.00',
      status: isCompleted ? 'completed' : 'rejected',
      reason: isCompleted ? null : 'by_owner',
      acceptedAt: isCompleted ? at : null,
      completedAt: isCompleted ? at : null,
      createdAt: at,
      updatedAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (!isCompleted) return made;
  await insertTransfer(couponId, [ownerId, bidderId], { bidId, createdAt: at });
  await insertRatings(random, made, bidId, world);
  if (random(4) > 0) return made;
  await insertTransfer(couponId, [bidderId, ownerId], { bidId, isReturn: true, createdAt: at });
  return { ...made, isUndone: true };
}

async function insertRatings(
  random: Random,
  { kind, sides, at }: Deal,
  id: number,
  world: World,
): Promise<void> {
  for (const [rater, rated] of [sides, [sides[1], sides[0]] as const]) {
    if (random(2) === 0) continue;
    const rating = 1 + random(10);
    const visibleAt = addDays(at, random(3) * 10);
    await ctx.db
      .insertInto('userRatings')
      .values({
        raterId: rater,
        ratedUserId: rated,
        rating,
        relatedEntityType: kind === 'bids' ? 'bid' : 'exchange',
        relatedEntityId: id,
        isVerified: true,
        visibleAt,
        createdAt: at,
        updatedAt: at,
      })
      .execute();
    world.ratings.push({ rater, rated, rating, visibleAt });
  }
}

describe('the points and ranks of many people', () => {
  it('equal those of a plain implementation of decisions 5.6: by points, then by who reached them first [spec/1 3.13] [spec/3 2.53 2.55]', async () => {
    const world = await deal(createRandom(20_351));
    const now = ctx.clock();
    const ids = people.map(({ id }) => id);
    const models = new Map(ids.map((id) => [id, modelOf(world, id, now)]));
    const all = await scoresOf(ctx.db, ids, now);
    for (const id of ids) {
      const alone = (await scoresOf(ctx.db, [id], now)).get(id);
      expect(alone, 'alone as among all').toEqual(all.get(id));
      const expected = Object.fromEntries(
        LEADERBOARD_CATEGORIES.map((category) => [category, models.get(id)?.[category].points]),
      );
      expect(alone?.scores).toEqual(expected);
    }

    await refreshLeaderboard(ctx);
    expect(await scoresOf(ctx.db, ids, now), 'as they are stored').toEqual(all);
    for (const category of LEADERBOARD_CATEGORIES) {
      const ranked = people
        .filter(({ status }) => status !== 'banned')
        .map(({ id }) => ({ id, ...(models.get(id)?.[category] ?? { points: 0, reachedAt: now }) }))
        .filter(({ points }) => points > 0)
        .sort((a, b) => b.points - a.points || a.reachedAt.getTime() - b.reachedAt.getTime() || a.id - b.id);
      const { items } = await listLeaderboard(ctx, { category, page: 1, limit: 100 });
      expect(
        items.map(({ rank, userId, score }) => [rank, userId, score]),
        category,
      ).toEqual(ranked.map(({ id, points }, index) => [index + 1, id, points]));
    }
  });
});
