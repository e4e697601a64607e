import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { createLogger } from '#server/core/log.ts';
import { createDatabase } from '#server/database/client.ts';
import { keepCurrency } from '#server/database/currency.ts';
import { migrateToLatest } from '#server/database/migrate.ts';
import { openTemporaryDatabase, retryWhileInUse } from '#server/database/temporary.ts';
import { buildPictures } from '../scripts/build/build-server.ts';
import { withoutLimits } from './processes.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The migrated database that every test file clones. */
    templateUrl: string;
    /** Where the first test file that needs it creates a template with the demo (demo.ts). */
    demoUrl: string;
    /** The folder of its pictures, beside the objects of its stand-ins. */
    demoFiles: string;
  }
}

/** An id of one table is none of another one, so that a statement that takes one for the other finds nothing. */
const DISTINCT_IDS_SQL = `
  select setval(format('%I', sequencename)::regclass, 100000 * row_number() over (order by sequencename))
  from pg_sequences where schemaname = current_schema()`;

/**
 * Bundles what the processes for pictures run. Starts one PostgreSQL per run (the server of TEST_DATABASE_URL, else an embedded one in a temporary folder) and creates a migrated template in it. @returns a function that removes both
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const pictures = buildPictures();
  const log = createLogger({ logLevel: 'warn', isProduction: true });
  const template = await openTemporaryDatabase(process.env.TEST_DATABASE_URL, log, await databaseParent());
  const database = createDatabase({ url: withoutLimits(template.url), poolSize: 1 });
  try {
    await migrateToLatest(database);
    await keepCurrency(database.db, 'CAD');
    await database.pool.query(DISTINCT_IDS_SQL);
    await database.pool.query('vacuum analyze');
  } catch (error) {
    await template.close();
    throw error;
  } finally {
    await database.close();
  }
  project.provide('templateUrl', template.url);
  const demo = new URL(template.url);
  demo.pathname += '_demo';
  project.provide('demoUrl', demo.href);
  const demoFolder = await mkdtemp(path.join(tmpdir(), 'clipswap-demo-'));
  const demoFiles = path.join(demoFolder, 'files');
  await mkdir(demoFiles);
  project.provide('demoFiles', demoFiles);
  await pictures;
  return async () => {
    await rm(demoFolder, { recursive: true, force: true });
    const administration = new URL('/postgres', demo).href;
    await retryWhileInUse(administration, `drop database if exists ${demo.pathname.slice(1)} with (force)`);
    await template.close();
  };
}

const MEMORY_FOLDER = '/dev/shm';
/** Much more than the databases of a run take at a time. */
const ROOM_BYTES = 6 * 2 ** 30;

/**
 * Where the database is: in memory if there is plenty. Each test file makes and removes hundreds of database files, which
 * costs a file system on a disk much more.
 */
async function databaseParent(): Promise<string> {
  if (freemem() < ROOM_BYTES) return tmpdir();
  const { bavail, bsize } = await statfs(MEMORY_FOLDER).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize < ROOM_BYTES ? tmpdir() : MEMORY_FOLDER;
}
