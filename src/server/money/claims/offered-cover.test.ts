import { describe, expect, it } from 'vitest';
import { firstCover } from '#contract/money/guarantee.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { readReserve } from '#server/money/books/reserve-store.ts';
import { actingAs } from '#tests/support/builders.ts';
import { finalSale } from '#tests/support/claims.ts';
import { type AcceptedBid, setUpMarket } from '#tests/support/payments.ts';
import { offeredCover } from './guarantee.ts';
import { checkoutWithCover, protectionOf } from './protection.ts';

const market = setUpMarket({ config: { guarantee: { days: 7, reservePercent: 20 } } });
const as = (actor: Actor) => actingAs(market.ctx, actor);
const seen = (bid: AcceptedBid, by = bid.buyer) => protectionOf(as(by), bid.id);
const reserve = () => readReserve(market.ctx.db);

describe('what is said of the guarantee', () => {
  it('is never more than the reserve could pay this buyer now', async () => {
    // 40.00 of it go into the reserve.
    await finalSale(market, { amount: 200_000 });
    const bid = await market.acceptedBid();
    const quarter = Math.floor((await reserve()) / 4);
    const first = Math.min(quarter, firstCover());
    const until = addDays(market.ctx.clock(), 10).toISOString();
    const cover = { until, fromReserve: (first / 100).toFixed(2) };
    expect(await checkoutWithCover(as(bid.buyer), bid.id)).toMatchObject({ cover });
    expect(await offeredCover(as(bid.seller), { couponId: bid.coupon.id })).toEqual({
      cover: { until, fromReserve: '0.00' },
    });
    await finalSale(market, { buyer: bid.buyer });
    const later = await offeredCover(as(bid.buyer), { couponId: bid.coupon.id });
    expect(Number(later.cover?.fromReserve) * 100).toBeGreaterThanOrEqual(first);
    await expect(offeredCover(as(bid.buyer), { couponId: 999_999 })).rejects.toMatchObject({
      code: 'not_found',
    });
    await market.payByCard(bid);
    expect(await seen(bid)).toMatchObject({ cover: { until }, mayClaimLate: false });
    expect(await seen(bid, bid.seller)).toMatchObject({ cover: { until, fromReserve: '0.00' } });
  });

  it('ends with the coupon, and is nothing for one that expires in the hold', async () => {
    const bid = await market.acceptedBid();
    const day = addDays(market.ctx.clock(), 6).toISOString().slice(0, 10);
    const expire = (expiryDate: string) =>
      market.ctx.db.updateTable('coupons').set({ expiryDate }).where('id', '=', bid.coupon.id).execute();
    await expire(day);
    const { cover } = await checkoutWithCover(as(bid.buyer), bid.id);
    expect(cover?.until.slice(0, 10)).toBe(day);
    await expire(addDays(market.ctx.clock(), 1).toISOString().slice(0, 10));
    expect(await checkoutWithCover(as(bid.buyer), bid.id)).toMatchObject({ cover: null });
  });
});
