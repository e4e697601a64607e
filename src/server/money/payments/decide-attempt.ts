import type { Cents } from '#contract/base/money.ts';
import type { Totals } from '#server/money/books/ledger.ts';
import { returnedOf } from '#server/money/books/service.ts';
import type { Payout } from '#server/providers/payments.ts';
import type { Operation, OperationChange, OperationKind } from './operations-store.ts';
import { isHopeless } from './rules.ts';
import type { Payment } from './store.ts';

/** What an attempt at an operation asks the provider for, and what its failure means. Amounts are cents. */

/**
 * What a refund asks for: what is still missing to its target, and the part of it that comes out of ClipSwap's fee.
 * @param given `target`: how much shall be back in the end, null: all that was captured; `pending`: on its way already;
 *   `unfunded`: what nobody can pay yet of a granted late claim
 * @returns why nothing can be asked for, if nothing can
 */
export function refundToAsk(
  { platformFee }: Pick<Payment, 'platformFee'>,
  {
    totals,
    target,
    captured,
    pending,
    unfunded,
  }: {
    readonly totals: Totals;
    readonly target: Cents | null;
    readonly captured: Cents;
    readonly pending: Cents;
    readonly unfunded: Cents;
  },
): { readonly amount: Cents; readonly platformFee: Cents } | 'seller_money' | 'refund' {
  const amount = (target ?? captured) - unfunded - returnedOf(totals) - pending;
  if (amount <= 0) return unfunded > 0 ? 'seller_money' : 'refund';
  return { amount, platformFee: Math.max(0, Math.min(amount, platformFee - totals.feesRefunded)) };
}

/** What is taken back of each payout, the first one first, until nothing is owed. */
export function reversalsToAsk(
  payouts: readonly Payout[],
  owed: Cents,
): { readonly ref: string; readonly reversed: Cents; readonly amount: Cents }[] {
  let left = owed;
  return payouts.flatMap(({ ref, amount, reversed }) => {
    const part = Math.min(left, amount - reversed);
    if (part <= 0) return [];
    left -= part;
    return [{ ref, reversed, amount: part }];
  });
}

/** What a payout of `due` cents covers of the debts of its seller, in their order. `isAll`: the debt is gone. */
export function offsetsOf<Debt extends { readonly owed: Cents }>(
  due: Cents,
  debts: readonly Debt[],
): { readonly debt: Debt; readonly amount: Cents; readonly isAll: boolean }[] {
  let left = due;
  return debts.flatMap((debt) => {
    const amount = Math.min(left, debt.owed);
    if (amount <= 0) return [];
    left -= amount;
    return [{ debt, amount, isAll: amount === debt.owed }];
  });
}

/** What a failed attempt means. */
interface Failure {
  readonly change: OperationChange;
  /** A person has to decide. */
  readonly isOver: boolean;
  /** The seller hears for the first time that they owe what could not be taken back. */
  readonly isNewDebt: boolean;
}

/**
 * What is stored of a failed attempt, and who has to know of it. After a week it is given up.
 * @param failed `isRefused`: the provider has refused, so nothing has happened there
 */
export function failureOf(
  kind: OperationKind,
  { openedAt, waitsFor }: Pick<Operation, 'openedAt' | 'waitsFor'>,
  {
    lastError,
    isRefused,
    at,
  }: { readonly lastError: string; readonly isRefused: boolean; readonly at: Date },
): Failure {
  const isOver = isHopeless(openedAt, at);
  return {
    change: {
      lastError,
      // Nothing was transferred, so another amount may be asked for.
      ...(kind === 'payout' && isRefused && { amount: null }),
      ...(kind === 'reversal' && isRefused && { waitsFor: 'seller_balance' }),
      ...(isOver && { givenUpAt: at, nextTryAt: null }),
    },
    isOver,
    isNewDebt: kind === 'reversal' && waitsFor !== 'seller_balance' && (isRefused || isOver),
  };
}
