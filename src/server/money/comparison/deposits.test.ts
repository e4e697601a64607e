import { beforeEach, expect, it } from 'vitest';
import { openStore } from '#sandbox/store.ts';
import { openStored } from '#sandbox/stripe/objects.ts';
import type { Actor } from '#server/context/context.ts';
import { openLegClaim } from '#server/money/claims/leg-claims.ts';
import { actingAs, createTestClock } from '#tests/support/builders.ts';
import { completedWithDeposits, lookAgain } from '#tests/support/deposits.ts';
import { setUpMarket } from '#tests/support/payments.ts';
import { compareBooks } from './service.ts';

/** The providers' clocks are real. */
const clock = createTestClock(new Date());
const store = openStore();
const market = setUpMarket({ clock, sandbox: { store } });
const stripe = openStored(store);
const as = (who: Actor) => actingAs(market.ctx, who);

beforeEach(() => clock.set(new Date()));

async function compare() {
  const now = clock().getTime();
  const span = { from: new Date(now - 86_400_000), to: new Date(now + 86_400_000) };
  return compareBooks(market.ctx, 'stripe', span);
}

it('knows what moved for deposits, and tells where a provider’s books differ', async () => {
  const swap = await completedWithDeposits(market);
  await openLegClaim(as(swap.requester), {
    ...{ exchangeId: swap.id, couponId: swap.requested.id, reason: 'The till did not take it.' },
  });
  await lookAgain(market);
  expect(await compare()).toMatchObject({ differences: [], foreign: [], undecided: 0 });
  const [charge] = (await stripe.balanceTransactions.list()).filter(({ amount }) => amount === 1_000);
  if (!charge) throw new Error('Nothing was captured');
  await stripe.balanceTransactions.put({ ...charge, amount: 900 });
  expect(await compare()).toMatchObject({
    differences: [{ kind: 'capture', ours: 1_000, theirs: 900, paymentId: null }],
    foreign: [],
  });
  await stripe.balanceTransactions.put(charge);
  expect(await compare()).toMatchObject({ differences: [], closed: 1 });
});
