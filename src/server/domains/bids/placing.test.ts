import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/texts.ts';
import { utcDay } from '#server/core/clock.ts';
import type { RateLimiter } from '#server/core/rate-limit.ts';
import { bidOn, createBid, moveBid } from '#server/testing/bids.ts';
import { actingAs, createCoupon, createTestContext, createUser } from '#server/testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { historyOf, noticesOf } from '#server/testing/exchanges.ts';
import { checkInvariants } from '#server/testing/invariants.ts';
import { removeCoupon } from '../coupons/service.ts';
import { placeBid } from './service.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  expect(await checkInvariants(database.db)).toEqual([]);
  await database.close();
});

const open = () => createTestContext(database);

describe('placing', () => {
  it('stores the amount to the cent, tells the owner, and writes both histories', async () => {
    const ctx = open();
    const [bidder, owner] = [await createUser(ctx), await createUser(ctx)];
    const coupon = await createCoupon(ctx, owner);
    const bid = await placeBid(actingAs(ctx, bidder), {
      couponId: coupon.id,
      amount: '12.5',
      message: 'Is it still good?',
    });
    expect(bid).toEqual({
      id: expect.any(Number),
      couponId: coupon.id,
      bidderId: bidder.id,
      bidderUsername: bidder.username,
      ownerId: owner.id,
      ownerUsername: owner.username,
      amount: '12.50',
      status: 'pending',
      reason: null,
      message: 'Is it still good?',
      coupon: expect.objectContaining({ id: coupon.id, title: coupon.title, ownerId: owner.id }),
      isHighest: null,
      isSellerReady: false,
      protection: null,
      createdAt: '2035-06-15T12:00:00.000Z',
      updatedAt: '2035-06-15T12:00:00.000Z',
      acceptedAt: null,
      completedAt: null,
      deadlineAt: '2035-06-22T12:00:00.000Z',
    });
    const told = `${bidder.username} bids $12.50 CAD on your “${coupon.title}”.`;
    expect(await noticesOf(ctx, owner)).toEqual([
      {
        type: 'other',
        content: told,
        relatedId: bid.id,
        link: `/my-bids?bid=${bid.id}`,
        mailTo: owner.id,
        subject: 'Somebody bids on your coupon',
        body: told,
      },
    ]);
    expect(await noticesOf(ctx, bidder)).toEqual([]);
    expect(await historyOf(ctx, owner)).toEqual([{ action: 'created', details: told, actorId: bidder.id }]);
    expect(await historyOf(ctx, bidder)).toEqual([
      {
        action: 'created',
        details: `You bid $12.50 CAD on “${coupon.title}” of ${owner.username}.`,
        actorId: bidder.id,
      },
    ]);
  });

  it('refuses one’s own coupon, and one that is not there', async () => {
    const ctx = open();
    const owner = await createUser(ctx);
    const coupon = await createCoupon(ctx, owner);
    await expect(bidOn(ctx, owner, coupon)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(bidOn(ctx, owner, { id: 2_000_000_000 })).rejects.toMatchObject({ code: 'not_found' });
    await removeCoupon(actingAs(ctx, owner), coupon.id);
    await expect(bidOn(ctx, await createUser(ctx), coupon)).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    ['has expired', { expiryDate: '2035-06-14' }],
    ['is a public code', { category: 'imported' }],
    ['was delisted', { isActive: false }],
  ])('refuses a coupon that %s', async (_, columns) => {
    const ctx = open();
    const coupon = await createCoupon(ctx, await createUser(ctx), columns);
    await expect(bidOn(ctx, await createUser(ctx), coupon)).rejects.toMatchObject({
      code: 'coupon_unavailable',
      issues: [{ path: 'couponId' }],
    });
  });

  it('takes a bid on a coupon’s last day, and none on a coupon that a deal holds', async () => {
    const ctx = open();
    const { coupon, bidder } = await createBid(ctx, 'pending', { expiryDate: utcDay(ctx.clock()) });
    await expect(bidOn(ctx, bidder, coupon, '20')).rejects.toMatchObject({
      code: 'bid_exists',
      message: TEXTS.bids.alreadyPending,
    });
    const held = await createBid(ctx, 'accepted');
    await expect(bidOn(ctx, bidder, held.coupon)).rejects.toMatchObject({
      code: 'coupon_reserved',
      message: TEXTS.exchanges.reserved,
    });
  });

  it('lets somebody bid again whose bid has ended', async () => {
    const ctx = open();
    const { id, bidder, coupon, owner } = await createBid(ctx);
    await moveBid(ctx, owner, id, 'rejected');
    expect(await bidOn(ctx, bidder, coupon, '15')).toMatchObject({ status: 'pending', amount: '15.00' });
  });

  it('counts the bids of a person, 60 an hour', async () => {
    const counted: unknown[] = [];
    const limiter: RateLimiter = {
      consume: async (limit, key) => {
        counted.push([limit.points, limit.seconds, key]);
        return 60;
      },
      waitFor: async () => 0,
      reset: async () => {},
    };
    const ctx = createTestContext(database, { limiter });
    const [bidder, owner] = [await createUser(ctx), await createUser(ctx)];
    const coupon = await createCoupon(ctx, owner);
    await expect(bidOn(ctx, bidder, coupon)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 60 });
    expect(counted).toEqual([[60, 3_600, String(bidder.id)]]);
    expect(await noticesOf(ctx, owner)).toEqual([]);
  });
});
