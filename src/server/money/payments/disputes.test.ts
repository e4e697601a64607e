import { describe, expect, it } from 'vitest';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import type { Actor } from '#server/context/context.ts';
import { reconcilePayments } from '#server/money/workers/service.ts';
import { actingAs } from '#tests/support/builders.ts';
import { setUpStaff } from '#tests/support/claims.ts';
import { noticesOf } from '#tests/support/exchanges.ts';
import {
  type AcceptedBid,
  bookedOf,
  couponOf,
  paymentOf,
  setUpMarket,
  totalsOfBid,
} from '#tests/support/payments.ts';
import { settling } from '#tests/support/settling.ts';
import { confirmReceipt, decideClaim, openClaim } from '../claims/sale-claims.ts';
import { findPayment } from './store.ts';

const PROVIDERS = ['stripe', 'paypal'] as const;
const MINUTE = 1 / 1_440;

const market = setUpMarket();
const staff = setUpStaff(market);

const as = (actor: Actor) => actingAs(market.ctx, actor);
const { refOf, forPerson, stateOf, balancesOf } = settling(market);

async function openDispute(bid: AcceptedBid, by: PaymentProviderName): Promise<string> {
  const { chargeRef, ref } = await stateOf(bid, by);
  return by === 'stripe' ? market.stripe.openDispute(ref) : market.paypal.openDispute(chargeRef ?? '');
}

const closeDispute = (id: string, by: PaymentProviderName, outcome: 'won' | 'lost') =>
  by === 'stripe' ? market.stripe.closeDispute(id, outcome) : market.paypal.closeDispute(id, outcome);

describe.each(PROVIDERS)('a disputed payment by %s', (by) => {
  /** The fee of the payment, and of Stripe's dispute. */
  const _costs = by === 'stripe' ? 1_560 : 60;
  const claim = async (bid: AcceptedBid) => {
    await openClaim(as(bid.buyer), { bidId: bid.id, reason: 'The code does not work.' });
    return staff.claimIdOf(bid);
  };

  it('is neither released nor refunded until the bank has decided; then the hold continues', async () => {
    const bid = await market.paidBid({ by });
    const claimId = await claim(bid);
    const dispute = await openDispute(bid, by);
    await market.deliverAll();
    expect(await paymentOf(market.ctx, bid)).toMatchObject({ status: 'held', isDisputed: true });
    const questioned = {
      code: 'payment_changed',
      message:
        'The buyer’s bank disputes this payment. We cannot pay out or refund anything until it has decided.',
    };
    await expect(confirmReceipt(as(bid.buyer), bid.id)).rejects.toMatchObject(questioned);
    const refund = { id: claimId, decision: 'refund', note: 'It is so.' } as const;
    await expect(decideClaim(as(staff.moderator), refund)).rejects.toMatchObject(questioned);
    // A release is stored and waits for the bank.
    await staff.decide(bid, 'release');
    market.ctx.clock.advanceDays(4);
    await reconcilePayments(market.ctx);
    expect(await market.statusOf(bid)).toBe('held');

    await closeDispute(dispute, by, 'won');
    await market.deliverAll();
    expect(await paymentOf(market.ctx, bid)).toMatchObject({ status: 'held', isDisputed: false });
    await reconcilePayments(market.ctx);
    expect(await market.statusOf(bid)).toBe('completed');
    expect((await noticesOf(market.ctx, bid.seller)).map(({ content }) => content)).toContain(
      `The bank has confirmed the payment for “${bid.coupon.title}”.`,
    );
  });

  it('lost after the payout: the coupon returns, and the payout is reversed if the provider can do that', async () => {
    const bid = await market.paidBid({ by });
    await confirmReceipt(as(bid.buyer), bid.id);
    const dispute = await openDispute(bid, by);
    await closeDispute(dispute, by, 'lost');
    await market.deliverAll();
    expect(await market.statusOf(bid)).toBe('charged_back');
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id, heldBy: null });
    await Promise.all([reconcilePayments(market.ctx), reconcilePayments(market.ctx)]);
    expect(await balancesOf(bid)).toEqual(
      by === 'stripe'
        ? { provider_clearing: -1_560, provider_fees: 1_560 }
        : // PayPal has no way to take it back from the seller: it is the seller's debt.
          { provider_clearing: -950, seller_payable: 890, provider_fees: 60 },
    );
  });

  it('disputed during the payout is not paid out', async () => {
    const bid = await market.paidBid({ by });
    const dispute = await openDispute(bid, by);
    // Its event has not come yet.
    expect(await confirmReceipt(as(bid.buyer), bid.id)).toMatchObject({
      status: 'releasing',
      isDisputed: true,
    });
    expect((await bookedOf(market.ctx, bid)).map(({ journal }) => journal)).not.toContain('payout');
    await closeDispute(dispute, by, 'won');
    await market.deliverAll();
    market.ctx.clock.advanceDays(2 * MINUTE);
    await reconcilePayments(market.ctx);
    expect(await market.statusOf(bid)).toBe('completed');
  });
});

describe('a dispute', () => {
  it('of a payment that is refunded already is in the books, with the bank’s fee', async () => {
    const bid = await market.paidBid();
    await market.stripe.refund(await refOf(bid), { amount: 300 });
    await market.stripe.closeDispute(await market.stripe.openDispute(await refOf(bid)), 'lost');
    await market.deliverAll();
    expect(await market.statusOf(bid)).toBe('charged_back');
    expect((await totalsOfBid(market.ctx, bid)).providerFees).toBe(1_560);
  });

  it('that is only an inquiry takes nothing, and holds the payout back until it ends', async () => {
    const bid = await market.paidBid();
    const id = await market.stripe.openDispute(await refOf(bid), { kind: 'inquiry' });
    await market.deliverAll();
    expect(await paymentOf(market.ctx, bid)).toMatchObject({ status: 'held', isDisputed: true });
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ withdrawn: 0, providerFees: 60 });
    await market.passDays(4);
    expect(await market.statusOf(bid)).toBe('held');
    await market.stripe.closeDispute(id, 'warning_closed');
    await market.deliverAll();
    await market.passDays(1);
    expect(await market.statusOf(bid)).toBe('completed');
  });

  it('that is prevented has given the money back', async () => {
    const bid = await market.paidBid();
    await market.stripe.openDispute(await refOf(bid), { kind: 'prevented' });
    await market.deliverAll();
    expect(await market.statusOf(bid)).toBe('charged_back');
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id });
  });

  it('lost and then won on appeal brings the money back into the books, and a person decides', async () => {
    const bid = await market.paidBid();
    const id = await market.stripe.openDispute(await refOf(bid));
    await market.stripe.closeDispute(id, 'lost');
    await market.deliverAll();
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ withdrawn: 1_050, lost: 1_050 });
    await market.stripe.appealDispute(id);
    await market.stripe.closeDispute(id, 'won');
    await market.deliverAll();
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ withdrawn: 0, lost: 0 });
    expect(await market.statusOf(bid)).toBe('charged_back');
    expect(await forPerson(bid)).toMatchObject([{ kind: 'review' }]);
  });

  it('lost before we knew of our own payout takes the payout back', async () => {
    const bid = await market.paidBid();
    // The process dies after the transfer: the provider has it, we do not.
    const { id, publicId, receiverAccount: receiver, stripeChargeId } = await paymentOf(market.ctx, bid);
    const given = {
      publicId,
      amount: 950,
      receiver,
      chargeRef: stripeChargeId ?? '',
      idempotencyKey: 'lost',
    };
    await market.ctx.providers.payments.stripe?.payOut(given);
    await market.stripe.closeDispute(await market.stripe.openDispute(await refOf(bid)), 'lost');
    await market.deliverAll();
    await market.passDays(1);
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({
      lost: 1_050,
      transferred: 950,
      reversed: 950,
    });
    expect(await findPayment(market.ctx.db, id)).toMatchObject({ status: 'charged_back' });
  });
});
