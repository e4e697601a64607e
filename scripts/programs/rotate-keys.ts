/**
 * `npm run rotate-keys`: seals what is secret in the database under the first key of SECRET_KEY, and replaces the key that
 * signs statements, while ClipSwap runs. Interrupted, it is begun again. Afterwards the other keys can go.
 */

import { loadConfig } from '#server/core/config.ts';
import { createLogger } from '#server/core/log.ts';
import { rotateKeys } from '#server/oversight/backup/service.ts';
import { openProgram } from '#server/program.ts';

async function run(): Promise<void> {
  const config = loadConfig();
  const program = await openProgram(config, createLogger({ ...config, logLevel: 'warn' }));
  try {
    const { resealed, closed } = await rotateKeys(program.deps, console.error);
    console.log(`These are sealed under the newest key: ${resealed.join(', ')}.`);
    if (closed.length === 0) return console.log('The other keys can be removed from SECRET_KEY.');
    console.error(`No key opens these:\n  ${closed.join('\n  ')}`);
    process.exitCode = 1;
  } finally {
    await program.close();
  }
}

run().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
