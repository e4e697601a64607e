import type { Cents } from '#contract/base/money.ts';
import type { JournalKind, LedgerEntry } from './rules.ts';

/** What has moved for one deposit, in cents. Each total may rise and fall. */
export interface DepositTotals {
  readonly captured: Cents;
  /** The provider's own fees, which ClipSwap bears. */
  readonly providerFees: Cents;
  readonly refunded: Cents;
  /** Taken by the bank, less what came back. */
  readonly withdrawn: Cents;
  /** The part of `withdrawn` that is decided against us. */
  readonly lost: Cents;
  /** To whoever made the claim. */
  readonly transferred: Cents;
}

export const NO_DEPOSIT_TOTALS: DepositTotals = {
  captured: 0,
  providerFees: 0,
  refunded: 0,
  withdrawn: 0,
  lost: 0,
  transferred: 0,
};

/** The journal that books each total's changes, in booking order. */
export const DEPOSIT_JOURNALS = [
  ['capture', 'captured'],
  ['provider_fee', 'providerFees'],
  ['withdrawal', 'withdrawn'],
  ['refund', 'refunded'],
  ['loss', 'lost'],
  ['payout', 'transferred'],
] as const satisfies readonly (readonly [JournalKind, keyof DepositTotals])[];

/** What we still hold of a deposit, for whoever it belongs to in the end; negative: more has left than came. */
const heldOf = ({ captured, refunded, lost, transferred }: DepositTotals): Cents =>
  captured - refunded - lost - transferred;

/**
 * The balances that a deposit's totals leave on each account; deposits are held at Stripe alone. They add up to zero. Once
 * a deposit has ended, nothing of it is left in `deposits`; what the bank took after it was paid out is a loss.
 */
export function depositBalancesOf(totals: DepositTotals): LedgerEntry[] {
  const { captured, providerFees, refunded, withdrawn, lost, transferred } = totals;
  const held = heldOf(totals);
  return [
    {
      account: { kind: 'provider_clearing', provider: 'stripe' },
      amount: captured - providerFees - refunded - withdrawn - transferred,
    },
    { account: { kind: 'deposits' }, amount: -Math.max(0, held) },
    { account: { kind: 'provider_fees' }, amount: providerFees },
    { account: { kind: 'disputes' }, amount: withdrawn - lost },
    { account: { kind: 'losses' }, amount: Math.max(0, -held) },
  ];
}

/** The entries that lead from one balance to another, without zero amounts. */
export function depositDifference(from: DepositTotals, to: DepositTotals): LedgerEntry[] {
  const before = depositBalancesOf(from);
  return depositBalancesOf(to)
    .map(({ account, amount }, index) => ({ account, amount: amount - (before[index]?.amount ?? 0) }))
    .filter(({ amount }) => amount !== 0);
}
