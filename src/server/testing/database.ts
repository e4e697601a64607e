import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { createDatabase, type DatabaseHandle } from '#server/database/client.ts';
import { runStatement } from '#server/database/temporary.ts';
import { HANGS_MS } from './patience.ts';

/** A migrated database for one test file. */
export interface TestDatabase extends DatabaseHandle {
  readonly url: string;
  /** Closes its connections and drops it. */
  close(): Promise<void>;
}

/** Long limits, because a busy machine is slow. */
const LONG_LIMITS = {
  connectionTimeoutMillis: HANGS_MS,
  statement_timeout: HANGS_MS,
  lock_timeout: HANGS_MS,
  idle_in_transaction_session_timeout: HANGS_MS,
};

/** More connections to a test's database, without the program's time limits. */
export function connectTo({ url }: { readonly url: string }, poolSize: number): DatabaseHandle {
  return createDatabase({ url, poolSize, limits: LONG_LIMITS });
}

/** PostgreSQL's object_in_use and insufficient_privilege. */
const IN_USE_CODES = ['55006', '42501'];

/**
 * Clones a template, by default the run's empty one, into a new database with ten connections. Open it in `beforeAll`,
 * close it in `afterAll`.
 */
export async function createTestDatabase(templateUrl = inject('templateUrl')): Promise<TestDatabase> {
  const template = new URL(templateUrl);
  const templateName = template.pathname.slice(1);
  const name = `${templateName}_${randomBytes(6).toString('hex')}`;
  // Connects to the database `postgres`: a template must not have sessions.
  const administration = new URL('/postgres', template).href;
  // Copying the template's files takes half the time that writing them through the log does.
  await retryWhileInUse(
    administration,
    `create database ${name} template ${templateName} strategy file_copy`,
  );
  // Nobody stops this server: waiting for the disk at each commit would only take time.
  await runStatement(administration, `alter database ${name} set synchronous_commit = off`);
  const url = new URL(`/${name}`, template);
  const handle = connectTo({ url: url.href }, 10);
  return {
    ...handle,
    url: url.href,
    async close() {
      await handle.close();
      await retryWhileInUse(administration, `drop database if exists ${name} with (force)`);
    },
  };
}

/** A test database for one file, opened before its tests and dropped after them. */
export function setUpDatabase(create: () => Promise<TestDatabase> = createTestDatabase): TestDatabase {
  const database = {} as TestDatabase;
  beforeAll(async () => {
    Object.assign(database, await create());
  });
  afterAll(() => database.close());
  return database;
}

/**
 * Runs a statement again while autovacuum uses the database: it cannot be copied or renamed meanwhile, and we may not end
 * the worker.
 */
export async function retryWhileInUse(server: string, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runStatement(server, statement);
      return;
    } catch (error) {
      const isInUse = error instanceof pg.DatabaseError && IN_USE_CODES.includes(error.code ?? '');
      if (!isInUse || attempt > 50) throw error;
      await sleep(100 * Math.random());
    }
  }
}
