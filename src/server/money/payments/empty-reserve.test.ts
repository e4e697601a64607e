import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { protectionOf } from '#server/money/claims/protection.ts';
import { sellerDebts } from '#server/money/debts/service.ts';
import { reconcilePayments } from '#server/money/workers/service.ts';
import { actingAs } from '#tests/support/builders.ts';
import { finalSale, setUpStaff } from '#tests/support/claims.ts';
import { type AcceptedBid, couponOf, paymentOf, setUpMarket, totalsOfBid } from '#tests/support/payments.ts';
import { openClaim } from '../claims/sale-claims.ts';
import { settleDebt } from './admin.ts';

const market = setUpMarket({ config: { guarantee: { days: 7, reservePercent: 0 } } });
const staff = setUpStaff(market);

const as = (actor: Actor) => actingAs(market.ctx, actor);
const seen = (bid: AcceptedBid) => protectionOf(as(bid.buyer), bid.id);

/** A sale of 10.00 whose late claim was granted, by a seller who has nothing left at Stripe. */
async function granted() {
  const bid = await finalSale(market);
  await market.stripe.payOutToBank((await paymentOf(market.ctx, bid)).receiverAccount);
  const given = { bidId: bid.id, reason: 'The till refuses it.', shopAnswer: 'It was cancelled.' };
  await openClaim(as(bid.buyer), given);
  await staff.decide(bid);
  return bid;
}

describe('with an empty reserve', () => {
  it('names the seller alone', async () => {
    expect(await seen(await market.paidBid())).toMatchObject({ cover: { fromReserve: '0.00' } });
  });

  it('pays what there is, and the rest when the seller’s debt is covered', async () => {
    const bid = await granted();
    // The fees are ours to give back.
    expect(await seen(bid)).toMatchObject({ status: 'refunding', refunded: '1.00', waiting: '9.50' });
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.buyer.id });
    expect(await market.textsFor(bid.buyer)).toContain(
      `You got $1.00 CAD back for “${bid.coupon.title}”. The other $9.50 CAD will follow as soon as it has been paid back.`,
    );
    const debts = await sellerDebts(as(bid.seller));
    expect(debts).toMatchObject({ total: '9.50', debts: [{ way: 'payouts' }] });
    // Two parts of the same amount are two refunds.
    for (const [amount, refunded, waiting] of [
      [400, '4.80', '5.70'],
      [400, '8.60', '1.90'],
    ] as const) {
      await finalSale(market, { seller: bid.seller, amount });
      await reconcilePayments(market.ctx);
      expect(await seen(bid)).toMatchObject({ status: 'refunding', refunded, waiting });
    }
    await finalSale(market, { seller: bid.seller, amount: 600 });
    await reconcilePayments(market.ctx);
    expect(await seen(bid)).toMatchObject({ status: 'refunded', refunded: '10.50', waiting: '0.00' });
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id });
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ offset: -950, covered: 0 });
  });

  it('pays the buyer from ClipSwap’s own money when an admin writes the debt off', async () => {
    const bid = await granted();
    const { id: paymentId } = await paymentOf(market.ctx, bid);
    await settleDebt(as(staff.admin), { paymentId, how: 'written_off', reason: 'The seller is gone.' });
    await reconcilePayments(market.ctx);
    expect(await seen(bid)).toMatchObject({ status: 'refunded', refunded: '10.50' });
  });

  it('does not give the rest up after a week', async () => {
    const bid = await granted();
    await market.passDays(10);
    await market.passDays(10);
    expect(await seen(bid)).toMatchObject({ status: 'refunding', refunded: '1.00' });
    await finalSale(market, { seller: bid.seller, amount: 2_000 });
    await reconcilePayments(market.ctx);
    expect(await seen(bid)).toMatchObject({ status: 'refunded', refunded: '10.50' });
  });
});
