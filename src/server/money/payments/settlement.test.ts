import { describe, expect, it } from 'vitest';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import type { Actor } from '#server/context/context.ts';
import { reconcilePayments } from '#server/money/workers/service.ts';
import { actingAs } from '#tests/support/builders.ts';
import { setUpStaff } from '#tests/support/claims.ts';
import { noticesOf } from '#tests/support/exchanges.ts';
import { type AcceptedBid, bidStatusOf, couponOf, setUpMarket } from '#tests/support/payments.ts';
import { settling } from '#tests/support/settling.ts';
import { openClaim } from '../claims/sale-claims.ts';
import { lapseUnpaidBids } from './reconcile.ts';

const PROVIDERS = ['stripe', 'paypal'] as const;

const market = setUpMarket();
const staff = setUpStaff(market);

const as = (actor: Actor) => actingAs(market.ctx, actor);
const { providerOf, refsOf, stateOf, paidUnheard, balancesOf } = settling(market);

/** Refunds the payment at the provider itself. */
async function refundThere(bid: AcceptedBid, by: PaymentProviderName) {
  const { id, publicId, ref, receiver } = await refsOf(bid);
  const { chargeRef, amount } = await stateOf(bid, by);
  await providerOf(by).refund({
    publicId,
    ref,
    chargeRef: chargeRef ?? '',
    receiver,
    amount,
    platformFee: 100,
    idempotencyKey: `by-hand-${id}`,
  });
}

it('a payment that arrives for a cancelled bid is refunded at once', async () => {
  const bid = await market.acceptedBid();
  // PayPal cannot cancel an order.
  const { orderId: ref } = await market.orderOf(bid);
  market.ctx.clock.advanceDays(2);
  await lapseUnpaidBids(market.ctx);
  expect(await bidStatusOf(market.ctx, bid)).toBe('cancelled');
  await market.paypal.approveOrder(ref);
  const idempotencyKey = `late-${bid.id}`;
  await providerOf('paypal').capturePayment({ ref, receiver: 'MERCHANT', idempotencyKey });
  await market.deliverAll();
  expect(await market.statusOf(bid)).toBe('refunding');
  expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id, heldBy: null });
  expect((await noticesOf(market.ctx, bid.buyer)).at(-1)?.content).toMatch(
    /arrived when the coupon was no longer for sale\. You are getting all of it back\.$/,
  );
  await reconcilePayments(market.ctx);
  expect(await market.statusOf(bid)).toBe('refunded');
  expect(await balancesOf(bid)).toEqual({ provider_clearing: -60, provider_fees: 60 });
});

describe.each(PROVIDERS)('a payment by %s', (by) => {
  it("that was refunded on the provider's own pages is undone here", async () => {
    const bid = await market.paidBid({ by });
    await openClaim(as(bid.buyer), { bidId: bid.id, reason: 'The code does not work.' });
    await refundThere(bid, by);
    await market.deliverAll();
    expect(await market.statusOf(bid)).toBe('refunded');
    expect(await couponOf(market.ctx, bid)).toEqual({
      ownerId: bid.seller.id,
      isActive: false,
      heldBy: null,
    });
    expect(await staff.claimOf(bid)).toBeUndefined();
  });

  it('that was paid and refunded before the first event leaves the coupon with the seller', async () => {
    const bid = await paidUnheard(by);
    await refundThere(bid, by);
    await market.deliverAll();
    expect(await market.statusOf(bid)).toBe('refunded');
    expect(await couponOf(market.ctx, bid)).toEqual({
      ownerId: bid.seller.id,
      isActive: false,
      heldBy: null,
    });
    expect(await balancesOf(bid)).toEqual({ provider_clearing: -60, provider_fees: 60 });
  });
});
