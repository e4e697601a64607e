import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings } from '#sandbox/main.ts';
import { openStore, type SandboxStore } from '#sandbox/store.ts';
import { openStored } from '#sandbox/stripe/objects.ts';
import { utcDay } from '#server/core/clock.ts';
import { createTestClock, TEST_SECRET_KEY } from '#tests/support/builders.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { type AcceptedBid, type Market, openMarket, paymentOf } from '#tests/support/payments.ts';
import { runScript, withoutLimits } from '../processes.ts';

/** `npm run reconcile`, as an operator runs it beside the running marketplace. */

let database: TestDatabase;
let store: SandboxStore;
let market: Market;
let sale: AcceptedBid;
beforeAll(async () => {
  database = await createTestDatabase();
  store = openStore();
  // The programs' clocks, and those of the providers, are real.
  market = await openMarket({ database, clock: createTestClock(new Date()), sandbox: { store } });
  const seller = await market.readySeller();
  sale = await market.paidBid({ seller });
  await market.paidBid({ seller, by: 'paypal' });
  await market.paypal.completeReports();
});
afterAll(async () => {
  await market?.close();
});

/** Compares these days, by default a month that ends tomorrow: midnight may pass meanwhile. */
function reconcile(from?: string, to?: string) {
  const day = (days: number) => utcDay(new Date(Date.now() + days * 86_400_000));
  return runScript('reconcile', ['--from', from ?? day(-30), '--to', to ?? day(1)], {
    ...sandboxSettings(market.sandbox?.url ?? ''),
    NODE_ENV: 'development',
    SEED_DEMO: 'false',
    DATABASE_URL: withoutLimits(database.url),
    SECRET_KEY: TEST_SECRET_KEY.toString('base64'),
  });
}

const openDifferences = () =>
  market.ctx.db
    .selectFrom('reconciliationDifferences')
    .select(['provider', 'kind', 'ours', 'theirs'])
    .where('closedAt', 'is', null)
    .execute();

it('ends with 0 where the books of both providers are ours', async () => {
  const { code, said } = await reconcile();
  expect(said).toBe('stripe: 1 payments, 0 differences.\npaypal: 1 payments, 0 differences.\n');
  expect(code).toBe(0);
});

it('ends with 1 where a cent is missing, prints it, and keeps it for the tab Money', async () => {
  const { id, stripeChargeId, publicId } = await paymentOf(market.ctx, sale);
  const { balanceTransactions } = openStored(store);
  const booking = (await balanceTransactions.list()).find(({ source }) => source === stripeChargeId);
  if (!booking) throw new Error('It is not booked');
  await balanceTransactions.put({ ...booking, amount: 1_049 });
  expect(await reconcile()).toEqual({
    code: 1,
    said: [
      'stripe: 1 payments, 1 differences.',
      `  ${publicId}:capture (payment ${id}): capture is another amount: ours 10.50, theirs 10.49`,
      'paypal: 1 payments, 0 differences.\n',
    ].join('\n'),
  });
  expect(await openDifferences()).toEqual([
    { provider: 'stripe', kind: 'capture', ours: '10.50', theirs: '10.49' },
  ]);
  await balanceTransactions.put(booking);
  expect(await reconcile()).toMatchObject({ code: 0 });
  expect(await openDifferences()).toEqual([]);
});

it('ends with 1 and says how it is used for days that are none', async () => {
  expect(await reconcile('yesterday')).toEqual({
    code: 1,
    said: 'Usage: npm run reconcile -- --from 2026-11-01 --to 2026-11-21\n',
  });
});
