/**
 * `npm run reconcile -- --from 2026-11-01 --to 2026-11-21`: compares our books with those of Stripe and PayPal for these
 * days (UTC), by default the last seven. Exits with 1 when they differ.
 */

import { PAYMENT_PROVIDERS } from '#contract/people/sellers.ts';
import { createLogger } from '#server/core/log.ts';
import { compareBooks } from '#server/money/comparison/service.ts';
import { openProgram } from '#server/program.ts';
import { ProviderRefusal, ProviderUnreachable } from '#server/providers/payments.ts';
import { linesOf, readDays } from './reconcile-lines.ts';
import { loadConfigWithSandbox } from './sandbox.ts';

async function main(): Promise<void> {
  const config = await loadConfigWithSandbox();
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

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
