import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Kysely, type Migration, type MigrationProvider, Migrator, sql } from 'kysely';

const FOLDER = path.resolve(import.meta.dirname, 'migrations');

interface MigrationLog {
  debug(details: object, message: string): void;
}

/** The migrations of a folder, by name and in order; each is a TypeScript file that exports `up` and `down`. */
async function namesIn(folder: string): Promise<string[]> {
  const files = await readdir(folder);
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.basename(file, '.ts'))
    .sort();
}

function providerOf(folder: string): MigrationProvider {
  return {
    async getMigrations() {
      const names = await namesIn(folder);
      const load = async (name: string): Promise<[string, Migration]> => [
        name,
        await import(pathToFileURL(path.join(folder, `${name}.ts`)).href),
      ];
      return Object.fromEntries(await Promise.all(names.map(load)));
    },
  };
}

/**
 * Brings the schema up to date, under Kysely's advisory lock: several processes may start at once, and wait for
 * the first. All pending migrations run in one transaction. A migration that waits longer for a table than the
 * connection's `lock_timeout` fails rather than hold up everybody behind it.
 * @throws Error naming the migration that failed; nothing of this run is kept
 */
export async function migrateToLatest<DB>(
  db: Kysely<DB>,
  log?: MigrationLog,
  folder: string = FOLDER,
): Promise<void> {
  const { error, results = [] } = await db.connection().execute(async (connection) => {
    // The limit on queries is for people who wait: building an index, or waiting for the lock, may take longer.
    await sql`set statement_timeout = 0`.execute(connection);
    try {
      // The camel case of the program's queries does not concern Kysely's own tables.
      const migrator = new Migrator({ db: connection.withoutPlugins(), provider: providerOf(folder) });
      return await migrator.migrateToLatest();
    } finally {
      await sql`reset statement_timeout`.execute(connection);
    }
  });
  if (error) {
    const failed = results.find(({ status }) => status === 'Error')?.migrationName;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${failed ? `The migration ${failed} failed` : 'The migrations could not run'}: ${reason}`,
      {
        cause: error,
      },
    );
  }
  for (const { migrationName } of results) log?.debug({ migration: migrationName }, 'migrated');
}

/** The migrations that the database still lacks, by name. One cheap query: readiness asks every few seconds. */
export async function pendingMigrations<DB>(db: Kysely<DB>, folder: string = FOLDER): Promise<string[]> {
  const plain = db.withoutPlugins();
  const known = await sql<{
    exists: boolean;
  }>`select to_regclass('kysely_migration') is not null as exists`.execute(plain);
  const done = known.rows[0]?.exists
    ? (await sql<{ name: string }>`select name from kysely_migration`.execute(plain)).rows.map(
        ({ name }) => name,
      )
    : [];
  return (await namesIn(folder)).filter((name) => !done.includes(name));
}
