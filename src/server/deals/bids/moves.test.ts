import { afterAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { revealCode } from '#server/coupons/codes/reveals.ts';
import { removeCoupon } from '#server/deals/coupon-changes/service.ts';
import { exchangeById } from '#server/deals/exchanges/service.ts';
import { expireDeals } from '#server/deals/lifecycle/expiry.ts';
import { listTransactionLogs } from '#server/deals/lifecycle/service.ts';
import { bidWithProtection } from '#server/money/claims/protection.ts';
import { bidOn, createBid, moveBid, paySale, withBidLocked } from '#tests/support/bids.ts';
import {
  actingAs,
  createCoupon,
  createTestContext,
  createUser,
  type TestContext,
} from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { historyOf, noticesOf, propose } from '#tests/support/exchanges.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { bidById, completeSale } from './service.ts';

const database = setUpDatabase();
afterAll(async () => expect(await checkInvariants(database.db)).toEqual([]));

const open = () => createTestContext(database);

describe('accepting', () => {
  it('reserves the coupon, gives 48 hours to pay, and rejects every other bid on it [spec/2 4.9]', async () => {
    const ctx = open();
    const { id, bidder, owner, coupon } = await createBid(ctx);
    const [rival, elsewhere] = [await createUser(ctx), await createBid(ctx)];
    const lower = await bidOn(ctx, rival, coupon, '5');
    ctx.clock.advanceDays(1);
    expect(await moveBid(ctx, owner, id, 'accepted')).toMatchObject({
      status: 'accepted',
      acceptedAt: '2035-06-16T12:00:00.000Z',
      deadlineAt: '2035-06-18T12:00:00.000Z',
      isHighest: true,
    });
    expect(await bidById(actingAs(ctx, rival), lower.id)).toMatchObject({
      status: 'rejected',
      reason: 'rival_accepted',
      deadlineAt: null,
    });
    expect((await noticesOf(ctx, rival)).at(-1)).toMatchObject({
      content: `Your bid of $5.00 CAD on ${owner.username}’s “${coupon.title}” was declined: another bid was accepted.`,
      link: `/my-bids?bid=${lower.id}`,
      subject: 'Your bid was declined',
    });
    expect((await historyOf(ctx, rival)).at(-1)?.action).toBe('rejected');
    expect((await noticesOf(ctx, bidder)).at(-1)).toMatchObject({
      content: `${owner.username} accepted your bid of $12.50 CAD on “${coupon.title}”. Please pay $13.13 CAD within 48 hours.`,
      subject: 'Your bid was accepted',
    });
    // The owner acted: their only notices are those of the two bids.
    expect(await noticesOf(ctx, owner)).toHaveLength(2);
    expect(await bidById(actingAs(ctx, elsewhere.owner), elsewhere.id)).toMatchObject({ status: 'pending' });
  });
});

describe('permissions', () => {
  it('the owner may accept and reject, the bidder may withdraw [spec/2 7.9]', async () => {
    const ctx = open();
    const { id, bidder, owner, coupon } = await createBid(ctx);
    const forbidden = { code: 'forbidden' };
    await expect(moveBid(ctx, bidder, id, 'accepted')).rejects.toMatchObject(forbidden);
    await expect(moveBid(ctx, bidder, id, 'rejected')).rejects.toMatchObject(forbidden);
    await expect(moveBid(ctx, owner, id, 'cancelled')).rejects.toMatchObject(forbidden);
    expect(await moveBid(ctx, bidder, id, 'cancelled')).toMatchObject({
      status: 'cancelled',
      reason: 'by_bidder',
    });
    expect((await noticesOf(ctx, owner)).at(-1)).toMatchObject({
      content: `${bidder.username} withdrew their bid of $12.50 CAD on your “${coupon.title}”.`,
      subject: 'A bid was withdrawn',
    });
    await expect(moveBid(ctx, owner, id, 'accepted')).rejects.toMatchObject({
      code: 'deal_changed',
      message: 'This bid is already cancelled.',
    });
  });

  it('neither party can end an accepted bid [spec/2 4.10]', async () => {
    const ctx = open();
    const { id, bidder, owner, coupon } = await createBid(ctx, 'accepted');
    await expect(moveBid(ctx, bidder, id, 'cancelled')).rejects.toMatchObject({
      code: 'deal_changed',
      message: 'This bid is already accepted. Bids are binding: an accepted bid cannot be cancelled.',
    });
    await expect(moveBid(ctx, owner, id, 'rejected')).rejects.toMatchObject({
      code: 'deal_changed',
      message: 'This bid is already accepted.',
    });
    await expect(moveBid(ctx, owner, id, 'cancelled')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(removeCoupon(actingAs(ctx, owner), coupon.id)).rejects.toMatchObject({
      code: 'coupon_reserved',
      message:
        'You accepted a bid on this coupon. You cannot change or delete it until the bidder pays or their time is over.',
    });
  });
});

describe('automatic endings', () => {
  it('ends a pending bid after exactly 7 days [spec/2 4.15]', async () => {
    const ctx = open();
    const { id, bidder, owner } = await createBid(ctx);
    ctx.clock.set(new Date('2035-06-22T11:59:59.999Z'));
    await expireDeals(ctx);
    expect(await bidById(actingAs(ctx, owner), id)).toMatchObject({ status: 'pending' });
    ctx.clock.set(new Date('2035-06-22T12:00:00.000Z'));
    expect(await expireDeals(ctx)).toBeGreaterThan(0);
    expect(await bidById(actingAs(ctx, owner), id)).toMatchObject({
      status: 'cancelled',
      reason: 'deadline',
    });
    for (const party of [bidder, owner]) {
      expect((await noticesOf(ctx, party)).at(-1)?.content).toMatch(/it was not answered within 7 days\.$/);
      expect((await historyOf(ctx, party)).at(-1)).toMatchObject({ action: 'expired', actorId: null });
    }
    expect(await expireDeals(ctx)).toBe(0);
  });
});

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
      details: `You bought “${coupon.title}” from ${owner.username} for $12.50 CAD. It is yours now.`,
    });
    expect((await historyOf(ctx, owner)).at(-1)?.details).toBe(
      `You sold your “${coupon.title}” to ${bidder.username} for $12.50 CAD.`,
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
});
