import { describe, expect, test } from 'vitest';
import { NOTHING_MOVED } from '#server/providers/payments.ts';
import { publicIdOf } from '#tests/support/public-ids.ts';
import { openPaypal, payoutOf, refundOf, SITE, typesOf } from './harness.ts';

/** Our adapter against the stand-in of PayPal: every flow of sellers and payments once. */

describe('a seller', () => {
  const SELLER = { userId: 42, accountRef: null };
  async function withLink() {
    const harness = await openPaypal();
    const { url } = await harness.provider.startOnboarding(harness.person(42));
    const choose = (choice: string) => harness.browse(url, `choice=${choice}`);
    return { ...harness, url, choose, read: () => harness.provider.readAccount(SELLER) };
  }

  test('is ready after the hosted page, whose link works once', async () => {
    const { browse, choose, paypal, provider, read, url } = await withLink();
    expect(await read()).toBeNull();
    const page = await browse(url);
    expect(page.text).toContain('No real money moves');
    expect(page.text).toContain('seller-42');
    expect(page.text).not.toMatch(/<style|<script|style=/);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await choose('rich')).status).toBe(400);
    const back = await choose('ready');
    const location = new URL(back.headers.get('location') ?? '');
    expect([back.status, location.origin, location.searchParams.get('back')]).toEqual([303, SITE, '1']);
    const account = await read();
    expect(account).toEqual({
      accountRef: location.searchParams.get('merchantIdInPayPal'),
      ...{ isReady: true, paymentsReceivable: true, primaryEmailConfirmed: true, isRestricted: false },
      ...{ requirements: [], failedPayout: null },
    });
    const accountRef = account?.accountRef ?? null;
    expect(await provider.readAccount({ userId: 42, accountRef })).toEqual(account);
    expect(await provider.readAccount({ userId: 42, accountRef: 'GONE' })).toBeNull();
    expect(typesOf(paypal)).toEqual(['MERCHANT.ONBOARDING.COMPLETED']);
    expect((await choose('ready')).status).toBe(410);
    expect((await browse(url)).status).toBe(410);
  });
});

describe('an order', () => {
  test('has amount, receiver and our id, once per key, and waits for the buyer', async () => {
    const { makeOrder, paypal, provider } = await openPaypal();
    const order = await makeOrder();
    expect(order).toEqual({
      ref: expect.stringMatching(/^[A-Z0-9]{17}$/),
      publicId: publicIdOf(7),
      ...{ status: 'open', amount: 3_150, currency: 'CAD', clientSecret: null, chargeRef: null },
      receiver: expect.stringMatching(/^[2-9A-HJ-NP-Z]{13}$/),
      ...{ totals: NOTHING_MOVED, isDisputed: false, evidenceDueAt: null, payouts: [] },
      ...{ keptCard: null, failureText: null },
    });
    expect(await provider.readPayment(order.ref)).toEqual(order);
    expect((await makeOrder()).ref).toBe(order.ref);
    expect((await makeOrder(8)).ref).not.toBe(order.ref);
    const other = await paypal.finishOnboarding('seller-2');
    await expect(makeOrder(7, other)).rejects.toMatchObject({ code: 'DUPLICATE_REQUEST_ID' });
  });

  test('is refused for a seller who cannot be paid, and reads as null where there is none', async () => {
    const { capture, makeOrder, paypal, provider } = await openPaypal();
    const limited = await paypal.finishOnboarding('seller-2', { receivable: false });
    await expect(makeOrder(7, limited)).rejects.toMatchObject({ code: 'PAYEE_ACCOUNT_RESTRICTED' });
    await expect(makeOrder(8, 'NOBODY')).rejects.toMatchObject({ code: 'PAYEE_ACCOUNT_INVALID' });
    expect(await provider.readPayment('NOSUCHORDER')).toBeNull();
    await expect(capture('NOSUCHORDER')).rejects.toMatchObject({
      name: 'ProviderRefusal',
      code: 'RESOURCE_NOT_FOUND',
    });
  });
});

describe('a capture', () => {
  test('takes the money once, after the approval, under whatever key', async () => {
    const { capture, makeOrder, paypal, provider } = await openPaypal();
    const { ref } = await makeOrder();
    expect(await capture(ref)).toMatchObject({ status: 'open', chargeRef: null });
    await paypal.approveOrder(ref);
    const states = await Promise.all(['a', 'b', 'c', 'capture'].map((key) => capture(ref, key)));
    expect(new Set(states.map(({ chargeRef }) => chargeRef)).size).toBe(1);
    // 2.9 % of 31.50 and 30 cents.
    const totals = { captured: 3_150, providerFees: 121 };
    expect(states[0]).toMatchObject({ status: 'succeeded', publicId: publicIdOf(7), totals });
    expect(await provider.readPayment(ref)).toEqual(states[0]);
    expect(typesOf(paypal, /CAPTURE/)).toEqual(['PAYMENT.CAPTURE.COMPLETED']);
  });

  test.each([
    ['COMPLETED', 'succeeded', 121],
    ['DECLINED', 'failed', null],
  ] as const)('that is pending ends %s', async (outcome, status, providerFees) => {
    const { makePaid, paypal, provider } = await openPaypal();
    const pending = await makePaid(7, 'pending');
    expect(pending).toMatchObject({ status: 'processing', totals: NOTHING_MOVED });
    await expect(provider.refund(refundOf(pending))).rejects.toMatchObject({ code: 'PENDING_CAPTURE' });
    await paypal.settlePending(pending.chargeRef, outcome);
    expect(await provider.readPayment(pending.ref)).toMatchObject({ status, totals: { providerFees } });
  });

  test('of a second order for the same payment takes no money', async () => {
    const { capture, makePaid, paypal, provider } = await openPaypal();
    const { publicId, receiver } = await makePaid();
    const order = { publicId: publicId ?? '', bidId: 70, amount: 3_150, platformFee: 300, receiver };
    const key = 'a key that PayPal has forgotten meanwhile';
    const given = { ...order, currency: 'CAD' as const, description: '', idempotencyKey: key };
    const { ref } = await provider.createPayment(given);
    await paypal.approveOrder(ref);
    await expect(capture(ref, 'again')).rejects.toMatchObject({ code: 'DUPLICATE_INVOICE_ID' });
  });
});

describe('a refund', () => {
  test('returns everything once, for the seller who was paid', async () => {
    const { makePaid, paypal, provider } = await openPaypal();
    const paid = await makePaid();
    const stranger = await paypal.finishOnboarding('seller-2');
    await expect(provider.refund({ ...refundOf(paid, 'x'), receiver: stranger })).rejects.toMatchObject({
      name: 'ProviderRefusal',
      code: 'PERMISSION_DENIED',
    });
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
    expect(typesOf(paypal, /REFUND/)).toEqual(['PAYMENT.CAPTURE.REFUNDED']);
    await expect(provider.payOut(payoutOf(paid))).rejects.toMatchObject({ code: 'NO_FUNDS_TO_DISBURSE' });
  });

  test.each([
    ['COMPLETED', 3_150],
    ['FAILED', 0],
  ] as const)('to a bank is pending, and then %s', async (outcome, refunded) => {
    const { makePaid, paypal, provider } = await openPaypal();
    const paid = await makePaid(7, 'bank');
    const { ref, status } = await provider.refund(refundOf(paid));
    expect(status).toBe('pending');
    expect(await provider.readPayment(paid.ref)).toMatchObject({ totals: { refundPending: 3_150 } });
    await paypal.settleRefund(ref, outcome);
    expect(await provider.readPayment(paid.ref)).toMatchObject({ totals: { refunded, refundPending: 0 } });
    if (refunded === 0)
      expect(await provider.refund(refundOf(paid, 'again'))).toMatchObject({ status: 'pending' });
  });
});
