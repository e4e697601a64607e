import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Kysely,
  type Migration,
  type MigrationProvider,
  type MigrationResult,
  Migrator,
  sql,
} from 'kysely';
import { ROOT } from '#server/core/root.ts';
import type { DatabaseHandle } from './client.ts';
import { inOneTransaction } from './one-transaction.ts';
import { refuseUnsuitable } from './suitability.ts';

const FOLDER = path.join(ROOT, 'db/migrations');

interface MigrationLog {
  debug(details: object, message: string): void;
}

/** The names of a folder's migrations, in order. */
export async function listMigrations(folder: string = FOLDER): Promise<string[]> {
  const files = await readdir(folder);
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.basename(file, '.ts'))
    .sort();
}

function createProvider(folder: string): MigrationProvider {
  const load = (name: string): Promise<Migration> =>
    folder === FOLDER
      ? // A pattern that the bundler of the program can follow.
        import(`../../../db/migrations/${name}.ts`)
      : import(pathToFileURL(path.join(folder, `${name}.ts`)).href);
  return {
    async getMigrations() {
      const names = await listMigrations(folder);
      const entryOf = async (name: string): Promise<[string, Migration]> => [name, await load(name)];
      return Object.fromEntries(await Promise.all(names.map(entryOf)));
    },
  };
}

/** The names of the migrations that a database has applied. */
export async function listApplied<DB>(db: Kysely<DB>): Promise<string[]> {
  const plain = db.withoutPlugins();
  const { rows } = await sql<{
    exists: boolean;
  }>`select to_regclass('kysely_migration') is not null as exists`.execute(plain);
  if (!rows[0]?.exists) return [];
  const applied = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(plain);
  return applied.rows.map(({ name }) => name);
}

function migratorOf<DB>(db: Kysely<DB>, folder: string): Migrator {
  // Kysely's own tables do not use camel case.
  return new Migrator({ db: db.withoutPlugins(), provider: createProvider(folder) });
}

/** The key of the advisory lock that Kysely's own migrator takes, so that the two exclude each other. */
const MIGRATING = '3853314791062309107';

/** A migration that waits longer for a table fails, so that it does not block those who wait behind it. */
const TABLE_WITHIN_MS = 3_000;

/**
 * Brings the schema up to date. Several processes may start at once and wait for the first. All pending migrations run in
 * one transaction, which holds the lock, because a pooler would keep the lock of a session.
 * @throws Error that names the failed migration, in which case nothing of this run is kept; or says that another
 *   version of the program created the database
 */
export async function migrateToLatest(
  { db, pool }: Pick<DatabaseHandle, 'db' | 'pool'>,
  log?: MigrationLog,
  folder: string = FOLDER,
): Promise<void> {
  if (await isUpToDate(db, folder)) return;
  await refuseUnsuitable(db);
  let results: readonly MigrationResult[] = [];
  const migrating = inOneTransaction(pool, async (inner) => {
    await sql`select pg_advisory_xact_lock(${MIGRATING}::bigint)`.execute(inner);
    await sql`set local lock_timeout = ${sql.lit(TABLE_WITHIN_MS)}`.execute(inner);
    const outcome = await migratorOf(inner, folder).migrateToLatest();
    results = outcome.results ?? [];
    if (outcome.error) throw outcome.error;
  });
  const error = await migrating.catch((reason: unknown) => reason);
  if (error) {
    const failed = results.find(({ status }) => status === 'Error')?.migrationName;
    const unknown = failed ? undefined : await findUnknownMigration(db, folder);
    throw new Error(
      unknown
        ? `This database has the migration ${unknown}, which this version of ClipSwap does not have: a newer version made it, or one from before the first release. Run that version; or start empty: delete the data folder (./.data, or DATA_DIR), or name another database in DATABASE_URL.`
        : `${failed ? `The migration ${failed} failed` : 'The migrations could not run'}: ${messageOf(error)}`,
      { cause: error },
    );
  }
  for (const { migrationName } of results) log?.debug({ migration: migrationName }, 'migrated');
}

/** Whether exactly the known migrations are applied, as at most starts. Then none is loaded and nothing is locked. */
async function isUpToDate<DB>(db: Kysely<DB>, folder: string): Promise<boolean> {
  const [applied, known] = await Promise.all([listApplied(db), listMigrations(folder)]);
  return applied.join() === known.join();
}

/** Brings an empty schema to the state after the migration `name`. */
export async function migrateTo<DB>(db: Kysely<DB>, name: string, folder: string = FOLDER): Promise<void> {
  const { error } = await migratorOf(db, folder).migrateTo(name);
  if (error) throw error;
}

async function findUnknownMigration<DB>(db: Kysely<DB>, folder: string): Promise<string | undefined> {
  const [applied, known] = await Promise.all([listApplied(db), listMigrations(folder)]);
  return applied.find((name) => !known.includes(name));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The names of the known migrations that the database lacks. The readiness check calls it every few seconds, so it is
 * cheap. A process lists the known migrations once, because later files belong to a version that is about to replace it.
 */
export async function pendingMigrations<DB>(db: Kysely<DB>, known: readonly string[]): Promise<string[]> {
  const applied = await listApplied(db);
  return known.filter((name) => !applied.includes(name));
}
