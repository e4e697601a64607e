import { parseArgs } from 'node:util';
import { z } from 'zod';
import { signedDecimal } from '#contract/base/money.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { type Comparison, DAILY_DAYS } from '#server/money/comparison/service.ts';

const USAGE = 'Usage: npm run reconcile -- --from 2026-11-01 --to 2026-11-21';

/** @returns the first moment, and the moment after the last @throws Error with the usage */
export function readDays(args: string[], now: Date): { from: Date; to: Date } {
  const { values } = parseArgs({ args, options: { from: { type: 'string' }, to: { type: 'string' } } });
  const { from = utcDay(addDays(now, -DAILY_DAYS)), to = utcDay(now) } = values;
  const areDays = z.iso.date().safeParse(from).success && z.iso.date().safeParse(to).success;
  if (!areDays || from > to) throw new Error(USAGE);
  return { from: new Date(from), to: addDays(new Date(to), 1) };
}

/** The lines of a comparison. */
export function linesOf({ payments, differences, foreign, undecided, closedAccounts }: Comparison): string[] {
  return [
    `${payments} payments, ${differences.length} differences.`,
    ...differences.map(({ ref, paymentId, kind, ours, theirs, isHandled }) => {
      const about =
        paymentId === null ? `${ref} of a payment that we do not have` : `${ref} (payment ${paymentId})`;
      const what = ours === 0 ? 'missing with us' : theirs === 0 ? 'missing there' : 'another amount';
      const sums = `ours ${signedDecimal(ours)}, theirs ${signedDecimal(theirs)}`;
      return `  ${about}: ${kind} is ${what}: ${sums}${isHandled ? ' (handled)' : ''}`;
    }),
    ...(undecided > 0 ? [`${undecided} payments cannot be compared yet.`] : []),
    ...closedAccounts.map((account) => `We may not look into the account ${account}.`),
    ...(foreign.length > 0 ? ['On our account, but not of our payments:'] : []),
    ...foreign.map(
      ({ at, ref, amount, text }) => `  ${at.toISOString()} ${ref} ${signedDecimal(amount)} ${text}`,
    ),
  ];
}
