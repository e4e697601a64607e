import { describe, expect, test } from 'vitest';
import { openPaypalHarness } from '#server/testing/paypal-harness.ts';
import { publicIdOf } from '#server/testing/public-ids.ts';

const cad = (value: string) => ({ currency_code: 'CAD', value });

/** A capture of 31.50 with our fee of 3.00 and PayPal's of 1.21. */
async function openPaid(funding: 'balance' | 'pending' | 'bank' = 'balance') {
  const harness = await openPaypalHarness();
  const { api, sandbox } = harness;
  const paid = await harness.makePaid(7, funding);
  const capturePath = `/v2/payments/captures/${paid.chargeRef}`;
  return {
    ...harness,
    paid,
    capture: () => api.get(capturePath),
    order: () => api.get(`/v2/checkout/orders/${paid.ref}`),
    refundOf: (id: string) => api.get(`/v2/payments/refunds/${id}`),
    /** Refunds by the API, on behalf of the seller. */
    refund: (body: object = {}) => api.post(`${capturePath}/refund`, body, paid.receiver),
    payOut: () =>
      harness.provider.payOut({
        ...{ publicId: publicIdOf(7), amount: 2_850, receiver: paid.receiver },
        ...{ chargeRef: paid.chargeRef, idempotencyKey: 'payout-7' },
      }),
    eventTypes: () => sandbox.waiting().map(({ type }) => type),
  };
}

describe('a refund of a part', () => {
  test('can be repeated until nothing is left', async () => {
    const { refund, capture, order } = await openPaid();
    const part = (value: string, fee: string) => ({
      amount: cad(value),
      payment_instruction: { platform_fees: [{ amount: cad(fee) }] },
    });
    expect(await capture()).toMatchObject({
      status: 'COMPLETED',
      seller_receivable_breakdown: {
        ...{ gross_amount: cad('31.50'), paypal_fee: cad('1.21'), net_amount: cad('27.29') },
        platform_fees: [{ amount: cad('3.00') }],
      },
    });
    expect(await refund(part('10.00', '1.00'))).toMatchObject({
      status: 'COMPLETED',
      amount: cad('10.00'),
      seller_payable_breakdown: {
        ...{ gross_amount: cad('10.00'), paypal_fee: cad('0.00'), net_amount: cad('9.00') },
        ...{ platform_fees: [{ amount: cad('1.00') }], total_refunded_amount: cad('10.00') },
      },
    });
    expect(await capture()).toMatchObject({ status: 'PARTIALLY_REFUNDED', amount: cad('31.50') });
    await expect(refund(part('21.51', '0.00'))).rejects.toMatchObject({ code: 'REFUND_AMOUNT_EXCEEDED' });
    await expect(refund(part('1.00', '2.01'))).rejects.toMatchObject({ code: 'PLATFORM_FEE_EXCEEDED' });
    await expect(refund({ amount: { currency_code: 'USD', value: '1.00' } })).rejects.toMatchObject({
      code: 'REFUND_CAPTURE_CURRENCY_MISMATCH',
    });
    expect(await refund()).toMatchObject({
      amount: cad('21.50'),
      seller_payable_breakdown: {
        platform_fees: [{ amount: cad('0.00') }],
        total_refunded_amount: cad('31.50'),
      },
    });
    await expect(refund()).rejects.toMatchObject({ code: 'CAPTURE_FULLY_REFUNDED' });
    expect(await order()).toMatchObject({
      purchase_units: [
        {
          payments: {
            captures: [{ status: 'REFUNDED' }],
            refunds: [
              { amount: cad('10.00'), seller_payable_breakdown: { total_refunded_amount: cad('10.00') } },
              { amount: cad('21.50'), seller_payable_breakdown: { total_refunded_amount: cad('31.50') } },
            ],
          },
        },
      ],
    });
  });

  test('by the seller on PayPal’s pages is announced, and our fee stays with us', async () => {
    const { sandbox, paid, refundOf, capture, eventTypes } = await openPaid();
    const id = await sandbox.refund(paid.chargeRef, { amount: 1 });
    const refund = await refundOf(id);
    expect(refund).toMatchObject({
      ...{ id, status: 'COMPLETED', amount: cad('0.01'), invoice_id: `clipswap-${publicIdOf(7)}` },
      seller_payable_breakdown: { platform_fees: [{ amount: cad('0.00') }], net_amount: cad('0.01') },
    });
    expect(refund).not.toHaveProperty('custom_id');
    expect(await capture()).toMatchObject({ status: 'PARTIALLY_REFUNDED' });
    expect(eventTypes().at(-1)).toBe('PAYMENT.CAPTURE.REFUNDED');
  });

  test('lowers the payout by the seller’s share of it', async () => {
    const { sandbox, paid, refund, payOut } = await openPaid();
    await refund({
      amount: cad('10.00'),
      payment_instruction: { platform_fees: [{ amount: cad('1.00') }] },
    });
    await sandbox.refund(paid.chargeRef, { amount: 50 });
    // 27.29, less 9.00 and 0.50.
    expect(await payOut()).toMatchObject({ status: 'succeeded', amount: 1_779 });
  });
});

describe('a refund to a bank', () => {
  test('is pending first, and then reaches the buyer', async () => {
    const { sandbox, refund, refundOf, capture, eventTypes } = await openPaid('bank');
    const { id } = await refund({ amount: cad('10.00') });
    expect(await refundOf(String(id))).toMatchObject({
      ...{ status: 'PENDING', status_details: { reason: 'ECHECK' } },
    });
    expect(await capture()).toMatchObject({ status: 'PARTIALLY_REFUNDED' });
    await sandbox.settleRefund(String(id), 'COMPLETED');
    expect(await refundOf(String(id))).toMatchObject({ status: 'COMPLETED' });
    expect(eventTypes().slice(-2)).toEqual(['PAYMENT.REFUND.PENDING', 'PAYMENT.CAPTURE.REFUNDED']);
  });

  test('may fail: the capture is as before, and can be refunded again', async () => {
    const { sandbox, refund, refundOf, capture, payOut, eventTypes } = await openPaid('bank');
    const { id } = await refund();
    expect(await capture()).toMatchObject({ status: 'REFUNDED' });
    await expect(payOut()).rejects.toMatchObject({ code: 'NO_FUNDS_TO_DISBURSE' });
    await sandbox.settleRefund(String(id), 'FAILED');
    expect(await refundOf(String(id))).toMatchObject({ status: 'FAILED' });
    expect(await capture()).toMatchObject({ status: 'COMPLETED' });
    expect(eventTypes().at(-1)).toBe('PAYMENT.REFUND.FAILED');
    expect(await payOut()).toMatchObject({ amount: 2_729 });
    expect(await refund()).toMatchObject({ status: 'PENDING', amount: cad('31.50') });
  });
});
