import { afterAll, describe, expect, it } from 'vitest';
import { bidAmountSchema } from '#contract/deals/bid-amounts.ts';
import { receiptAmounts, receiptNote } from '#contract/money/receipt-lines.ts';
import { openMarket as serveMarket } from '#server/core/market.ts';
import { readMarket } from '#server/core/market-folder.ts';
import { refreshPayment } from '#server/money/payments/service.ts';
import { receiptOf } from '#server/money/receipts/service.ts';
import { actingAs } from '#tests/support/builders.ts';
import { paymentOf, setUpMarket } from '#tests/support/payments.ts';

afterAll(() => serveMarket(readMarket(null)));

describe('a market in euros', () => {
  const market = setUpMarket({ config: { market: { ...readMarket(null), currency: 'EUR' } } });

  it.each(['stripe', 'paypal'] as const)('is paid in euros through %s, to the seller too', async (by) => {
    const bid = await market.paidBid({ by, amount: 1_000 });
    const payment = await paymentOf(market.ctx, bid);
    const provider = market.ctx.providers.payments[by];
    expect(
      await provider?.readPayment(payment.stripePaymentIntentId ?? payment.paypalOrderId ?? ''),
    ).toMatchObject({ currency: 'EUR', amount: 1_050 });
    expect(await market.textsFor(bid.buyer)).toContain(
      `You paid €10.50 EUR for “${bid.coupon.title}”. Try the code now: we hold the seller’s money for 72 hours.`,
    );
    const receipt = await receiptOf(actingAs(market.ctx, bid.buyer), { paymentId: payment.id });
    expect(receiptAmounts(receipt).at(-1)).toEqual({ name: 'You paid', amount: '10.50', isTotal: true });
    expect(receiptNote(receipt)).toMatch(/^All amounts are in euros\. /);
    await market.passDays(4);
    expect(await market.statusOf(bid)).toBe('completed');
    expect(await market.broken()).toEqual([]);
  });

  it('leaves a payment in another currency to a person', async () => {
    const bid = await market.acceptedBid({ amount: 1_000 });
    const { clientSecret } = await market.intentOf(bid);
    serveMarket(readMarket(null));
    await market.stripe.confirmWithCard(clientSecret, '4242424242424242');
    await refreshPayment(actingAs(market.ctx, bid.buyer), bid.id);
    serveMarket(market.deps.config.market);
    expect(await paymentOf(market.ctx, bid)).toMatchObject({ details: 'Its currency is EUR' });
  });
});

describe('a market in rupees', () => {
  const market = setUpMarket({ config: { market: { ...readMarket(null), currency: 'INR' } } });

  it('has limits that people of that currency would set', async () => {
    expect(bidAmountSchema.safeParse('149.99').error?.issues[0]?.message).toBe(
      'Minimum bid amount is ₹150.00 to avoid high payment processing fees',
    );
    expect(bidAmountSchema.safeParse('500000.01').error?.issues[0]?.message).toBe(
      'Maximum bid amount is ₹500,000.00',
    );
    for (const amount of [15_000, 50_000_000]) {
      const bid = await market.paidBid({ amount });
      expect(await market.statusOf(bid)).toBe('held');
    }
  });
});
