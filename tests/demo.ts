import { randomUUID } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { openSandbox, sandboxSettings } from '#sandbox/main.ts';
import { openStore, type SandboxStore } from '#sandbox/store.ts';
import { loadConfig } from '#server/core/config.ts';
import { createLogger } from '#server/core/log.ts';
import { retryWhileInUse } from '#server/database/temporary.ts';
import { openProgram } from '#server/program.ts';
import { createFolderStorage } from '#server/providers/storage/folder-storage.ts';
import type { FileStorage } from '#server/providers/storage/storage.ts';
import { createTestClock, TEST_SECRET_KEY } from '#tests/support/builders.ts';
import { countFromOne, createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { seedDemoOnce } from '../scripts/demo/seed.ts';
import { withoutLimits } from './processes.ts';

/**
 * A database of the test's own with the demo: people, coupons, deals and the sandbox's payments, sealed under the key of
 * the test contexts, and played at the time of their clocks. The first test file that asks fills a template; all clone it.
 */
export async function createDemoDatabase(): Promise<TestDatabase> {
  const demoUrl = inject('demoUrl');
  const [name, template] = [demoUrl, inject('templateUrl')].map((url) => new URL(url).pathname.slice(1));
  const administration = new URL('/postgres', demoUrl).href;
  const client = new pg.Client({ connectionString: administration });
  await client.connect();
  try {
    // The lock ends with the connection.
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) {
      const filling = `${name}_filling`;
      await retryWhileInUse(administration, `create database ${filling} template ${template}`);
      await fill(new URL(`/${filling}`, demoUrl).href);
      await retryWhileInUse(administration, `alter database ${filling} rename to ${name}`);
    }
  } finally {
    await client.end();
  }
  return createTestDatabase({ templateUrl: demoUrl });
}

/** The demo's pictures. Many test files read them, so nobody writes there. */
export function openDemoFiles(): { readonly folder: string; readonly storage: FileStorage } {
  const folder = inject('demoFiles');
  return { folder, storage: createFolderStorage(folder) };
}

/** The stand-ins' objects of the demo; what a test changes is not kept. */
export function openDemoStore(): SandboxStore {
  const own = `${demoStoreFile()}.${randomUUID()}`;
  copyFileSync(demoStoreFile(), own);
  return openStore(own);
}

const demoStoreFile = () => path.join(inject('demoFiles'), '../sandbox.jsonl');

async function fill(url: string): Promise<void> {
  const sandbox = await openSandbox({
    store: openStore(demoStoreFile()),
    marketplace: () => null,
    publicUrl: 'http://localhost',
    webhooks: 'held',
  });
  const config = loadConfig({
    ...sandboxSettings(sandbox.url),
    NODE_ENV: 'test',
    SEED_DEMO: 'true',
    DATABASE_URL: withoutLimits(url),
    SECRET_KEY: TEST_SECRET_KEY.toString('base64'),
    DATA_DIR: tmpdir(),
    FILES_DIR: inject('demoFiles'),
  });
  const opened = await openProgram(config, createLogger({ logLevel: 'silent', isProduction: true }));
  const program = { ...opened, deps: { ...opened.deps, clock: createTestClock() } };
  await countFromOne(program);
  // As two processes do that start at once: scripts/demo/seed.test.ts looks at what comes of it.
  await Promise.all([seedDemoOnce(program), seedDemoOnce(program)]);
  await program.pool.query('vacuum analyze');
  await program.close();
  await sandbox.close();
}
