import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { bidById, buyCoupon } from '#server/deals/bids/service.ts';
import { reconcilePayments } from '#server/money/workers/service.ts';
import { actingAs, createCoupon, createUser } from '#tests/support/builders.ts';
import { bidStatusOf, CARDS, couponOf, setUpRefusingMarket } from '#tests/support/payments.ts';
import { lapseUnpaidBids } from './reconcile.ts';

const { market, refuse } = setUpRefusingMarket();

/** A new member buys a coupon at its asking price. */
async function boughtByNewcomer(buyer?: Actor) {
  const seller = await market.readySeller(['stripe', 'paypal']);
  const coupon = await createCoupon(market.ctx, seller, { askingPrice: '10.00' });
  const newcomer = buyer ?? (await createUser(market.ctx, { establishedAt: null }));
  const { id, ...bought } = await buyCoupon(actingAs(market.ctx, newcomer), {
    couponId: coupon.id,
    expectedAmount: '10.00',
  });
  return { bid: { id, amount: 1_000, seller, buyer: newcomer, coupon }, bought };
}

const wait = async (minutes: number) => {
  market.ctx.clock.advanceDays(minutes / (24 * 60));
  await reconcilePayments(market.ctx);
};

describe('a bid of a new member that an asking price has accepted', () => {
  it('reserves for 30 minutes, also while a form is open; then the owner decides everywhere', async () => {
    const { bid, bought } = await boughtByNewcomer();
    expect(Date.parse(bought.deadlineAt ?? '') - market.ctx.clock().getTime()).toBe(30 * 60_000);
    expect(await market.textsFor(bid.buyer)).toContainEqual(
      expect.stringContaining('Please begin to pay within 30 minutes; otherwise it is cancelled.'),
    );
    await market.intentOf(bid);
    await wait(29);
    expect(await bidStatusOf(market.ctx, bid)).toBe('accepted');
    await wait(1);
    expect(await bidStatusOf(market.ctx, bid)).toBe('cancelled');
    expect(await couponOf(market.ctx, bid)).toMatchObject({ heldBy: null });
    expect(await market.textsFor(bid.seller)).toContainEqual(
      expect.stringContaining('was cancelled: its payment did not begin within 30 minutes.'),
    );
    expect((await boughtByNewcomer(bid.buyer)).bought).toMatchObject({
      status: 'pending',
      deadlineAt: expect.any(String),
    });
  });

  it.each(['card', 'paypal'] as const)(
    'has 48 hours once the buyer has committed themselves by %s',
    async (by) => {
      const { bid, bought } = await boughtByNewcomer();
      if (by === 'paypal') {
        await market.paypal.approveOrder((await market.orderOf(bid)).orderId);
      } else {
        const { clientSecret } = await market.intentOf(bid);
        await market.stripe.confirmWithCard(clientSecret, CARDS.challenge);
      }
      await wait(31);
      expect(await bidStatusOf(market.ctx, bid)).toBe('accepted');
      const { acceptedAt, beginBy, deadlineAt } = await bidById(actingAs(market.ctx, bid.buyer), bid.id);
      expect([acceptedAt, beginBy]).toEqual([bought.acceptedAt, null]);
      expect(Date.parse(deadlineAt ?? '') - Date.parse(acceptedAt ?? '')).toBe(48 * 3_600_000);
      await wait(48 * 60);
      expect(await bidStatusOf(market.ctx, bid)).toBe('cancelled');
    },
  );
});

describe('an unpaid bid', () => {
  it('ends after 48 hours, together with its intent', async () => {
    const bid = await market.acceptedBid();
    const { clientSecret } = await market.intentOf(bid);
    market.ctx.clock.advanceDays(2 - 1 / 86_400);
    await reconcilePayments(market.ctx);
    expect(await bidStatusOf(market.ctx, bid)).toBe('accepted');
    market.ctx.clock.advanceDays(1 / 86_400);
    await reconcilePayments(market.ctx);
    expect(await bidStatusOf(market.ctx, bid)).toBe('cancelled');
    expect(await market.statusOf(bid)).toBe('cancelled');
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id, heldBy: null });
    await expect(market.stripe.confirmWithCard(clientSecret, CARDS.good)).rejects.toThrow();
  });

  it('stays while the provider cannot be reached, since it may have been paid', async () => {
    const bid = await market.acceptedBid();
    await market.intentOf(bid);
    market.ctx.clock.advanceDays(2);
    refuse(/^POST \/v1\/payment_intents/);
    await lapseUnpaidBids(market.ctx);
    expect(await bidStatusOf(market.ctx, bid)).toBe('accepted');
    refuse(null);
    await lapseUnpaidBids(market.ctx);
    expect(await bidStatusOf(market.ctx, bid)).toBe('cancelled');
  });
});
