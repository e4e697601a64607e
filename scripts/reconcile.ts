/**
 * `npm run reconcile -- --from 2026-11-01 --to 2026-11-21`: compares our books with those of Stripe and PayPal for these
 * days (UTC), by default the last seven. Exits with 1 when they differ.
 */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { signedDecimal } from '#contract/money.ts';
import { PAYMENT_PROVIDERS } from '#contract/sellers.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { loadConfig } from '#server/core/config.ts';
import { createLogger } from '#server/core/log.ts';
import { type Comparison, compareBooks, DAILY_DAYS } from '#server/domains/payments/comparison.ts';
import { openProgram } from '#server/program.ts';
import { ProviderRefusal, ProviderUnreachable } from '#server/providers/payments.ts';

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

async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLogger({ ...config, logLevel: 'warn' });
  const program = await openProgram(config, log);
  try {
    const ctx = { ...program.deps, actor: null, ip: 'script', userAgent: '' };
    const days = readDays(process.argv.slice(2), ctx.clock());
    for (const name of PAYMENT_PROVIDERS) {
      try {
        const found = await compareBooks(ctx, name, days);
        console.log(`${name}: ${found === null ? 'not set up' : linesOf(found).join('\n')}`);
        if (found?.differences.some(({ isHandled }) => !isHandled)) process.exitCode = 1;
      } catch (error) {
        // The other provider is compared all the same.
        if (!(error instanceof ProviderUnreachable || error instanceof ProviderRefusal)) throw error;
        console.error(`${name}: ${error.message}`);
        process.exitCode = 1;
      }
    }
  } finally {
    await program.close();
  }
}

if (process.argv[1] === import.meta.filename) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
}
