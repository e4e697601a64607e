/**
 * `npm run migrate`: brings the database to the schema of this release, and ends. The server does the same when it starts; a
 * deployment of several machines may want it done once, before the first of them.
 */
import { loadConfig } from '#server/core/config.ts';
import { createLogger } from '#server/core/log.ts';
import { createDatabase } from '#server/database/client.ts';
import { listApplied, migrateToLatest } from '#server/database/migrate.ts';
import { openServer } from '#server/program.ts';

async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLogger({ ...config, logLevel: 'warn' });
  const server = await openServer(config, log);
  const database = createDatabase({ url: server.directUrl, poolSize: 1, log });
  try {
    const before = await listApplied(database.db);
    await migrateToLatest(database, log);
    const now = await listApplied(database.db);
    console.log(`${now.length - before.length} migrations were run; the database has ${now.length}.`);
  } finally {
    await database.close();
    await server.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
