/**
 * `npm run ledger:check`: checks that the ledger accounts for every cent. Otherwise prints each mistake and exits
 * with 1.
 */

import { loadConfig } from '#server/core/config.ts';
import { createLogger } from '#server/core/log.ts';
import { checkLedger } from '#server/money/books/service.ts';
import { openProgram } from '#server/program.ts';

const config = loadConfig();
const program = await openProgram(config, createLogger({ ...config, logLevel: 'warn' }));
try {
  const { payments, journals, entries, broken } = await checkLedger(program.deps);
  console.log(`${payments} payments, ${journals} journals, ${entries} entries.`);
  for (const { rule, rows } of broken) {
    console.error(`\nBroken: ${rule}`);
    for (const row of rows) console.error(`  ${JSON.stringify(row)}`);
  }
  if (broken.length > 0) process.exitCode = 1;
  else console.log('Every cent is accounted for.');
} finally {
  await program.close();
}
