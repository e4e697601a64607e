import { describe, expect, test } from 'vitest';
import { openPaypalHarness } from '#server/testing/paypal-harness.ts';
import { publicIdOf } from '#server/testing/public-ids.ts';

const PATH = '/v1/payments/referenced-payouts-items';
const cad = (value: string) => ({ currency_code: 'CAD', value });

/** A capture of 31.50 of which PayPal holds 27.29 for the seller. */
async function openPaid() {
  const harness = await openPaypalHarness();
  const { api, sandbox } = harness;
  const paid = await harness.makePaid();
  return {
    ...harness,
    paid,
    capture: paid.chargeRef,
    payOut: () => api.post(PATH, { reference_type: 'TRANSACTION_ID', reference_id: paid.chargeRef }),
    read: (item: { item_id?: unknown }) => api.get(`${PATH}/${String(item.item_id)}`),
    lastEvent: () => sandbox.waiting().at(-1)?.type,
  };
}
const stateOf = (status: string, reason?: string) => ({
  processing_state: { status, ...(reason !== undefined && { reason }) },
});

describe('a payout item', () => {
  test('waits when the seller’s payouts wait, and then succeeds or fails', async () => {
    const { sandbox, paid, payOut, read, lastEvent } = await openPaid();
    await sandbox.changeMerchant(paid.receiver, { payouts: 'pend' });
    const item = await payOut();
    expect(item).toMatchObject({ ...stateOf('PENDING'), payout_amount: cad('27.29') });
    expect(await payOut()).toEqual(item);
    await sandbox.settlePayout(String(item.item_id), 'FAILED');
    expect(await read(item)).toMatchObject(stateOf('FAILED', 'INTERNAL_ERROR'));
    expect(lastEvent()).toBe('PAYMENT.REFERENCED-PAYOUT-ITEM.FAILED');
    const again = await payOut();
    expect(again.item_id).not.toBe(item.item_id);
    await sandbox.settlePayout(String(again.item_id), 'SUCCESS');
    expect(await read(again)).toMatchObject(stateOf('SUCCESS'));
    expect(lastEvent()).toBe('PAYMENT.REFERENCED-PAYOUT-ITEM.COMPLETED');
  });

  test('fails with the reason while the seller is limited, the payment disputed, or by chance', async () => {
    const { sandbox, paid, capture, payOut } = await openPaid();
    await sandbox.changeMerchant(paid.receiver, { isReceivable: false });
    expect(await payOut()).toMatchObject(stateOf('FAILED', 'MERCHANT_RESTRICTIONS'));
    await sandbox.changeMerchant(paid.receiver, { isReceivable: true, payouts: 'fail' });
    expect(await payOut()).toMatchObject(stateOf('FAILED', 'INTERNAL_ERROR'));
    await sandbox.changeMerchant(paid.receiver, { payouts: 'succeed' });
    const dispute = await sandbox.openDispute(capture, { amount: 1_000 });
    expect(await payOut()).toMatchObject(stateOf('FAILED', 'TRANSACTION_UNDER_DISPUTE'));
    await sandbox.closeDispute(dispute, 'lost');
    // 27.29, less the 10.00 that the dispute has taken.
    expect(await payOut()).toMatchObject({ ...stateOf('SUCCESS'), payout_amount: cad('17.29') });
  });

  test('is not needed once PayPal has paid the seller by itself', async () => {
    const { sandbox, capture, payOut } = await openPaid();
    await sandbox.disburse(capture);
    expect(await payOut()).toMatchObject(stateOf('FAILED', 'PAYOUT_ALREADY_COMPLETED_FOR_REFERENCE'));
    await expect(sandbox.disburse(capture)).rejects.toThrow('Nothing is held');
  });
});

describe('the transaction search', () => {
  const search = (days: number, more = '') => {
    const at = (ms: number) => encodeURIComponent(new Date(Date.now() + ms).toISOString());
    return `/v1/reporting/transactions?start_date=${at(-days * 86_400_000)}&end_date=${at(60_000)}${more}`;
  };

  test('shows a seller’s and our own movements, hours later', async () => {
    const { api, sandbox, paid, capture } = await openPaid();
    await api.post(
      `/v2/payments/captures/${capture}/refund`,
      { amount: cad('10.00'), payment_instruction: { platform_fees: [{ amount: cad('1.00') }] } },
      paid.receiver,
    );
    const dispute = await sandbox.openDispute(capture, { channel: 'EXTERNAL', amount: 500 });
    await sandbox.closeDispute(dispute, 'won');
    expect(await api.get(search(1), paid.receiver)).toMatchObject({
      transaction_details: [],
      total_items: 0,
    });
    await sandbox.completeReports();
    const { transaction_details: details } = await api.get(search(1), paid.receiver);
    expect(details).toMatchObject(
      [
        ['T0006', '31.50'],
        ['T0113', '-3.00'],
        ['T1107', '-9.00'],
        ['T0106', '-20.00'],
        ['T1201', '-5.00'],
        ['T1202', '5.00'],
      ].map(([code, value]) => ({
        transaction_info: {
          ...{ transaction_event_code: code, custom_field: publicIdOf(7), transaction_status: 'S' },
          ...{
            transaction_id: expect.stringMatching(/^[A-Z0-9]{17}$/),
            transaction_amount: cad(value ?? ''),
          },
        },
      })),
    );
    expect(details).toMatchObject([
      { transaction_info: { transaction_id: capture, fee_amount: cad('-1.21') } },
      {},
      {},
      {},
      {},
      {},
    ]);
    const ours = await api.get(search(1));
    expect(ours.transaction_details).toMatchObject([
      { transaction_info: { transaction_event_code: 'T0113', transaction_amount: cad('3.00') } },
      { transaction_info: { transaction_event_code: 'T1107', transaction_amount: cad('-1.00') } },
    ]);
  });

  test('has pages, and at most 31 days', async () => {
    const { api, sandbox, paid, capture } = await openPaid();
    for (const amount of [1, 2, 3]) await sandbox.refund(capture, { amount });
    await sandbox.completeReports();
    const page = (number: number) => api.get(search(30, `&page_size=2&page=${number}`), paid.receiver);
    expect(await page(1)).toMatchObject({ total_items: 5, total_pages: 3, page: 1 });
    expect(await page(2)).toMatchObject({ transaction_details: { length: 2 } });
    expect(await page(3)).toMatchObject({ transaction_details: { length: 1 }, page: 3 });
    await expect(api.get(search(32))).rejects.toMatchObject({ code: 'INVALID_PARAMETER_VALUE' });
    await expect(api.get('/v1/reporting/transactions')).rejects.toMatchObject({ name: 'ProviderRefusal' });
  });
});
