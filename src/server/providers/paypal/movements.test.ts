import { expect, it } from 'vitest';
import { openStored } from '#server/sandbox/paypal/objects.ts';
import { openPaypalHarness } from '#server/testing/paypal-harness.ts';

const SALES = 301;
const MINUTE = 60_000;

/** A seller's account with many sales of 31.50, `apart` milliseconds from each other, and the time that has them all. */
async function openBusySeller({ reportLimit, apart }: { reportLimit?: number; apart: number }) {
  const harness = await openPaypalHarness(reportLimit === undefined ? {} : { reportLimit });
  const { receiver, chargeRef } = await harness.makePaid();
  const { captures } = openStored(harness.sandboxOptions.store);
  const capture = await captures.find(chargeRef);
  const last = Date.parse(capture.createTime);
  for (let sale = 1; sale < SALES; sale += 1) {
    const createTime = new Date(last - sale * apart).toISOString();
    await captures.put({
      ...capture,
      id: `${String(sale).padStart(4, '0')}${chargeRef.slice(4)}`,
      createTime,
    });
  }
  await harness.sandbox.completeReports();
  const span = { from: new Date(last - SALES * apart), to: new Date(last + 1) };
  return {
    list: () => harness.provider.listMovements({ ...span, accounts: [receiver] }),
    /** How many searches were made. */
    searches: () => harness.asked.filter((request) => request.includes('/v1/reporting/transactions')).length,
  };
}

async function expectEverySaleOnce({ list }: Awaited<ReturnType<typeof openBusySeller>>): Promise<void> {
  const { movements } = await list();
  const captured = movements.filter(({ kind }) => kind === 'capture');
  expect(captured.map(({ amount }) => amount)).toEqual(Array.from({ length: SALES }, () => 3_150));
  expect(new Set(captured.map(({ ref }) => ref)).size).toBe(SALES);
  // Our fees, on our own account.
  expect(movements.filter(({ isOwnAccount }) => isOwnAccount)).toHaveLength(SALES);
}

it('reads every page of a search', async () => {
  const seller = await openBusySeller({ apart: MINUTE });
  await expectEverySaleOnce(seller);
  // The seller's sales and our fees on them are 602 lines, of which a page has 500.
  expect(seller.searches()).toBe(3);
});

it('halves the time of a search that finds too much, and counts nothing twice', async () => {
  const seller = await openBusySeller({ reportLimit: 100, apart: MINUTE });
  await expectEverySaleOnce(seller);
  expect(seller.searches()).toBeGreaterThan(10);
});

it('fails when even a minute has too much', async () => {
  const seller = await openBusySeller({ reportLimit: 100, apart: 0 });
  await expect(seller.list()).rejects.toThrow(/Result set size/);
  expect(seller.searches()).toBeLessThan(30);
});
