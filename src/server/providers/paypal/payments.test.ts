import { describe, expect, test } from 'vitest';
import { NOTHING_MOVED } from '#server/providers/payments.ts';
import { startPaypalSandbox } from '#server/sandbox/paypal/server.ts';
import { openPaypalHarness } from '#server/testing/paypal-harness.ts';
import { publicIdOf } from '#server/testing/public-ids.ts';
import { createPaypalProvider } from './paypal.ts';

function refundOf(paid: { ref: string; chargeRef: string; receiver: string }, idempotencyKey = 'refund-7') {
  const { ref, chargeRef, receiver } = paid;
  return {
    publicId: publicIdOf(7),
    ref,
    chargeRef,
    receiver,
    amount: 3_150,
    platformFee: 300,
    idempotencyKey,
  };
}

function payoutOf(paid: { chargeRef: string; receiver: string }, idempotencyKey = 'payout-7') {
  const { chargeRef, receiver } = paid;
  return { publicId: publicIdOf(7), amount: 2_850, receiver, chargeRef, idempotencyKey };
}

describe('an order', () => {
  test('has amount, receiver and our id, and waits for the buyer', async () => {
    const { makeOrder, provider, sandbox } = await openPaypalHarness();
    const order = await makeOrder();
    expect(order).toEqual({
      ref: expect.stringMatching(/^[A-Z0-9]{17}$/),
      publicId: publicIdOf(7),
      status: 'open',
      amount: 3_150,
      currency: 'CAD',
      receiver: await sandbox.finishOnboarding(1),
      clientSecret: null,
      chargeRef: null,
      totals: NOTHING_MOVED,
      isDisputed: false,
      evidenceDueAt: null,
      payouts: [],
      keptCard: null,
      failureText: null,
    });
    expect(await provider.readPayment(order.ref)).toEqual(order);
  });

  test('is created once per key', async () => {
    const { makeOrder } = await openPaypalHarness();
    const [first, second] = [await makeOrder(), await makeOrder()];
    expect(second.ref).toBe(first.ref);
    expect((await makeOrder(8)).ref).not.toBe(first.ref);
  });

  test('refuses a key that was used for another request', async () => {
    const { makeOrder, sandbox } = await openPaypalHarness();
    await makeOrder();
    const other = await sandbox.finishOnboarding(2);
    await expect(makeOrder(7, other)).rejects.toMatchObject({ code: 'DUPLICATE_REQUEST_ID' });
  });

  test('that PayPal does not know reads as null', async () => {
    const { provider } = await openPaypalHarness();
    expect(await provider.readPayment('NOSUCHORDER')).toBeNull();
    await expect(
      provider.capturePayment({ ref: 'NOSUCHORDER', receiver: 'MERCHANT', idempotencyKey: 'key' }),
    ).rejects.toMatchObject({
      name: 'ProviderRefusal',
      code: 'RESOURCE_NOT_FOUND',
    });
  });

  test('is refused for a seller who cannot be paid', async () => {
    const { makeOrder, sandbox } = await openPaypalHarness();
    const limited = await sandbox.finishOnboarding(2, { receivable: false });
    await expect(makeOrder(7, limited)).rejects.toMatchObject({ code: 'PAYEE_ACCOUNT_RESTRICTED' });
    await expect(makeOrder(8, 'NOBODY')).rejects.toMatchObject({ code: 'PAYEE_ACCOUNT_INVALID' });
  });

  test('survives a restart of the sandbox', async () => {
    const { makePaid, sandboxOptions, settings } = await openPaypalHarness();
    const paid = await makePaid();
    const next = await startPaypalSandbox(sandboxOptions);
    try {
      const provider = createPaypalProvider({ ...settings, apiBase: next.url });
      expect(await provider.readPayment(paid.ref)).toEqual(paid);
    } finally {
      await next.close();
    }
  });
});

describe('capturing', () => {
  test('takes the money after the approval, and reports PayPal’s fee', async () => {
    const { makeOrder, provider, sandbox } = await openPaypalHarness();
    const order = await makeOrder();
    expect(
      await provider.capturePayment({ ref: order.ref, receiver: 'MERCHANT', idempotencyKey: 'capture' }),
    ).toMatchObject({
      status: 'open',
      chargeRef: null,
    });
    await sandbox.approveOrder(order.ref);
    const paid = await provider.capturePayment({
      ref: order.ref,
      receiver: 'MERCHANT',
      idempotencyKey: 'capture',
    });
    // 2.9 % of 31.50 and 30 cents.
    expect(paid).toMatchObject({
      status: 'succeeded',
      amount: 3_150,
      publicId: publicIdOf(7),
      totals: { captured: 3_150, providerFees: 121 },
    });
    expect(await provider.readPayment(order.ref)).toEqual(paid);
  });

  test('returns the existing capture, under the same key and another', async () => {
    const { makePaid, provider } = await openPaypalHarness();
    const paid = await makePaid();
    expect(
      await provider.capturePayment({ ref: paid.ref, receiver: 'MERCHANT', idempotencyKey: 'capture-7' }),
    ).toEqual(paid);
    expect(
      await provider.capturePayment({ ref: paid.ref, receiver: 'MERCHANT', idempotencyKey: 'another' }),
    ).toEqual(paid);
  });

  test('takes the money once when called twice in parallel', async () => {
    const { makeOrder, provider, sandbox } = await openPaypalHarness();
    const order = await makeOrder();
    await sandbox.approveOrder(order.ref);
    const states = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        provider.capturePayment({ ref: order.ref, receiver: 'MERCHANT', idempotencyKey: `capture-${index}` }),
      ),
    );
    expect(new Set(states.map(({ chargeRef }) => chargeRef)).size).toBe(1);
    const types = sandbox.waiting().map(({ type }) => type);
    expect(types.filter((type) => type === 'PAYMENT.CAPTURE.COMPLETED')).toHaveLength(1);
  });

  test('leaves the order open after a declined card, so that the buyer can try another', async () => {
    const { makeOrder, provider, sandbox } = await openPaypalHarness();
    const order = await makeOrder();
    await sandbox.approveOrder(order.ref, 'declined');
    const declined = await provider.capturePayment({
      ref: order.ref,
      receiver: 'MERCHANT',
      idempotencyKey: 'capture',
    });
    expect(declined).toMatchObject({ status: 'open', chargeRef: null });
    expect(declined.failureText).toMatch(/choose another way/);
    await sandbox.approveOrder(order.ref);
    expect(
      await provider.capturePayment({ ref: order.ref, receiver: 'MERCHANT', idempotencyKey: 'capture' }),
    ).toMatchObject({
      status: 'succeeded',
      failureText: null,
    });
  });

  test.each([
    ['COMPLETED', 'succeeded', 121],
    ['DECLINED', 'failed', null],
  ] as const)('a pending capture that ends %s', async (outcome, status, providerFees) => {
    const { makePaid, provider, sandbox } = await openPaypalHarness();
    const pending = await makePaid(7, 'pending');
    expect(pending).toMatchObject({ status: 'processing', totals: NOTHING_MOVED });
    await sandbox.settlePending(pending.chargeRef, outcome);
    expect(await provider.readPayment(pending.ref)).toMatchObject({
      status,
      totals: { providerFees },
    });
  });

  test('a second order for the same payment takes no money', async () => {
    const { makePaid, provider, sandbox } = await openPaypalHarness();
    const paid = await makePaid();
    const { ref } = await provider.createPayment({
      publicId: publicIdOf(7),
      bidId: 5,
      amount: 3_150,
      platformFee: 300,
      currency: 'CAD',
      receiver: paid.receiver,
      description: '',
      idempotencyKey: 'a key that PayPal has forgotten meanwhile',
    });
    await sandbox.approveOrder(ref);
    await expect(
      provider.capturePayment({ ref: ref, receiver: 'MERCHANT', idempotencyKey: 'again' }),
    ).rejects.toMatchObject({
      code: 'DUPLICATE_INVOICE_ID',
    });
  });
});

describe('cancelling', () => {
  test('cancels an unpaid order, and returns a paid one as it is', async () => {
    const { makeOrder, makePaid, provider } = await openPaypalHarness();
    const order = await makeOrder(8);
    expect(await provider.cancelPayment(order.ref, 'cancel')).toMatchObject({ status: 'cancelled' });
    const paid = await makePaid();
    expect(await provider.cancelPayment(paid.ref, 'cancel')).toEqual(paid);
    const pending = await makePaid(9, 'pending');
    expect(await provider.cancelPayment(pending.ref, 'cancel')).toMatchObject({ status: 'processing' });
  });
});

describe('refunding', () => {
  test('returns everything once', async () => {
    const { makePaid, provider, sandbox } = await openPaypalHarness();
    const paid = await makePaid();
    const refund = await provider.refund(refundOf(paid));
    expect(refund).toMatchObject({ status: 'succeeded', amount: 3_150 });
    expect(await provider.refund(refundOf(paid))).toEqual(refund);
    await expect(provider.refund(refundOf(paid, 'another'))).rejects.toMatchObject({
      code: 'CAPTURE_FULLY_REFUNDED',
    });
    expect(await provider.readPayment(paid.ref)).toMatchObject({
      status: 'succeeded',
      totals: { captured: 3_150, refunded: 3_150, feesRefunded: 300, providerFees: 121 },
    });
    const refunds = sandbox.waiting().filter(({ type }) => type === 'PAYMENT.CAPTURE.REFUNDED');
    expect(refunds).toHaveLength(1);
  });

  test('acts for the seller who was paid', async () => {
    const { makePaid, provider, sandbox } = await openPaypalHarness();
    const paid = await makePaid();
    const stranger = await sandbox.finishOnboarding(2);
    const refund = provider.refund({ ...refundOf(paid), receiver: stranger });
    await expect(refund).rejects.toMatchObject({ name: 'ProviderRefusal', code: 'PERMISSION_DENIED' });
    expect(await provider.readPayment(paid.ref)).toMatchObject({ totals: { refunded: 0 } });
  });

  test('a pending capture cannot be refunded', async () => {
    const { makePaid, provider } = await openPaypalHarness();
    const pending = await makePaid(7, 'pending');
    await expect(provider.refund(refundOf(pending))).rejects.toMatchObject({ code: 'PENDING_CAPTURE' });
  });
});

describe('paying out', () => {
  test('sends the seller the net of both fees, once, under whatever key', async () => {
    const { makePaid, provider } = await openPaypalHarness();
    const paid = await makePaid();
    const payout = await provider.payOut(payoutOf(paid));
    // 31.50 minus our 3.00 and PayPal's 1.21.
    expect(payout).toMatchObject({ status: 'succeeded', amount: 2_729, receiver: paid.receiver });
    expect(await provider.payOut(payoutOf(paid, 'another'))).toEqual(payout);
    expect((await provider.readPayment(paid.ref, payout.ref))?.payouts).toEqual([payout]);
    expect((await provider.readPayment(paid.ref, 'NOSUCHITEM'))?.payouts).toEqual([]);
    expect(await provider.reversePayout({ ref: payout.ref, amount: 1, idempotencyKey: 'key' })).toBeNull();
  });

  test('does not pay out a refunded payment', async () => {
    const { makePaid, provider } = await openPaypalHarness();
    const paid = await makePaid();
    await provider.refund(refundOf(paid));
    await expect(provider.payOut(payoutOf(paid))).rejects.toMatchObject({ code: 'NO_FUNDS_TO_DISBURSE' });
  });
});

describe('a dispute', () => {
  test.each(['won', 'lost'] as const)('that ends %s', async (outcome) => {
    const { makePaid, provider, sandbox } = await openPaypalHarness();
    const paid = await makePaid();
    const ref = await sandbox.openDispute(paid.chargeRef);
    expect(await provider.readPayment(paid.ref)).toMatchObject({ isDisputed: true, totals: { lost: 0 } });
    await sandbox.closeDispute(ref, outcome);
    const taken = outcome === 'lost' ? 3_150 : 0;
    expect(await provider.readPayment(paid.ref)).toMatchObject({
      isDisputed: false,
      totals: { withdrawn: taken, lost: taken },
    });
  });

  test('counts beside others', async () => {
    const { makePaid, provider, sandbox } = await openPaypalHarness();
    const paid = await makePaid();
    await sandbox.closeDispute(await sandbox.openDispute(paid.chargeRef), 'won');
    await sandbox.openDispute(paid.chargeRef);
    expect(await provider.readPayment(paid.ref)).toMatchObject({ isDisputed: true });
  });
});
