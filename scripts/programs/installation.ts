import { type Config, loadConfig } from '#server/core/config.ts';
import { createLogger, type ProgramLogger } from '#server/core/log.ts';
import type { Installation } from '#server/oversight/backup/backup.ts';
import { openServer } from '#server/program.ts';
import { checkStorage, openStorage } from '#server/providers/storage/open-storage.ts';

/**
 * Runs `work` with the database and the storage that the settings name, the database as it is: not migrated. An error
 * is printed, and the program exits with 1.
 */
export async function withInstallation(
  work: (installation: Installation, config: Config, log: ProgramLogger) => Promise<void>,
): Promise<void> {
  try {
    const config = loadConfig();
    const log = createLogger({ ...config, logLevel: 'warn' });
    await checkStorage(config.storage);
    const server = await openServer(config, log);
    try {
      const storage = openStorage(config.storage);
      await work({ databaseUrl: server.directUrl, storage, secretKeys: config.secretKeys }, config, log);
    } finally {
      await server.stop();
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
