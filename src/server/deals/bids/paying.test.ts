import { afterAll, describe, expect, it } from 'vitest';
import { DEFAULT_FEE_RATES } from '#contract/money/fees.ts';
import { inTransaction } from '#server/database/client.ts';
import { proposeExchange } from '#server/deals/exchanges/proposing.ts';
import { createBid, paySale, withBidLocked } from '#tests/support/bids.ts';
import { actingAs, createUser, setUpContext } from '#tests/support/builders.ts';
import { swapAway, twoPeople } from '#tests/support/exchanges.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import {
  addPriceBids,
  bidById,
  bidsByIds,
  completePriceBids,
  feeRatesOf,
  findPayableBid,
  holdForReturn,
  lockPayableBid,
  noteBegun,
  releaseReturn,
  returnCoupon,
  setPricePaidAt,
  takeAskingTurn,
} from './service.ts';

/** What payments ask of bids. */

const ctx = setUpContext();
afterAll(async () => expect(await checkInvariants(ctx.db)).toEqual([]));

const NOBODYS = 2_000_000_000;

describe('a bid that is to be paid', () => {
  it('is found with its fees, and locked', async () => {
    const { id, bidder, owner, coupon } = await createBid(ctx, 'accepted');
    const payable = await inTransaction(ctx.db, (trx) => lockPayableBid(trx, id));
    expect(payable).toMatchObject({
      ...{ id, couponId: coupon.id, couponIds: [coupon.id], exchangeId: null, amount: 1_250 },
      ...{ bidderId: bidder.id, ownerId: owner.id, status: 'accepted', feeRates: DEFAULT_FEE_RATES },
    });
    expect(await findPayableBid(ctx.db, id)).toEqual(payable);
    expect(await findPayableBid(ctx.db, NOBODYS)).toBeNull();
    const missing = inTransaction(ctx.db, (trx) => lockPayableBid(trx, NOBODYS));
    await expect(missing).rejects.toMatchObject({ code: 'not_found' });
  });

  it('has the fee rates of its columns, in hundredths', () => {
    const columns = { buyerFeePercent: '5.25', buyerFeeMinimum: '0.30', sellerFeePercent: '4.00' };
    expect(feeRatesOf({ ...columns, sellerFeeMinimum: '0.00' })).toEqual({
      buyer: { basisPoints: 525, minimum: 30 },
      seller: { basisPoints: 400, minimum: 0 },
    });
  });

  it('has the usual time once its bidder has begun', async () => {
    const { id, bidder } = await createBid(ctx, 'accepted');
    const beginBy = ctx.clock();
    await ctx.db.updateTable('bids').set({ beginBy, isAutomatic: true }).where('id', '=', id).execute();
    expect(await bidById(actingAs(ctx, bidder), id)).toMatchObject({ beginBy: beginBy.toISOString() });
    await withBidLocked(ctx, id, (trx) => noteBegun(trx, id));
    expect(await bidById(actingAs(ctx, bidder), id)).toMatchObject({ beginBy: null });
  });

  it('asks its seller to set up payments once a day', async () => {
    const { id } = await createBid(ctx, 'accepted');
    const ask = () => inTransaction(ctx.db, (trx) => takeAskingTurn(trx, id, ctx.clock()));
    expect([await ask(), await ask()]).toEqual([true, false]);
    ctx.clock.advanceDays(1);
    expect(await ask()).toBe(true);
  });

  it('is listed for its parties alone', async () => {
    const { id, bidder } = await createBid(ctx);
    expect(await bidsByIds(actingAs(ctx, bidder), [id])).toMatchObject([{ id }]);
    const stranger = actingAs(ctx, await createUser(ctx));
    await expect(bidsByIds(stranger, [id])).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('the prices of an exchange are accepted, paid and completed like bids', async () => {
  const { requester, offered, requested } = await twoPeople(ctx);
  const { id: exchangeId } = await proposeExchange(actingAs(ctx, requester), {
    ...{ offeredCouponId: offered.id, requestedCouponId: requested.id, message: null },
    money: { payer: 'author', amount: '20.00' },
  });
  const at = ctx.clock();
  const rolledBack = inTransaction(ctx.db, async (trx) => {
    await addPriceBids(trx, {
      exchangeId,
      prices: [{ couponId: requested.id, feeRates: DEFAULT_FEE_RATES }],
      at,
    });
    const price = trx.selectFrom('bids').select(['id', 'status', 'pricePaidAt', 'amount']);
    const read = () => price.where('exchangeId', '=', exchangeId).executeTakeFirstOrThrow();
    const added = await read();
    expect(added).toMatchObject({ status: 'accepted', pricePaidAt: null, amount: '20.00' });
    await setPricePaidAt(trx, added.id, at, at);
    expect(await read()).toMatchObject({ pricePaidAt: at });
    await completePriceBids(trx, exchangeId, at);
    expect(await read()).toMatchObject({ status: 'completed' });
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
});

describe('a coupon that may have to go back', () => {
  const purchaseOf = async (id: number) => {
    const bid = await findPayableBid(ctx.db, id);
    if (!bid) throw new Error('There is no such bid');
    return bid;
  };
  const holders = (couponId: number) =>
    ctx.db.selectFrom('couponReservations').select('bidId').where('couponId', '=', couponId).execute();

  it('is held as long as its buyer has it, and freed when the purchase stands', async () => {
    const { id, bidder, coupon } = await createBid(ctx, 'accepted');
    await paySale(ctx, id);
    const purchase = await purchaseOf(id);
    const hold = () => withBidLocked(ctx, id, (trx) => holdForReturn(trx, purchase, ctx.clock()));
    const release = () => withBidLocked(ctx, id, (trx) => releaseReturn(trx, purchase));
    await release();
    expect(await holders(coupon.id)).toEqual([]);
    expect([await hold(), await hold()]).toEqual([null, null]);
    expect(await holders(coupon.id)).toEqual([{ bidId: id }]);
    await release();
    await ctx.db
      .updateTable('paymentTransactions')
      .set({ status: 'releasing' })
      .where('bidId', '=', id)
      .execute();
    await swapAway(ctx, bidder, coupon);
    expect(await hold()).toBe('gone');
    expect(await holders(coupon.id)).toEqual([]);
  });

  it('returns to its seller, unlisted, and the sale is not counted any more', async () => {
    const { id, bidder, owner, coupon } = await createBid(ctx, 'accepted');
    await paySale(ctx, id);
    await withBidLocked(ctx, id, async (trx, bid) => {
      await returnCoupon(trx, ctx, bid, ctx.clock());
      const payment = trx.updateTable('paymentTransactions').where('bidId', '=', id);
      await payment.set({ status: 'refunding' }).execute();
      await payment.set({ status: 'refunded', endedAt: ctx.clock() }).execute();
    });
    const returned = ctx.db.selectFrom('coupons').select(['ownerId', 'isActive']).where('id', '=', coupon.id);
    expect(await returned.executeTakeFirst()).toEqual({ ownerId: owner.id, isActive: false });
    expect(await holders(coupon.id)).toEqual([]);
    const counts = ctx.db.selectFrom('users').select('acceptedBids').where('id', 'in', [bidder.id, owner.id]);
    expect(await counts.execute()).toEqual([{ acceptedBids: 0 }, { acceptedBids: 0 }]);
  });
});
