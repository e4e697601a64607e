import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { createDatabase, type DatabaseHandle } from '#server/database/client.ts';
import { runStatement } from '#server/database/temporary.ts';
import { HANGS_MS } from './patience.ts';

/** A migrated database of one test file's own. */
export interface TestDatabase extends DatabaseHandle {
  readonly url: string;
  /** Ends its connections and drops it. */
  close(): Promise<void>;
}

/** A busy machine is slow, not wrong. */
const PATIENT = {
  connectionTimeoutMillis: HANGS_MS,
  statement_timeout: HANGS_MS,
  lock_timeout: HANGS_MS,
  idle_in_transaction_session_timeout: HANGS_MS,
};

/** More connections to a test's database, without the program's time limits. */
export function connectTo({ url }: { readonly url: string }, poolSize: number): DatabaseHandle {
  return createDatabase({ url, poolSize, limits: PATIENT });
}

/** object_in_use and insufficient_privilege, of PostgreSQL. */
const VISITED = ['55006', '42501'];

/**
 * Clones the run's template: a real database of your own, with as many connections as a race needs. Open it in
 * `beforeAll`, close it in `afterAll`.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = new URL(inject('templateUrl'));
  const templateName = template.pathname.slice(1);
  const name = `${templateName}_${randomBytes(6).toString('hex')}`;
  // Through the database `postgres`: the template has to stay empty of sessions.
  const administration = new URL('/postgres', template).href;
  await runUndisturbed(administration, `create database ${name} template ${templateName}`);
  const url = new URL(`/${name}`, template);
  const handle = connectTo({ url: url.href }, 10);
  return {
    ...handle,
    url: url.href,
    async close() {
      await handle.close();
      await runUndisturbed(administration, `drop database if exists ${name} with (force)`);
    },
  };
}

/** A test database for one file, opened before its tests and dropped after them. */
export function setUpDatabase(): TestDatabase {
  const database = {} as TestDatabase;
  beforeAll(async () => {
    Object.assign(database, await createTestDatabase());
  });
  afterAll(() => database.close());
  return database;
}

/** Autovacuum visits a database now and then: nobody may be in one that is copied, and nobody may end its worker. */
async function runUndisturbed(server: string, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runStatement(server, statement);
      return;
    } catch (error) {
      const isVisited = error instanceof pg.DatabaseError && VISITED.includes(error.code ?? '');
      if (!isVisited || attempt > 50) throw error;
      await sleep(100 * Math.random());
    }
  }
}
