import { describe, expect, test } from 'vitest';
import { openStored } from '#sandbox/paypal/objects.ts';
import { openPaypal, payoutOf, typesOf } from './harness.ts';

/** Our adapter against the stand-in of PayPal: payouts and the list of movements. */

describe('a payout', () => {
  test('sends the seller the net of both fees, once, under whatever key', async () => {
    const { makePaid, provider } = await openPaypal();
    const paid = await makePaid();
    const payout = await provider.payOut(payoutOf(paid));
    // 31.50 minus our 3.00 and PayPal's 1.21.
    expect(payout).toMatchObject({ status: 'succeeded', amount: 2_729, receiver: paid.receiver });
    expect(await provider.payOut(payoutOf(paid, 'another'))).toEqual(payout);
    expect((await provider.readPayment(paid.ref, payout.ref))?.payouts).toEqual([payout]);
    expect((await provider.readPayment(paid.ref, 'NOSUCHITEM'))?.payouts).toEqual([]);
    expect(await provider.reversePayout({ ref: payout.ref, amount: 1, idempotencyKey: 'key' })).toBeNull();
  });

  test('waits, and then succeeds or fails', async () => {
    const { makePaid, paypal, provider } = await openPaypal();
    const paid = await makePaid();
    await paypal.changeMerchant(paid.receiver, { payouts: 'pend' });
    const waiting = await provider.payOut(payoutOf(paid));
    expect(waiting.status).toBe('pending');
    await paypal.settlePayout(waiting.ref, 'FAILED');
    const [failed] = (await provider.readPayment(paid.ref, waiting.ref))?.payouts ?? [];
    expect(failed).toMatchObject({ status: 'failed', failure: expect.stringContaining('INTERNAL_ERROR') });
    const again = await provider.payOut(payoutOf(paid, 'again'));
    await paypal.settlePayout(again.ref, 'SUCCESS');
    expect((await provider.readPayment(paid.ref, again.ref))?.payouts).toMatchObject([
      { status: 'succeeded' },
    ]);
    expect(typesOf(paypal, /PAYOUT/).map((type) => type.split('.').at(-1))).toEqual(['FAILED', 'COMPLETED']);
  });
});

describe('the list of movements', () => {
  const SALES = 301;

  /** A seller's account with many sales, `apart` milliseconds from each other, and the time that has them all. */
  async function openBusySeller({ reportLimit, apart }: { reportLimit?: number; apart: number }) {
    const harness = await openPaypal(reportLimit === undefined ? {} : { reportLimit });
    const { receiver, chargeRef } = await harness.makePaid();
    const { captures } = openStored(harness.sandboxOptions.store);
    const capture = await captures.find(chargeRef);
    const last = Date.parse(capture.createTime);
    for (let sale = 1; sale < SALES; sale += 1) {
      // A small letter is in no id of the sandbox, which makes the id of our fee's line from the end of this one.
      const id = `${chargeRef.slice(0, -4)}x${String(sale).padStart(3, '0')}`;
      await captures.put({ ...capture, id, createTime: new Date(last - sale * apart).toISOString() });
    }
    await harness.paypal.completeReports();
    const span = { from: new Date(last - SALES * apart), to: new Date(last + 1) };
    return {
      list: () => harness.provider.listMovements({ ...span, accounts: [receiver] }),
      searches: () => harness.asked.filter((line) => line.includes('/v1/reporting/transactions')).length,
    };
  }

  test.each([
    // The seller's sales and our fees on them are 602 lines, of which a page has 500.
    ['reads every page', {}, (searches: number) => searches === 3],
    [
      'halves the time of a search that finds too much',
      { reportLimit: 100 },
      (searches: number) => searches > 10,
    ],
  ])('%s, and counts nothing twice', async (_what, options, isRight) => {
    const { list, searches } = await openBusySeller({ ...options, apart: 60_000 });
    const { movements } = await list();
    const captured = movements.filter(({ kind }) => kind === 'capture');
    expect(captured.map(({ amount }) => amount)).toEqual(Array.from({ length: SALES }, () => 3_150));
    expect(new Set(captured.map(({ ref }) => ref)).size).toBe(SALES);
    expect(movements.filter(({ isOwnAccount }) => isOwnAccount)).toHaveLength(SALES);
    expect(isRight(searches())).toBe(true);
  });

  test('fails when even a minute has too much', async () => {
    const { list, searches } = await openBusySeller({ reportLimit: 100, apart: 0 });
    await expect(list()).rejects.toThrow(/Result set size/);
    expect(searches()).toBeLessThan(30);
  });
});
