import { afterAll, describe, expect, it } from 'vitest';
import { DEFAULT_FEE_RATES } from '#contract/fees.ts';
import { addDays } from '#server/core/clock.ts';
import { bidOn, createBid, moveBid, paySale, withBidLocked } from '#server/testing/bids.ts';
import {
  actingAs,
  createCoupon,
  createTestContext,
  createUser,
  type TestContext,
} from '#server/testing/builders.ts';
import { setUpDatabase } from '#server/testing/database.ts';
import { historyOf, noticesOf, propose } from '#server/testing/exchanges.ts';
import { checkInvariants } from '#server/testing/invariants.ts';
import type { Actor } from '../context.ts';
import { couponById } from '../coupons/listing.ts';
import { releaseReservation } from '../coupons/reservations.ts';
import { revealCode } from '../coupons/reveals.ts';
import { removeCoupon } from '../coupons/service.ts';
import { listTransactionLogs } from '../deals/service.ts';
import { exchangeById } from '../exchanges/service.ts';
import { bidWithProtection } from '../payments/protection.ts';
import { listUnpaidBids } from '../payments/store.ts';
import { returnCoupon } from './returning.ts';
import { bidById, cancelUnpaidBid, completeSale, findPayableBid } from './service.ts';

const database = setUpDatabase();
afterAll(async () => expect(await checkInvariants(database.db)).toEqual([]));

const open = () => createTestContext(database);

async function salesOf(ctx: TestContext, { id }: Actor): Promise<number> {
  const row = await ctx.db
    .selectFrom('users')
    .select('acceptedBids')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.acceptedBids;
}

const protectedBid = (ctx: TestContext, who: Actor, id: number) =>
  bidWithProtection(actingAs(ctx, who), bidById(actingAs(ctx, who), id));

describe('a bid that is paid', () => {
  it('gives the coupon and its code to the bidder, counts for both parties and notifies both [spec/1 3.14]', async () => {
    const ctx = open();
    const { id, bidder, owner, coupon } = await createBid(ctx, 'accepted');
    ctx.clock.advanceDays(1);
    await paySale(ctx, id);
    expect(await protectedBid(ctx, bidder, id)).toMatchObject({
      status: 'completed',
      completedAt: '2035-06-16T12:00:00.000Z',
      deadlineAt: null,
      coupon: { ownerId: bidder.id },
      protection: { status: 'held', provider: 'stripe', isDisputed: false, claim: null },
    });
    expect((await revealCode(actingAs(ctx, bidder), coupon.id)).codeValue).toBe(coupon.code);
    await expect(revealCode(actingAs(ctx, owner), coupon.id)).rejects.toMatchObject({ code: 'forbidden' });
    expect([await salesOf(ctx, bidder), await salesOf(ctx, owner)]).toEqual([1, 1]);
    expect((await historyOf(ctx, bidder)).at(-1)).toMatchObject({
      action: 'completed',
      actorId: null,
      details: `You bought “${coupon.title}” from ${owner.username} for your bid of $12.50 CAD. It is yours now.`,
    });
    expect((await historyOf(ctx, owner)).at(-1)?.details).toBe(
      `You sold your “${coupon.title}” to ${bidder.username} for their bid of $12.50 CAD.`,
    );
  });

  it("appears in the history with the bid's current state", async () => {
    const ctx = open();
    const { id, bidder, coupon } = await createBid(ctx, 'accepted');
    await paySale(ctx, id);
    const { items } = await listTransactionLogs(actingAs(ctx, bidder), { page: 1, limit: 10, kind: 'all' });
    expect(items).toHaveLength(3);
    for (const line of items) {
      expect(line).toMatchObject({
        bidId: id,
        paymentId: null,
        exchange: null,
        bid: { status: 'completed', amount: '12.50', coupon: { id: coupon.id, title: coupon.title } },
      });
    }
  });

  it('cancels the pending exchanges on the coupon', async () => {
    const ctx = open();
    const { id, owner, coupon } = await createBid(ctx);
    const other = await createUser(ctx);
    const asked = await propose(ctx, other, { offered: await createCoupon(ctx, other), requested: coupon });
    await moveBid(ctx, owner, id, 'accepted');
    await paySale(ctx, id);
    expect(await exchangeById(actingAs(ctx, other), asked.id)).toMatchObject({
      status: 'cancelled',
      reason: 'rival_completed',
    });
    expect((await noticesOf(ctx, other)).at(-1)?.content).toMatch(
      `“${coupon.title}” changed hands in another deal.`,
    );
  });

  it('reserves the coupon against other deals and changes until the sale is final', async () => {
    const ctx = open();
    const { id, bidder, coupon } = await createBid(ctx, 'accepted');
    const paymentId = await paySale(ctx, id);
    const third = await createUser(ctx);
    await expect(bidOn(ctx, third, coupon)).rejects.toMatchObject({ code: 'coupon_reserved' });
    await expect(removeCoupon(actingAs(ctx, bidder), coupon.id)).rejects.toMatchObject({
      code: 'coupon_reserved',
      message:
        'This coupon is protected until its sale is final and no claim about it is open. Confirm that the code works, or withdraw the claim, first.',
    });
    await withBidLocked(ctx, id, async (trx) => {
      await trx
        .updateTable('paymentTransactions')
        .set({ status: 'releasing' })
        .where('id', '=', paymentId)
        .execute();
      await releaseReservation(trx, { bidId: id });
    });
    expect(await bidOn(ctx, third, coupon)).toMatchObject({ ownerId: bidder.id, status: 'pending' });
  });

  it('is completed only once', async () => {
    const ctx = open();
    const [paid, pending] = [await createBid(ctx, 'accepted'), await createBid(ctx)];
    await paySale(ctx, paid.id);
    for (const { id } of [paid, pending]) {
      await expect(
        withBidLocked(ctx, id, (trx, bid) => completeSale(trx, ctx, bid, ctx.clock())),
      ).rejects.toThrow();
    }
    expect(await salesOf(ctx, paid.owner)).toBe(1);
  });
});

describe('a sale that is undone', () => {
  it('returns the coupon to the seller, unlisted, and is not counted', async () => {
    const ctx = open();
    const { id, bidder, owner, coupon } = await createBid(ctx, 'accepted');
    const paymentId = await paySale(ctx, id);
    ctx.clock.advanceDays(1);
    await withBidLocked(ctx, id, async (trx, bid) => {
      const at = ctx.clock();
      const payment = trx.updateTable('paymentTransactions').where('id', '=', paymentId);
      await payment.set({ status: 'refunding' }).execute();
      await payment.set({ status: 'refunded', endedAt: at }).execute();
      await returnCoupon(trx, ctx, bid, at);
    });
    expect(await couponById(actingAs(ctx, owner), coupon.id)).toMatchObject({
      ownerId: owner.id,
      isActive: false,
      isReserved: false,
    });
    await expect(revealCode(actingAs(ctx, bidder), coupon.id)).rejects.toMatchObject({ code: 'forbidden' });
    expect([await salesOf(ctx, bidder), await salesOf(ctx, owner)]).toEqual([0, 0]);
    expect(await protectedBid(ctx, owner, id)).toMatchObject({
      status: 'completed',
      protection: { paymentId, status: 'refunded' },
    });
    await expect(bidOn(ctx, bidder, coupon)).rejects.toMatchObject({ code: 'coupon_unavailable' });
  });
});

describe('an unpaid bid', () => {
  it('is found after 48 hours; cancelling it frees the coupon', async () => {
    const ctx = open();
    const { id, bidder, owner, coupon } = await createBid(ctx, 'accepted');
    const accepted = ctx.clock();
    const unpaid = async (now: Date) => (await listUnpaidBids(ctx.db, { now, limit: 100 })).includes(id);
    expect(await unpaid(addDays(accepted, 1.999))).toBe(false);
    expect(await unpaid(addDays(accepted, 2))).toBe(true);
    ctx.clock.advanceDays(2);
    await withBidLocked(ctx, id, (trx, bid) => cancelUnpaidBid(trx, bid, ctx.clock()));
    expect(await bidById(actingAs(ctx, bidder), id)).toMatchObject({
      status: 'cancelled',
      reason: 'deadline',
    });
    for (const party of [bidder, owner]) {
      expect((await noticesOf(ctx, party)).at(-1)?.content).toMatch(/it was not paid within 48 hours\.$/);
      expect((await historyOf(ctx, party)).at(-1)).toMatchObject({ action: 'expired', actorId: null });
    }
    expect(await unpaid(ctx.clock())).toBe(false);
    expect(await bidOn(ctx, bidder, coupon)).toMatchObject({ status: 'pending' });
    await expect(
      withBidLocked(ctx, id, (trx, bid) => cancelUnpaidBid(trx, bid, ctx.clock())),
    ).rejects.toMatchObject({ code: 'deal_changed', message: 'This bid is already cancelled.' });
  });
});

describe('a bid as payments see it', () => {
  it('has its parties, its coupon and its amount in cents', async () => {
    const ctx = open();
    const { id, bidder, owner, coupon } = await createBid(ctx, 'accepted');
    expect(await findPayableBid(ctx.db, id)).toEqual({
      id,
      couponId: coupon.id,
      exchangeId: null,
      couponIds: [coupon.id],
      couponTitle: coupon.title,
      merchant: coupon.merchant,
      couponExpiresAt: new Date('2035-07-15T23:59:59.999Z'),
      bidderId: bidder.id,
      bidderUsername: bidder.username,
      ownerId: owner.id,
      ownerUsername: owner.username,
      amount: 1_250,
      feeRates: DEFAULT_FEE_RATES,
      status: 'accepted',
      acceptedAt: ctx.clock(),
      pricePaidAt: null,
      deadlineAt: addDays(ctx.clock(), 2),
    });
    expect(await findPayableBid(ctx.db, 2_000_000_000)).toBeNull();
  });
});
