import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { UserStatus } from '#contract/accounts.ts';
import { CLAIM_HOURS } from '#contract/claims.ts';
import { LEADERBOARD_CATEGORIES, type LeaderboardCategory } from '#contract/leaderboard-categories.ts';
import {
  actingAs,
  createCoupon,
  createUser,
  setUpFreshContext,
  TEST_PASSWORD,
} from '#server/testing/builders.ts';
import { MANY_CONNECTIONS, setUpDatabase } from '#server/testing/database.ts';
import { move, propose } from '#server/testing/exchanges.ts';
import { checkInvariants } from '#server/testing/invariants.ts';
import { completeExchange, completeSaleOf, rate, undoSale } from '#server/testing/ratings.ts';
import type { Actor } from '../context.ts';
import { removeCoupon } from '../coupons/service.ts';
import { deleteAccount } from '../moderation/leaving.ts';
import { setUserStatus } from '../moderation/status.ts';
import { listLeaderboard, ownEntry, refreshLeaderboard, scoresOf } from './service.ts';

const database = setUpDatabase({ connections: MANY_CONNECTIONS });
const ctx = setUpFreshContext(database);
let anna: Actor;
let ben: Actor;
afterAll(async () => {
  expect(await checkInvariants(database.db)).toEqual([]);
});
beforeEach(async () => {
  // Removes the people of earlier tests from the ranking.
  await ctx.db.updateTable('users').set({ status: 'banned' }).execute();
  await ctx.db.updateTable('coupons').set({ isActive: false }).execute();
  [anna, ben] = [await createUser(ctx), await createUser(ctx)];
});

const pointsOf = async ({ id }: Actor) => (await scoresOf(ctx.db, [id], ctx.clock())).get(id)?.scores;
const setStatus = async ({ id }: Actor, status: UserStatus) => {
  const admin = await createUser(ctx, { role: 'admin' });
  await setUserStatus(actingAs(ctx, admin), { id, status, reason: 'As the test wants it' });
};

/** [rank, name, points] of a whole category. */
async function board(category: LeaderboardCategory) {
  const { items } = await listLeaderboard(ctx, { category, page: 1, limit: 100 });
  return items.map(({ rank, username, score }) => [rank, username, score]);
}

/** Two people complete an exchange and rate each other. */
async function rateEachOther(one: Actor, two: Actor, ofOne: number, ofTwo: number): Promise<void> {
  const deal = await completeExchange(ctx, one, two);
  await rate(ctx, one, deal, ofTwo);
  await rate(ctx, two, deal, ofOne);
}

const hash = (sign: string) => sign.repeat(64);
const verified = (owner: Actor, sign: string, columns: Parameters<typeof createCoupon>[2] = {}) =>
  createCoupon(ctx, owner, { isVerified: true, codeHash: hash(sign), ...columns });

describe('the formulas of decisions 5.6', () => {
  it('give 10 points for a verified coupon to the person who listed it [spec/3 2.45]', async () => {
    await verified(anna, 'a');
    await createCoupon(ctx, anna);
    expect(await pointsOf(anna)).toMatchObject({ coupons: 10, overall: 10 });
    await verified(anna, 'b');
    expect(await pointsOf(anna)).toMatchObject({ coupons: 20, overall: 20 });
  });

  it("keep a verified coupon's points with its first owner when it changes hands", async () => {
    const offered = await verified(anna, 'c');
    const requested = await createCoupon(ctx, ben);
    const { id } = await propose(ctx, anna, { offered, requested });
    await move(ctx, ben, id, 'accepted');
    await move(ctx, ben, id, 'completed');
    expect(await pointsOf(anna)).toMatchObject({ coupons: 10, exchanges: 20, overall: 30 });
    expect(await pointsOf(ben)).toMatchObject({ coupons: 0, exchanges: 20, overall: 20 });
  });

  it('count each code once, and no deleted coupons or public codes', async () => {
    await verified(anna, 'd', { isActive: false });
    await verified(anna, 'd');
    await verified(anna, 'e', { category: 'imported', isActive: false });
    const deleted = await verified(anna, 'f');
    expect(await pointsOf(anna)).toMatchObject({ coupons: 20 });
    await removeCoupon(actingAs(ctx, anna), deleted.id);
    expect(await pointsOf(anna)).toMatchObject({ coupons: 10 });
  });

  it('give both sides 20 points for a completed exchange [spec/3 2.45]', async () => {
    await completeExchange(ctx, anna, ben);
    expect(await pointsOf(anna)).toMatchObject({ exchanges: 20, bids: 0, overall: 20 });
    expect(await pointsOf(ben)).toMatchObject({ exchanges: 20, bids: 0, overall: 20 });
  });

  it('give both sides 15 points for a completed sale until it is refunded', async () => {
    const deal = await completeSaleOf(ctx, anna, ben);
    expect(await pointsOf(anna)).toMatchObject({ bids: 15, exchanges: 0, overall: 15 });
    expect(await pointsOf(ben)).toMatchObject({ bids: 15, overall: 15 });
    await undoSale(ctx, deal);
    expect(await pointsOf(anna)).toMatchObject({ bids: 0, overall: 0 });
    expect(await pointsOf(ben)).toMatchObject({ bids: 0, overall: 0 });
  });

  it('give ten times the mean of the visible ratings and five assumed ratings of 7', async () => {
    await rateEachOther(anna, ben, 10, 1);
    // (5 × 7 + 10) / 6 = 7.5 and (5 × 7 + 1) / 6 = 6.
    expect(await pointsOf(anna)).toMatchObject({ ratings: 75, exchanges: 20, overall: 95 });
    expect(await pointsOf(ben)).toMatchObject({ ratings: 60, overall: 80 });
    await rateEachOther(anna, await createUser(ctx), 9, 5);
    // (35 + 19) / 7 = 7.714…, to one decimal of a point.
    expect(await pointsOf(anna)).toMatchObject({ ratings: 77.1, overall: 117.1 });
  });

  it('give no points for ratings without a visible rating', async () => {
    const deal = await completeExchange(ctx, anna, ben);
    await rate(ctx, anna, deal, 10);
    expect(await pointsOf(ben)).toMatchObject({ ratings: 0, overall: 20 });
    await refreshLeaderboard(ctx);
    expect(await board('ratings')).toEqual([]);
    ctx.clock.advanceDays(7);
    expect(await pointsOf(ben)).toMatchObject({ ratings: 75, overall: 95 });
    await refreshLeaderboard(ctx);
    expect(await board('ratings')).toEqual([[1, ben.username, 75]]);
  });
});

describe('the leaderboard', () => {
  it('ranks each category by its points, and overall by their sum [spec/1 3.13] [spec/3 2.52]', async () => {
    await verified(anna, '1');
    await verified(anna, '2');
    await completeSaleOf(ctx, anna, ben);
    const carla = await createUser(ctx);
    await completeExchange(ctx, carla, await createUser(ctx, { username: 'zoe' }));
    await completeExchange(ctx, carla, ben);
    await refreshLeaderboard(ctx);
    const [a, b, c] = [anna.username, ben.username, carla.username];
    expect(await board('coupons')).toEqual([[1, a, 20]]);
    expect((await board('bids')).map(([, name]) => name)).toEqual([a, b]);
    expect((await board('exchanges')).at(0)).toEqual([1, c, 40]);
    expect(await board('overall')).toEqual([
      [1, c, 40],
      [2, a, 35],
      [3, b, 35],
      [4, 'zoe', 20],
    ]);
  });

  it("shows each person's deeds, with the mean rating to one decimal", async () => {
    await verified(anna, '3');
    await completeSaleOf(ctx, anna, ben);
    for (const rating of [9, 8, 8]) await rateEachOther(anna, await createUser(ctx), rating, 4);
    await refreshLeaderboard(ctx);
    const { items } = await listLeaderboard(ctx, { category: 'overall', page: 1, limit: 1 });
    expect(items).toEqual([
      {
        id: expect.any(Number),
        rank: 1,
        userId: anna.id,
        username: anna.username,
        profileImageUrl: null,
        // 10 + 3 × 20 + 15 + 10 × (35 + 25) / 8
        score: 160,
        stats: { verifiedCoupons: 1, successfulExchanges: 3, acceptedBids: 1, averageRating: 8.3 },
      },
    ]);
  });

  it('ranks the person first who reached the same points earlier [spec/3 2.53]', async () => {
    const carla = await createUser(ctx);
    await completeSaleOf(ctx, anna, ben);
    ctx.clock.advanceDays(1);
    await completeSaleOf(ctx, carla, ben);
    await completeSaleOf(ctx, anna, carla);
    // Another sale to the same person gives no points and does not change the order.
    ctx.clock.advanceDays(1);
    await completeSaleOf(ctx, ben, anna);
    await refreshLeaderboard(ctx);
    expect(await board('bids')).toEqual([
      [1, anna.username, 30],
      [2, ben.username, 30],
      [3, carla.username, 30],
    ]);
    await completeSaleOf(ctx, ben, await createUser(ctx));
    ctx.clock.advanceDays(1);
    await completeSaleOf(ctx, anna, await createUser(ctx));
    await refreshLeaderboard(ctx);
    // Ben's last points are of the third day, Anna's of the fourth.
    expect((await board('bids')).slice(0, 3)).toEqual([
      [1, ben.username, 45],
      [2, anna.username, 45],
      [3, carla.username, 30],
    ]);
  });

  it('ranks people with the same points and time by id, without gaps', async () => {
    const people = [anna, ben, await createUser(ctx), await createUser(ctx)] as const;
    await completeExchange(ctx, people[3], people[0]);
    await completeExchange(ctx, people[2], people[1]);
    await refreshLeaderboard(ctx);
    expect(await board('exchanges')).toEqual(people.map(({ username }, index) => [index + 1, username, 20]));
  });

  it('shows nobody without points', async () => {
    await refreshLeaderboard(ctx);
    for (const category of LEADERBOARD_CATEGORIES) expect(await board(category)).toEqual([]);
    expect(await ownEntry(actingAs(ctx, anna), { category: 'overall' })).toBeNull();
  });

  it('shows people their own entry', async () => {
    await completeExchange(ctx, anna, ben);
    await refreshLeaderboard(ctx);
    expect(await ownEntry(actingAs(ctx, ben), { category: 'exchanges' })).toMatchObject({
      rank: 2,
      userId: ben.id,
      score: 20,
    });
    expect(await ownEntry(actingAs(ctx, ben), { category: 'coupons' })).toBeNull();
  });

  it('leaves out banned people at once, closes the gap at the next refresh, and ranks them again after the ban [spec/3 2.54]', async () => {
    await completeExchange(ctx, anna, ben);
    await refreshLeaderboard(ctx);
    await setStatus(anna, 'banned');
    expect(await board('overall')).toEqual([[2, ben.username, 20]]);
    expect(await refreshLeaderboard(ctx)).toMatchObject({ removed: 2 });
    expect(await board('overall')).toEqual([[1, ben.username, 20]]);
    await setStatus(anna, 'suspended');
    await refreshLeaderboard(ctx);
    expect(await board('overall')).toEqual([
      [1, anna.username, 20],
      [2, ben.username, 20],
    ]);
  });

  it('leaves out deleted people', async () => {
    await completeExchange(ctx, anna, ben);
    ctx.clock.advanceDays(CLAIM_HOURS / 24);
    await deleteAccount(actingAs(ctx, anna), { confirmPassword: TEST_PASSWORD });
    await refreshLeaderboard(ctx);
    expect(await board('overall')).toEqual([[1, ben.username, 20]]);
  });

  it('has pages [spec/3 2.46]', async () => {
    await completeExchange(ctx, anna, ben);
    await refreshLeaderboard(ctx);
    const page = await listLeaderboard(ctx, { category: 'overall', page: 2, limit: 1 });
    expect(page).toMatchObject({
      items: [{ userId: ben.id }],
      total: 2,
      totalIsCapped: false,
      nextCursor: null,
      previousCursor: expect.any(String),
    });
  });
});

describe('a refresh', () => {
  it('writes only the rows that have changed', async () => {
    await completeExchange(ctx, anna, ben);
    await refreshLeaderboard(ctx);
    expect(await refreshLeaderboard(ctx)).toEqual({ added: 0, changed: 0, removed: 0 });
    const before = await ctx.db.selectFrom('leaderboard').select(['id', 'updatedAt']).orderBy('id').execute();
    ctx.clock.advanceDays(1);
    await verified(ben, '5');
    // Ben's coupons are new; overall the two change places.
    expect(await refreshLeaderboard(ctx)).toEqual({ added: 1, changed: 2, removed: 0 });
    const after = await ctx.db.selectFrom('leaderboard').select(['id', 'updatedAt']).orderBy('id').execute();
    expect(after.filter(({ updatedAt }) => updatedAt.getTime() === ctx.clock().getTime())).toHaveLength(3);
    expect(after.map(({ id }) => id)).toEqual(expect.arrayContaining(before.map(({ id }) => id)));
  });

  it('removes people who have lost their points', async () => {
    const deal = await completeSaleOf(ctx, anna, ben);
    await refreshLeaderboard(ctx);
    await undoSale(ctx, deal);
    expect(await refreshLeaderboard(ctx)).toEqual({ added: 0, changed: 0, removed: 4 });
    expect(await board('overall')).toEqual([]);
  });

  it('is done by only one of several processes that start at once [spec/3 2.52]', async () => {
    await completeExchange(ctx, anna, ben);
    const done = await Promise.all(Array.from({ length: 5 }, () => refreshLeaderboard(ctx)));
    expect(done.filter((refreshed) => refreshed !== null && refreshed.added > 0)).toHaveLength(1);
    expect(await board('overall')).toHaveLength(2);
  });

  it('stores how many verified coupons each person has listed [spec/1 3.14]', async () => {
    const coupon = await verified(anna, '6');
    await refreshLeaderboard(ctx);
    const counted = () =>
      ctx.db
        .selectFrom('users')
        .select('verifiedCoupons')
        .where('id', '=', anna.id)
        .executeTakeFirstOrThrow();
    expect(await counted()).toEqual({ verifiedCoupons: 1 });
    await removeCoupon(actingAs(ctx, anna), coupon.id);
    await refreshLeaderboard(ctx);
    expect(await counted()).toEqual({ verifiedCoupons: 0 });
  });
});
