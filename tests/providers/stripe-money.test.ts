import { describe, expect, test } from 'vitest';
import { openStripe, refundOf, typesOf } from './harness.ts';

/** Our adapter, with Stripe's SDK in it, against the stand-in: refunds. */

describe('a refund', () => {
  test('returns the whole amount once', async () => {
    const { makePaid, provider, readPayment } = await openStripe();
    const paid = await makePaid();
    const refund = await provider.refund(refundOf(paid));
    expect(refund).toEqual({ ref: expect.stringMatching(/^re_/), status: 'succeeded', amount: 3_150 });
    expect(await provider.refund(refundOf(paid))).toEqual(refund);
    await expect(provider.refund(refundOf(paid, 'another'))).rejects.toMatchObject({
      code: 'charge_already_refunded',
    });
    expect(await readPayment(paid.ref)).toMatchObject({
      status: 'succeeded',
      totals: { captured: 3_150, refunded: 3_150, refundPending: 0, providerFees: 121 },
    });
  });

  test('in the dashboard may be of a part, until nothing is left', async () => {
    const { makePaid, provider, readPayment, stripe } = await openStripe();
    const paid = await makePaid();
    for (const amount of [1_000, 50]) await stripe.refund(paid.ref, { amount });
    expect(await readPayment(paid.ref)).toMatchObject({ totals: { refunded: 1_050 } });
    expect(typesOf(stripe).slice(-3)).toEqual(['refund.created', 'charge.refunded', 'refund.updated']);
    await expect(provider.refund(refundOf(paid))).rejects.toMatchObject({ name: 'ProviderRefusal' });
    await stripe.refund(paid.ref);
    expect(await readPayment(paid.ref)).toMatchObject({ totals: { refunded: 3_150 } });
  });

  test('may be pending first, or fail after it had succeeded, and can be made again', async () => {
    const { makePaid, provider, readPayment, stripe } = await openStripe();
    const [slow, failing] = [await makePaid(7, '4000000000007726'), await makePaid(8, '4000000000005126')];
    const pending = await provider.refund(refundOf(slow, 'slow'));
    expect(pending.status).toBe('pending');
    expect(await readPayment(slow.ref)).toMatchObject({ totals: { refunded: 0, refundPending: 3_150 } });
    await stripe.settleRefund(pending.ref, 'succeeded');
    expect(await readPayment(slow.ref)).toMatchObject({ totals: { refunded: 3_150, refundPending: 0 } });
    await stripe.settleRefund((await provider.refund(refundOf(failing))).ref, 'failed');
    expect(await readPayment(failing.ref)).toMatchObject({ totals: { refunded: 0 } });
    expect(await provider.refund(refundOf(failing, 'again'))).toMatchObject({ status: 'succeeded' });
  });

  test('is refused for what is unpaid or disputed', async () => {
    const { makePaid, makePayment, provider, stripe } = await openStripe();
    const unpaid = { ...(await makePayment(8)), chargeRef: 'ch_none', receiver: 'acct_seller' };
    await expect(provider.refund(refundOf(unpaid))).rejects.toMatchObject({ name: 'ProviderRefusal' });
    const paid = await makePaid();
    await stripe.openDispute(paid.ref);
    await expect(provider.refund(refundOf(paid, 'r'))).rejects.toMatchObject({ code: 'charge_disputed' });
  });
});
