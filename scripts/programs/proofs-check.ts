/**
 * `npm run proofs:check`: computes all chains of exposures, statements and daily roots again from the database. Otherwise
 * prints each mistake and exits with 1.
 */

import { loadConfig } from '#server/core/config.ts';
import { createLogger } from '#server/core/log.ts';
import { checkProofs } from '#server/oversight/proofs/service.ts';
import { openProgram } from '#server/program.ts';

const config = loadConfig();
const program = await openProgram(config, createLogger({ ...config, logLevel: 'warn' }));
try {
  const { chains, entries, statements, roots, marketDays, broken } = await checkProofs(program.deps);
  console.log(
    `${chains} chains, ${entries} entries, ${statements} statements, ${roots} daily roots, ${marketDays} market days.`,
  );
  for (const { rule, rows } of broken) {
    console.error(`\nBroken: ${rule}`);
    for (const row of rows) console.error(`  ${JSON.stringify(row)}`);
  }
  if (broken.length > 0) process.exitCode = 1;
  else console.log('Everything is as it was when it was said.');
} finally {
  await program.close();
}
