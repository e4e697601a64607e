import { afterAll, describe, expect, it } from 'vitest';
import { createBid, paySale, withBidLocked } from '#server/testing/bids.ts';
import { actingAs, createTestContext, type TestContext } from '#server/testing/builders.ts';
import { setUpDatabase } from '#server/testing/database.ts';
import { historyOf } from '#server/testing/exchanges.ts';
import { checkInvariants } from '#server/testing/invariants.ts';
import type { Actor } from '../context.ts';
import { revealCode } from '../coupons/reveals.ts';
import { listTransactionLogs } from '../deals/service.ts';
import { bidWithProtection } from '../payments/protection.ts';
import { bidById, completeSale } from './service.ts';

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
