import { describe, expect, it } from 'vitest';
import { PAYMENT_PROVIDERS, type PaymentProviderName } from '#contract/people/sellers.ts';
import { reconcilePayments, WORKERS } from '#server/money/workers/service.ts';
import { bidStatusOf, setUpMarket } from '#tests/support/payments.ts';

/** Longer than any test: only what does not wait for a provider that hangs gets on. */
const NEVER_MS = 3_600_000;

const PAYPAL = /^\/v1\/(oauth2|payments|customer|notifications)\/|^\/v2\/(checkout|payments|customer)\//;

/** The provider that keeps its answers back, and until when. */
let held: { provider: PaymentProviderName; until: Promise<null> } | null = null;

const market = setUpMarket({
  timeoutMs: NEVER_MS,
  sandbox: {
    fault: ({ path }) => (held && PAYPAL.test(path) === (held.provider === 'paypal') ? held.until : null),
  },
});

describe.each(PAYMENT_PROVIDERS)('while %s answers nothing', (hanging) => {
  const other = hanging === 'stripe' ? 'paypal' : 'stripe';

  it(`sellers are paid, and unpaid bids end, at ${other}`, async () => {
    const unpaid = { stripe: await market.acceptedBid(), paypal: await market.acceptedBid() };
    await market.intentOf(unpaid.stripe);
    await market.orderOf(unpaid.paypal);
    const plain = await market.acceptedBid();
    const sales = {
      stripe: await market.paidBid({ by: 'stripe' }),
      paypal: await market.paidBid({ by: 'paypal' }),
    };
    market.ctx.clock.advanceDays(3);

    let answer = () => {};
    const until = new Promise<null>((resolve) => {
      answer = () => resolve(null);
    });
    held = { provider: hanging, until };
    // As the jobs run them, each for itself; the second time, payouts have become due.
    const runs = [1, 2].flatMap(() => Object.entries(WORKERS));
    const stuck: Promise<number>[] = [];
    for (const [name, run] of runs) {
      if (name.endsWith(hanging)) stuck.push(run(market.ctx));
      else await run(market.ctx);
    }
    expect(await market.statusOf(sales[other])).toBe('completed');
    expect(await market.statusOf(sales[hanging])).toBe('releasing');
    expect(await bidStatusOf(market.ctx, unpaid[other])).toBe('cancelled');
    expect(await bidStatusOf(market.ctx, unpaid[hanging])).toBe('accepted');
    expect(await bidStatusOf(market.ctx, plain)).toBe('cancelled');

    held = null;
    answer();
    await Promise.all(stuck);
    await reconcilePayments(market.ctx);
    expect(await market.statusOf(sales[hanging])).toBe('completed');
    expect(await bidStatusOf(market.ctx, unpaid[hanging])).toBe('cancelled');
  });
});
