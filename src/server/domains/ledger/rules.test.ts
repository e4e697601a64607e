import { describe, expect, it } from 'vitest';
import { DEFAULT_FEE_RATES, feesOf, MIN_BID_CENTS } from '#contract/fees.ts';
import { type BookedPayment, entriesOf, JOURNAL_KINDS, type JournalKind, payoutOf } from './rules.ts';

function paymentOf(amount: number, given: Partial<BookedPayment> = {}): BookedPayment {
  const { buyerTotal, netAmount, platformFee } = feesOf(amount, DEFAULT_FEE_RATES);
  const providerFee = Math.floor((buyerTotal * 29 + 500) / 1_000) + 30;
  return {
    id: 1,
    provider: 'stripe',
    receiverId: 7,
    buyerTotal,
    netAmount,
    platformFee,
    providerFee,
    ...given,
  };
}

const PROVIDERS = ['stripe', 'paypal'] as const;

/** The balance that these journals leave on each kind of account, zeros left out. */
function leftOver(payment: BookedPayment, kinds: readonly JournalKind[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { account, amount } of kinds.flatMap((kind) => entriesOf(kind, payment))) {
    sums[account.kind] = (sums[account.kind] ?? 0) + amount;
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}

describe('journals', () => {
  it('add up to zero, for every kind and every bid from 3.00 to 2,000.00', () => {
    const wrong = [];
    for (let amount = MIN_BID_CENTS; amount <= 200_000; amount += 1) {
      for (const provider of PROVIDERS) {
        for (const providerFee of [undefined, null]) {
          const payment = paymentOf(amount, { provider, ...(providerFee === null && { providerFee }) });
          for (const kind of JOURNAL_KINDS) {
            const sum = entriesOf(kind, payment).reduce((total, entry) => total + entry.amount, 0);
            if (sum !== 0) wrong.push({ amount, provider, providerFee, kind, sum });
          }
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('have no zero entries', () => {
    const payment = paymentOf(1_000, { providerFee: 0 });
    expect(entriesOf('provider_fee', payment)).toEqual([]);
    expect(entriesOf('refund', payment)).toHaveLength(3);
  });

  it("book Stripe's fee as ClipSwap's cost and take PayPal's from the seller", () => {
    expect(payoutOf(paymentOf(1_000, { providerFee: 60 }))).toBe(950);
    expect(payoutOf(paymentOf(1_000, { provider: 'paypal', providerFee: 60 }))).toBe(890);
    expect(payoutOf(paymentOf(1_000, { provider: 'paypal', providerFee: null }))).toBe(950);
    expect(entriesOf('provider_fee', paymentOf(1_000, { providerFee: 60 }))).toEqual([
      { account: { kind: 'provider_fees' }, amount: 60 },
      { account: { kind: 'provider_clearing', provider: 'stripe' }, amount: -60 },
    ]);
    expect(entriesOf('provider_fee', paymentOf(1_000, { provider: 'paypal', providerFee: 60 }))).toEqual([
      { account: { kind: 'seller_payable', userId: 7 }, amount: 60 },
      { account: { kind: 'provider_clearing', provider: 'paypal' }, amount: -60 },
    ]);
  });

  it.each(PROVIDERS)('leave nothing owed to a %s seller, for every ending', (provider) => {
    const payment = paymentOf(1_000, { provider, providerFee: 60 });
    const [clearing, costs] = provider === 'stripe' ? [40, 60] : [100, undefined];
    const kept = { provider_clearing: clearing, platform_fees: -100, ...(costs && { provider_fees: costs }) };
    const paidOut = ['capture', 'provider_fee', 'payout'] as const;
    expect(leftOver(payment, paidOut)).toEqual(kept);
    expect(leftOver(payment, [...paidOut, 'dispute_opened', 'dispute_won'])).toEqual(kept);
    // The provider keeps its fee, and we bear it.
    const lost = { provider_clearing: -60, provider_fees: 60 };
    expect(leftOver(payment, ['capture', 'provider_fee', 'refund'])).toEqual(lost);
    expect(leftOver(payment, ['capture', 'provider_fee', 'dispute_opened', 'dispute_lost'])).toEqual(lost);
    const reversed = [...paidOut, 'dispute_opened', 'dispute_lost', 'payout_reversal'] as const;
    expect(leftOver(payment, reversed)).toEqual(lost);
  });
});
