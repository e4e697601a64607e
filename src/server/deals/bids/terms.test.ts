import { describe, expect, it } from 'vitest';
import type { FeeRates } from '#contract/money/fees.ts';
import type { Actor } from '#server/context/context.ts';
import { proposeExchange, reviseExchange } from '#server/deals/exchanges/proposing.ts';
import { exchangeById, setExchangeStatus } from '#server/deals/exchanges/service.ts';
import { bidOn, counter, createBid } from '#tests/support/bids.ts';
import { actingAs, createCoupon, createUser, setUpContext } from '#tests/support/builders.ts';
import { noticesOf, twoPeople } from '#tests/support/exchanges.ts';
import {
  bidById,
  counterBid,
  findPayableBid,
  guaranteeDaysOfBid,
  placeBid,
  setBidStatus,
} from './service.ts';

/** What was shown to whoever offered stays with their offer, if it is better for them (decisions 1.3). */

const ctx = setUpContext();

const at = (percent: number): FeeRates => ({
  buyer: { basisPoints: percent * 100, minimum: 0 },
  seller: { basisPoints: percent * 100, minimum: 0 },
});

/** The same market in which an admin has set other fees and days of guarantee. */
const withTerms = (percent: number, days: 0 | 7 | 42 = 42) => ({
  ...ctx,
  config: { ...ctx.config, feeRates: at(percent), guarantee: { days, reservePercent: 20 } },
});
const under = (percent: number, actor: Actor, days: 0 | 7 | 42 = 42) =>
  actingAs(withTerms(percent, days), actor);

describe('a bid of 20.00 at 5% and 42 days', () => {
  async function placed() {
    const [bidder, owner] = [await createUser(ctx), await createUser(ctx)];
    const coupon = await createCoupon(ctx, owner);
    const { id } = await placeBid(under(5, bidder), { couponId: coupon.id, amount: '20.00', message: null });
    return { id, bidder, owner };
  }

  it('keeps the bidder’s fee and the days when fees rise before it is accepted, and its notice names the sum', async () => {
    const { id, bidder, owner } = await placed();
    const raised = under(15, owner, 7);
    expect(await bidById(raised, id)).toMatchObject({ feeRates: { ...at(15), buyer: at(5).buyer } });
    expect(await guaranteeDaysOfBid(raised, id)).toBe(42);
    await expect(guaranteeDaysOfBid(under(15, await createUser(ctx)), id)).rejects.toMatchObject({
      code: 'not_found',
    });
    await setBidStatus(raised, { id, status: 'accepted' });
    expect(await findPayableBid(ctx.db, id)).toMatchObject({
      feeRates: { buyer: at(5).buyer, seller: at(15).seller },
      guaranteeDays: 42,
    });
    const [{ content } = { content: '' }] = (await noticesOf(ctx, bidder)).slice(-1);
    expect(content).toContain('Please pay $21.00 CAD within 48 hours.');
  });

  it('is accepted at lower fees that are in force by then', async () => {
    const { id, owner } = await placed();
    await setBidStatus(under(2, owner), { id, status: 'accepted' });
    expect(await findPayableBid(ctx.db, id)).toMatchObject({ feeRates: at(2) });
  });

  it('keeps the owner’s fee once they have made a counter-offer, too', async () => {
    const { id, bidder, owner } = await placed();
    await counterBid(under(5, owner), { id, amount: '24.00', expectedAmount: '20.00' });
    await setBidStatus(under(15, bidder), { id, status: 'accepted', expectedAmount: '24.00' });
    expect(await findPayableBid(ctx.db, id)).toMatchObject({ feeRates: at(5) });
  });

  it('has those of the bidder’s last offer', async () => {
    const { id, bidder, owner } = await placed();
    await counterBid(under(5, owner), { id, amount: '24.00', expectedAmount: '20.00' });
    await counterBid(under(8, bidder), { id, amount: '22.00', expectedAmount: '24.00' });
    await setBidStatus(under(15, owner), { id, status: 'accepted', expectedAmount: '22.00' });
    expect(await findPayableBid(ctx.db, id)).toMatchObject({
      feeRates: { buyer: at(8).buyer, seller: at(5).seller },
    });
  });
});

it('a page with old fees offers nothing', async () => {
  const { id, bidder, owner, coupon } = await createBid(ctx);
  const stale = (actor: Actor) => ({ ...actingAs(ctx, actor), shownFees: JSON.stringify(at(1)) });
  const refused = { code: 'conflict', message: expect.stringContaining('The fees have changed') };
  const other = await createUser(ctx);
  await expect(
    placeBid(stale(other), { couponId: coupon.id, amount: '20.00', message: null }),
  ).rejects.toMatchObject(refused);
  await expect(
    counterBid(stale(owner), { id, amount: '24.00', expectedAmount: '12.50' }),
  ).rejects.toMatchObject(refused);
  expect(await bidOn(ctx, other, coupon)).toMatchObject({ status: 'pending' });
  expect(await counter(ctx, owner, id, '24.00')).toMatchObject({ round: 2 });
  const mine = await createCoupon(ctx, bidder);
  const swap = { offeredCouponId: mine.id, requestedCouponId: coupon.id, message: null };
  const money = { payer: 'author', amount: '20.00' } as const;
  await expect(proposeExchange(stale(bidder), { ...swap, money })).rejects.toMatchObject(refused);
  const { id: exchangeId } = await proposeExchange(stale(bidder), swap);
  await expect(reviseExchange(stale(bidder), { id: exchangeId, money })).rejects.toMatchObject(refused);
});

describe('a swap for which its author pays 20.00 at 5%', () => {
  const proposed = async () => {
    const { requester, owner, offered, requested } = await twoPeople(ctx);
    const { id } = await proposeExchange(under(5, requester), {
      ...{ offeredCouponId: offered.id, requestedCouponId: requested.id, message: null },
      money: { payer: 'author', amount: '20.00' },
    });
    return { id, requester, owner, prices: [{ couponId: requested.id, amount: '20.00' }] };
  };
  const priceOf = async (id: number, actor: Actor, percent: number) =>
    (await exchangeById(under(percent, actor), id)).legs.find(({ price }) => price)?.price;

  it('keeps the author’s fee when fees rise before it is accepted; whoever accepts has those of now', async () => {
    const { id, requester, owner, prices } = await proposed();
    const agreed = { buyerTotal: '21.00', netAmount: '17.00' };
    expect(await priceOf(id, owner, 15)).toMatchObject(agreed);
    await setExchangeStatus(under(15, owner), { id, status: 'accepted', prices });
    expect(await priceOf(id, requester, 20)).toMatchObject(agreed);
  });

  it('has those of the time when its author last changed it', async () => {
    const { id, requester, owner, prices } = await proposed();
    await reviseExchange(under(8, requester), { id, money: { payer: 'author', amount: '30.00' } });
    await setExchangeStatus(under(15, owner), {
      ...{ id, status: 'accepted' },
      prices: prices.map((price) => ({ ...price, amount: '30.00' })),
    });
    expect(await priceOf(id, requester, 15)).toMatchObject({ buyerTotal: '32.40', netAmount: '25.50' });
  });
});
