import { describe, expect, it } from 'vitest';
import { bidStatusOf, CARDS, couponOf, setUpRefusingMarket } from '#server/testing/payments.ts';
import { lapseUnpaidBids, reconcilePayments } from './reconcile.ts';

const { market, refuse } = setUpRefusingMarket();

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

  it('is completed if the card payment succeeded unnoticed', async () => {
    const bid = await market.acceptedBid();
    const { clientSecret } = await market.intentOf(bid);
    await market.stripe.confirmWithCard(clientSecret, CARDS.good);
    market.ctx.clock.advanceDays(2.5);
    await reconcilePayments(market.ctx);
    expect(await bidStatusOf(market.ctx, bid)).toBe('completed');
    expect(await market.statusOf(bid)).toBe('held');
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
