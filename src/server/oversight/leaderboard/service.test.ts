import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { CLAIM_HOURS } from '#contract/money/claims.ts';
import type { LeaderboardCategory } from '#contract/oversight/leaderboard-categories.ts';
import type { UserStatus } from '#contract/people/accounts.ts';
import type { Actor } from '#server/context/context.ts';
import { removeCoupon } from '#server/deals/coupon-changes/service.ts';
import { deleteAccount } from '#server/oversight/moderation/leaving.ts';
import { setUserStatus } from '#server/oversight/moderation/status.ts';
import {
  actingAs,
  createCoupon,
  createUser,
  setUpFreshContext,
  TEST_PASSWORD,
} from '#tests/support/builders.ts';
import { MANY_CONNECTIONS, setUpDatabase } from '#tests/support/database.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { completeExchange, completeSaleOf, rate, undoSale } from '#tests/support/ratings.ts';
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
  it('give 10 points for a verified coupon, 20 for an exchange, 15 for a sale, and 75 for a first rating of 10 [spec/3 2.45]', async () => {
    await verified(anna, 'a');
    await createCoupon(ctx, anna);
    expect(await pointsOf(anna)).toMatchObject({ coupons: 10, overall: 10 });
    const deal = await completeExchange(ctx, anna, ben);
    await rate(ctx, anna, deal, 1);
    await rate(ctx, ben, deal, 10);
    // (5 × 7 + 10) / 6 = 7.5
    expect(await pointsOf(anna)).toMatchObject({ exchanges: 20, ratings: 75, overall: 105 });
    await completeSaleOf(ctx, anna, await createUser(ctx));
    expect(await pointsOf(anna)).toMatchObject({ bids: 15, overall: 120 });
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
});

describe('the leaderboard', () => {
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
    expect(await refreshLeaderboard(ctx)).toEqual({ added: 0, changed: 0, removed: 0, moved: 0 });
    const before = await ctx.db.selectFrom('leaderboard').select(['id', 'updatedAt']).orderBy('id').execute();
    ctx.clock.advanceDays(1);
    await verified(ben, '5');
    // Ben's coupons are new; overall the two change places.
    expect(await refreshLeaderboard(ctx)).toEqual({ added: 1, changed: 1, removed: 0, moved: 3 });
    const after = await ctx.db.selectFrom('leaderboard').select(['id', 'updatedAt']).orderBy('id').execute();
    expect(after.filter(({ updatedAt }) => updatedAt.getTime() === ctx.clock().getTime())).toHaveLength(3);
    expect(after.map(({ id }) => id)).toEqual(expect.arrayContaining(before.map(({ id }) => id)));
  });

  it('removes people who have lost their points', async () => {
    const deal = await completeSaleOf(ctx, anna, ben);
    await refreshLeaderboard(ctx);
    await undoSale(ctx, deal);
    expect(await refreshLeaderboard(ctx)).toEqual({ added: 0, changed: 0, removed: 4, moved: 0 });
    expect(await board('overall')).toEqual([]);
  });

  it('is done by only one of several processes that start at once [spec/3 2.52]', async () => {
    await completeExchange(ctx, anna, ben);
    const done = await Promise.all(Array.from({ length: 5 }, () => refreshLeaderboard(ctx)));
    expect(done.filter(({ added }) => added > 0)).toHaveLength(1);
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
