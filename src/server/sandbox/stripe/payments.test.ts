import { describe, expect, test } from 'vitest';
import { NOTHING_MOVED } from '#server/providers/payments.ts';
import { publicIdOf } from '#server/testing/public-ids.ts';
import { openStripeHarness } from '#server/testing/stripe-harness.ts';
import { startStripeSandbox } from './server.ts';

describe('a payment', () => {
  test('has the amount, the receiver and our id, and is open', async () => {
    const { makePayment, provider, stripe } = await openStripeHarness();
    const payment = await makePayment();
    expect(payment).toEqual({
      ref: expect.stringMatching(/^pi_\w{20,}$/),
      publicId: publicIdOf(7),
      status: 'open',
      amount: 3_150,
      currency: 'CAD',
      receiver: 'acct_seller',
      clientSecret: expect.stringMatching(/^pi_\w+_secret_\w+$/),
      chargeRef: null,
      totals: NOTHING_MOVED,
      isDisputed: false,
      evidenceDueAt: null,
      payouts: [],
      keptCard: null,
      failureText: null,
    });
    expect(await provider.readPayment(payment.ref)).toEqual(payment);
    const { transfer_group, metadata, transfer_data, description } = await stripe.paymentIntents.retrieve(
      payment.ref,
    );
    expect({ transfer_group, metadata, transfer_data, description }).toEqual({
      transfer_group: `payment_${publicIdOf(7)}`,
      metadata: { payment_id: publicIdOf(7), bid_id: '70', receiver: 'acct_seller' },
      transfer_data: undefined,
      description: 'Ten percent off',
    });
  });

  test('is created once for one key, and the replay shows its current status', async () => {
    const { makePayment, sandbox } = await openStripeHarness();
    const first = await makePayment();
    await sandbox.confirmWithCard(first.clientSecret, '4242424242424242');
    const second = await makePayment();
    expect(second).toMatchObject({ ref: first.ref, status: 'succeeded' });
    expect((await makePayment(8)).ref).not.toBe(first.ref);
  });

  test('unknown to Stripe reads as null', async () => {
    const { provider } = await openStripeHarness();
    expect(await provider.readPayment('pi_nothing')).toBeNull();
    await expect(
      provider.capturePayment({ ref: 'pi_nothing', receiver: 'MERCHANT', idempotencyKey: 'key' }),
    ).rejects.toMatchObject({
      name: 'ProviderRefusal',
      code: 'resource_missing',
    });
  });

  test('below the minimum amount is refused', async () => {
    const { provider, orderOf } = await openStripeHarness();
    await expect(provider.createPayment({ ...orderOf(), amount: 49 })).rejects.toMatchObject({
      name: 'ProviderRefusal',
      code: 'amount_too_small',
    });
  });

  test('survives a restart of the sandbox', async () => {
    const { makePaid, provider, sandbox, sandboxOptions, settings } = await openStripeHarness();
    const paid = await makePaid();
    await sandbox.close();
    await expect(provider.readPayment(paid.ref)).rejects.toMatchObject({ name: 'ProviderUnreachable' });
    const again = await startStripeSandbox(sandboxOptions);
    const { createStripeProvider } = await import('#server/providers/stripe/stripe.ts');
    const api = { ...settings.api, port: Number(new URL(again.url).port) };
    expect(await createStripeProvider({ ...settings, api }).readPayment(paid.ref)).toEqual(paid);
    await again.close();
  });
});

describe('paying', () => {
  test("returns the charge and Stripe's fee of 2.9 % + 30 cents", async () => {
    const { makePaid, provider } = await openStripeHarness();
    const paid = await makePaid();
    expect(paid).toMatchObject({ chargeRef: expect.stringMatching(/^ch_/), totals: { providerFees: 121 } });
    expect(
      await provider.capturePayment({ ref: paid.ref, receiver: 'MERCHANT', idempotencyKey: 'key' }),
    ).toEqual(paid);
  });

  test.each([
    ['4242 4242 4242 4242', 'succeeded', null],
    ['4000000000000077', 'succeeded', null],
    ['5555555555554444', 'succeeded', null],
    ['4000000000000002', 'open', 'Your card was declined.'],
    ['4000000000009995', 'open', 'Your card has insufficient funds.'],
    ['4000000000000069', 'open', 'Your card has expired.'],
    ['4000000000000127', 'open', "Your card's security code is incorrect."],
    ['4000000000000119', 'open', 'An error occurred while processing your card. Try again in a little bit.'],
    ['4000002500003155', 'requires_action', null],
    ['4000000000003220', 'requires_action', null],
    ['4000000000003006', 'processing', null],
    ['4000000000000259', 'succeeded', null],
  ])('with %s: %s', async (number, status, failureText) => {
    const { makePayment, provider, sandbox } = await openStripeHarness();
    const { ref, clientSecret } = await makePayment();
    await sandbox.confirmWithCard(clientSecret, number);
    const chargeRef = status === 'succeeded' ? expect.stringMatching(/^ch_/) : null;
    expect(await provider.readPayment(ref)).toMatchObject({ status, failureText, chargeRef });
  });

  test('works with another card after a declined one', async () => {
    const { makePayment, provider, sandbox } = await openStripeHarness();
    const { ref, clientSecret } = await makePayment();
    expect(await sandbox.confirmWithCard(clientSecret, '4000000000000002')).toBe('requires_payment_method');
    expect(await sandbox.confirmWithCard(clientSecret, '5555555555554444')).toBe('succeeded');
    expect(await provider.readPayment(ref)).toMatchObject({ status: 'succeeded', failureText: null });
    await expect(sandbox.confirmWithCard(clientSecret, '4242424242424242')).rejects.toThrow('succeeded');
  });

  test('can be processing first and succeed later', async () => {
    const { makePayment, provider, sandbox } = await openStripeHarness();
    const { ref, clientSecret } = await makePayment();
    await sandbox.confirmWithCard(clientSecret, '4000000000003006');
    await sandbox.finishProcessing(ref);
    expect(await provider.readPayment(ref)).toMatchObject({
      status: 'succeeded',
      totals: { providerFees: 121 },
    });
  });
});

describe('cancelling', () => {
  test('makes paying impossible, and can be repeated', async () => {
    const { makePayment, provider, sandbox } = await openStripeHarness();
    const { ref, clientSecret } = await makePayment();
    expect(await provider.cancelPayment(ref, 'cancel-1')).toMatchObject({ ref, status: 'cancelled' });
    expect(await provider.cancelPayment(ref, 'cancel-1')).toMatchObject({ status: 'cancelled' });
    expect(await provider.cancelPayment(ref, 'cancel-2')).toMatchObject({ status: 'cancelled' });
    await expect(sandbox.confirmWithCard(clientSecret, '4242424242424242')).rejects.toThrow('canceled');
  });

  test.each([
    ['4242424242424242', 'succeeded'],
    ['4000000000003006', 'processing'],
  ])('a payment with %s returns it unchanged: %s', async (number, status) => {
    const { makePayment, provider, sandbox } = await openStripeHarness();
    const { ref, clientSecret } = await makePayment();
    await sandbox.confirmWithCard(clientSecret, number);
    expect(await provider.cancelPayment(ref, 'cancel-1')).toMatchObject({ ref, status });
  });
});

describe('a refund', () => {
  const refundOf = (paid: { ref: string; chargeRef: string; receiver: string }, idempotencyKey: string) => ({
    ...{ publicId: publicIdOf(7), ref: paid.ref, chargeRef: paid.chargeRef, receiver: paid.receiver },
    ...{ amount: 3_150, platformFee: 300, idempotencyKey },
  });

  test('returns the whole amount once', async () => {
    const { makePaid, provider, stripe } = await openStripeHarness();
    const paid = await makePaid();
    const refund = await provider.refund(refundOf(paid, 'refund-1'));
    expect(refund).toEqual({ ref: expect.stringMatching(/^re_/), status: 'succeeded', amount: 3_150 });
    expect(await provider.refund(refundOf(paid, 'refund-1'))).toEqual(refund);
    await expect(provider.refund(refundOf(paid, 'refund-2'))).rejects.toMatchObject({
      code: 'charge_already_refunded',
    });
    expect((await stripe.refunds.list({ payment_intent: paid.ref })).data).toHaveLength(1);
    expect(await provider.readPayment(paid.ref)).toMatchObject({
      status: 'succeeded',
      totals: { captured: 3_150, refunded: 3_150, refundPending: 0 },
    });
  });

  test('of an unpaid payment is refused', async () => {
    const { makePayment, provider } = await openStripeHarness();
    const { ref } = await makePayment();
    await expect(
      provider.refund(refundOf({ ref, chargeRef: 'ch_none', receiver: 'acct_seller' }, 'refund-1')),
    ).rejects.toMatchObject({ name: 'ProviderRefusal' });
  });

  test('of a disputed payment is refused', async () => {
    const { makePaid, provider, sandbox } = await openStripeHarness();
    const paid = await makePaid();
    await sandbox.openDispute(paid.ref);
    await expect(provider.refund(refundOf(paid, 'refund-1'))).rejects.toMatchObject({
      code: 'charge_disputed',
    });
  });
});

describe('a dispute', () => {
  test.each(['won', 'lost'] as const)('opens and is %s', async (outcome) => {
    const { makePaid, provider, sandbox } = await openStripeHarness();
    const paid = await makePaid();
    expect(paid).toMatchObject({ isDisputed: false, totals: { withdrawn: 0 } });
    const ref = await sandbox.openDispute(paid.ref);
    expect(await provider.readPayment(paid.ref)).toMatchObject({
      isDisputed: true,
      totals: { withdrawn: 3_150, lost: 0 },
    });
    await sandbox.closeDispute(ref, outcome);
    const taken = outcome === 'lost' ? 3_150 : 0;
    const state = await provider.readPayment(paid.ref);
    expect(state).toMatchObject({ isDisputed: false, totals: { withdrawn: taken, lost: taken } });
    // The bank's fee is gone whoever wins.
    expect(state?.totals.providerFees).toBe((paid.totals.providerFees ?? 0) + 1_500);
  });

  test('opens by itself with the test card for disputes', async () => {
    const { makePaid } = await openStripeHarness();
    expect(await makePaid(7, '4000000000000259')).toMatchObject({ isDisputed: true });
  });
});
