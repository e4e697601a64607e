import { beforeEach, describe, expect, it } from 'vitest';
import { createWantInputSchema } from '#contract/coupons/wants.ts';
import { publicProfileSchema } from '#contract/oversight/profiles.ts';
import type { Actor } from '#server/context/context.ts';
import { createWant } from '#server/coupons/wants/service.ts';
import { markUsed } from '#server/deals/coupon-changes/service.ts';
import { bidOn, moveBid } from '#tests/support/bids.ts';
import { actingAs, createCoupon, createUser, setUpFreshContext } from '#tests/support/builders.ts';
import { move, propose } from '#tests/support/exchanges.ts';
import { completeExchange, completeSaleOf, rate, undoSale } from '#tests/support/ratings.ts';
import { firstSteps, ownStats, profileById } from './service.ts';

const ctx = setUpFreshContext();
let anna: Actor;
let ben: Actor;
beforeEach(async () => {
  [anna, ben] = [await createUser(ctx), await createUser(ctx)];
});

const statsOf = (actor: Actor) => ownStats(actingAs(ctx, actor));
const savingsOf = async (actor: Actor) => (await statsOf(actor)).savingsGenerated;

describe("the caller's own statistics", () => {
  it('are zero for a new person [spec/3 2.49]', async () => {
    expect(await statsOf(anna)).toEqual({
      totalCoupons: 0,
      totalExchanges: 0,
      totalBids: 0,
      reputation: 0,
      savingsGenerated: 0,
      usedValue: 0,
      scores: { overall: 0, coupons: 0, exchanges: 0, bids: 0, ratings: 0 },
    });
  });

  it('count owned coupons, completed exchanges, and sales on either side, and give the overall score [spec/3 2.58]', async () => {
    await createCoupon(ctx, anna);
    await createCoupon(ctx, anna, { category: 'imported' });
    await createCoupon(ctx, anna, { isActive: false, deletedAt: ctx.clock() });
    const deal = await completeExchange(ctx, anna, ben);
    await completeSaleOf(ctx, anna, ben);
    await completeSaleOf(ctx, await createUser(ctx), anna);
    await undoSale(ctx, await completeSaleOf(ctx, anna, ben));
    await rate(ctx, anna, deal, 4);
    await rate(ctx, ben, deal, 10);
    expect(await statsOf(anna)).toMatchObject({
      // Two of her own, one from the exchange and one bought; one was sold.
      totalCoupons: 4,
      totalExchanges: 1,
      totalBids: 2,
      // 20 for Ben, 15 for the other, 10 × (35 + 10) / 6
      reputation: 110,
      scores: { overall: 110, exchanges: 20, bids: 15, ratings: 75, coupons: 0 },
    });
  });
});

it('the value of coupons used counts this year’s, without percentages', async () => {
  const owned = await Promise.all([
    createCoupon(ctx, anna, { value: 1_000 }),
    createCoupon(ctx, anna, { value: 2_500 }),
    createCoupon(ctx, anna, { value: 2_000, discountType: 'percentage' }),
  ]);
  for (const { id } of owned) await markUsed(actingAs(ctx, anna), id);
  expect(await statsOf(anna)).toMatchObject({ usedValue: 3_500 });
  ctx.clock.advanceDays(366);
  expect(await statsOf(anna)).toMatchObject({ usedValue: 0 });
});

describe('savings', () => {
  it('are the face value received in exchanges minus the face value given [spec/3 2.58]', async () => {
    await completeExchange(ctx, anna, ben, { offered: 1_000, requested: 2_500 });
    expect(await savingsOf(anna)).toBe(1_500);
    await completeExchange(ctx, ben, anna, { offered: 700, requested: 400 });
    expect(await savingsOf(anna)).toBe(1_800);
  });

  it('are never below zero', async () => {
    await completeExchange(ctx, anna, ben, { offered: 1_000, requested: 2_500 });
    expect(await savingsOf(ben)).toBe(0);
  });

  it("are the face value bought minus the bid and the buyer's fee; the seller saves nothing", async () => {
    await completeSaleOf(ctx, anna, ben, { amount: '10.00', coupon: { value: 4_000 } });
    // 40.00 - 10.00 - 0.50
    expect(await savingsOf(anna)).toBe(2_950);
    expect(await savingsOf(ben)).toBe(0);
  });

  it('are reduced by a purchase above face value', async () => {
    await completeExchange(ctx, anna, ben, { offered: 100, requested: 2_000 });
    await completeSaleOf(ctx, anna, ben, { amount: '15.00', coupon: { value: 1_000 } });
    // 19.00 + 10.00 - 15.75
    expect(await savingsOf(anna)).toBe(1_325);
  });

  it('do not count a refunded sale', async () => {
    const deal = await completeSaleOf(ctx, anna, ben, { amount: '10.00', coupon: { value: 4_000 } });
    await undoSale(ctx, deal);
    expect(await savingsOf(anna)).toBe(0);
  });

  it('do not count deals with a percentage coupon', async () => {
    const percentage = { discountType: 'percentage', value: 2_500 };
    const offered = await createCoupon(ctx, anna, percentage);
    const requested = await createCoupon(ctx, ben, { value: 5_000 });
    const { id } = await propose(ctx, anna, { offered, requested });
    expect(await savingsOf(anna)).toBe(0);
    await move(ctx, ben, id, 'accepted');
    await move(ctx, ben, id, 'completed');
    await completeExchange(ctx, ben, anna, { offered: 900, requested: 100 });
    await completeSaleOf(ctx, ben, anna, { coupon: percentage });
    expect(await savingsOf(anna)).toBe(800);
    expect(await savingsOf(ben)).toBe(0);
    await completeExchange(ctx, ben, anna, { offered: 100, requested: 1_000 });
    expect(await savingsOf(ben)).toBe(100);
  });
});

describe('the public profile', () => {
  it("contains a person's name, bio and deeds, but no e-mail address", async () => {
    await ctx.db.updateTable('users').set({ bio: 'I swap.' }).where('id', '=', anna.id).execute();
    const deal = await completeExchange(ctx, anna, ben);
    await rate(ctx, ben, deal, 9);
    const profile = await profileById(ctx, anna.id);
    expect(profile).toEqual({
      id: anna.id,
      username: anna.username,
      bio: 'I swap.',
      profileImageUrl: null,
      country: 'CA',
      isFeatured: false,
      isBlocked: false,
      awayUntil: null,
      createdAt: '2035-06-15T12:00:00.000Z',
      scores: { overall: 20, coupons: 0, exchanges: 20, bids: 0, ratings: 0 },
      verifiedCoupons: 0,
      successfulExchanges: 1,
      failedCodes: 0,
      acceptedBids: 0,
      ratingCount: 0,
      averageRating: null,
      answersWithinHours: null,
      lastSeenAt: null,
    });
    expect(publicProfileSchema.strict().parse(profile)).toEqual(profile);
    expect(JSON.stringify(profile)).not.toContain('@');
    ctx.clock.advanceDays(7);
    expect(await profileById(ctx, anna.id)).toMatchObject({ ratingCount: 1, averageRating: 9 });
  });

  it('exists for suspended people, but not for banned, deleted or unknown ones', async () => {
    const suspended = await createUser(ctx, { status: 'suspended' });
    expect(await profileById(ctx, suspended.id)).toMatchObject({ username: suspended.username });
    const banned = await createUser(ctx, { status: 'banned' });
    const gone = await createUser(ctx, { deletedAt: ctx.clock() });
    for (const id of [banned.id, gone.id, 999_999])
      await expect(profileById(ctx, id)).rejects.toMatchObject({
        code: 'not_found',
        message: 'User not found',
      });
  });
});

it('the first steps are the person’s own coupons and wishes', async () => {
  const stepsOf = (actor: Actor) => firstSteps(actingAs(ctx, actor));
  await createCoupon(ctx, anna, { isActive: false, deletedAt: ctx.clock() });
  expect(await stepsOf(anna)).toEqual({ hasCoupon: false, hasWish: false });
  await createCoupon(ctx, anna);
  expect(await stepsOf(anna)).toEqual({ hasCoupon: true, hasWish: false });
  await createWant(actingAs(ctx, anna), createWantInputSchema.parse({ search: 'tea', gives: 'any' }));
  expect(await stepsOf(anna)).toEqual({ hasCoupon: true, hasWish: true });
  expect(await stepsOf(ben)).toEqual({ hasCoupon: false, hasWish: false });
});

describe('how fast a person answers', () => {
  const hoursOf = async (actor: Actor) => (await profileById(ctx, actor.id)).answersWithinHours;
  const ask = async () => bidOn(ctx, await createUser(ctx), await createCoupon(ctx, anna));

  it('is the median of at least three answers, of which an overdue one is the slowest', async () => {
    const answered = async (hours: number, status: 'accepted' | 'rejected') => {
      const { id } = await ask();
      ctx.clock.advanceDays(hours / 24);
      await moveBid(ctx, anna, id, status);
    };
    await answered(0.5, 'accepted');
    const withdrawn = await bidOn(ctx, ben, await createCoupon(ctx, anna));
    await moveBid(ctx, ben, withdrawn.id, 'cancelled');
    await ask();
    const { id } = await propose(ctx, ben, {
      offered: await createCoupon(ctx, ben),
      requested: await createCoupon(ctx, anna),
    });
    ctx.clock.advanceDays(5 / 24);
    await move(ctx, anna, id, 'rejected');
    expect(await hoursOf(anna)).toBeNull();
    await answered(6.2, 'rejected');
    expect(await hoursOf(anna)).toBe(5);
    expect(await hoursOf(ben)).toBeNull();
    // Now the one that she left open counts: the middle of 0.5, 5, 6.2 and never.
    ctx.clock.advanceDays(2);
    await answered(30, 'rejected');
    expect(await hoursOf(anna)).toBe(7);
  });

  it('says when they were last here, to the hour', async () => {
    await ctx.db
      .updateTable('users')
      .set({ lastLoginAt: '2035-06-15T09:41:07.123Z' })
      .where('id', '=', anna.id)
      .execute();
    expect(await profileById(ctx, anna.id)).toMatchObject({ lastSeenAt: '2035-06-15T09:00:00.000Z' });
  });
});
