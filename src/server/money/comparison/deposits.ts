import type { Context } from '#server/context/context.ts';
import { sumDepositJournals } from '#server/money/books/service.ts';
import { findNamedDeposits, listBookedDeposits, refreshDeposit } from '#server/money/deposits/service.ts';
import type { MovementKind, ProviderMovement } from '#server/providers/movements.ts';
import type { PaymentProvider } from '#server/providers/payments.ts';
import type { Difference } from './store.ts';

/** Where our books of deposits and a provider's differ, and what was compared. */
interface ComparedDeposits {
  readonly differences: readonly Difference[];
  /** The places of all differences that there could have been. */
  readonly refs: readonly string[];
  /** The charges of deposits: what moved for them is of nothing else. */
  readonly chargeRefs: ReadonlySet<string | null>;
}

/**
 * Compares our books of deposits with a provider's, from the beginning of each that moved money in a time, there or with us.
 * Each is settled from the provider first.
 * @throws ProviderRefusal, ProviderUnreachable
 */
export async function compareDeposits(
  ctx: Context,
  provider: PaymentProvider,
  { from, to, movements }: { from: Date; to: Date; movements: readonly ProviderMovement[] },
): Promise<ComparedDeposits> {
  const none = { differences: [], refs: [], chargeRefs: new Set<string>() };
  if (!provider.deposits) return none;
  const chargeRefs = [...new Set(movements.flatMap(({ chargeRef }) => chargeRef ?? []))];
  const booked = await listBookedDeposits(ctx.db, { from, to });
  const deposits = await findNamedDeposits(ctx.db, { ids: booked, chargeRefs });
  const [first] = deposits.map(({ createdAt }) => createdAt).sort((a, b) => a.getTime() - b.getTime());
  if (!first) return none;
  for (const deposit of deposits) await refreshDeposit(ctx, deposit);
  const all =
    first < from
      ? (await provider.listMovements({ from: first, to: ctx.clock(), accounts: [] })).movements
      : movements;
  const sums = await sumDepositJournals(
    ctx.db,
    deposits.map(({ id }) => id),
  );
  const differences: Difference[] = [];
  const refs: string[] = [];
  for (const { id, publicId, chargeRef } of deposits) {
    for (const kind of KINDS) {
      const ref = `deposit ${publicId}:${kind}`;
      refs.push(ref);
      const ours = sums.find((sum) => sum.depositId === id && sum.kind === kind)?.cents ?? 0;
      const theirs = all
        .filter((movement) => movement.chargeRef === chargeRef && movement.kind === kind)
        .reduce((sum, { amount }) => sum + amount, 0);
      if (ours !== theirs)
        differences.push({ provider: provider.name, ref, paymentId: null, kind, ours, theirs });
    }
  }
  return { differences, refs, chargeRefs: new Set(deposits.flatMap(({ chargeRef }) => chargeRef ?? [])) };
}

const KINDS = [
  'capture',
  'provider_fee',
  'refund',
  'withdrawal',
  'payout',
] as const satisfies readonly MovementKind[];
