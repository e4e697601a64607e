import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUpDatabase } from '#tests/support/database.ts';
import { createDatabase } from './client.ts';
import { listMigrations, migrateToLatest, pendingMigrations } from './migrate.ts';

const database = setUpDatabase();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'clipswap-migrations-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Replaces the real schema by an empty one, for migrations from the test's own folder. */
async function emptySchema(): Promise<void> {
  await sql`drop schema public cascade`.execute(database.db);
  await sql`create schema public`.execute(database.db);
}

/** Plain JavaScript without imports, since the folder has no packages. A migration only needs `db`. */
async function writeMigration(name: string, statements: string[]): Promise<void> {
  const run = statements
    .map((text) => `await db.executeQuery(compiled(${JSON.stringify(text)}));`)
    .join('\n');
  await writeFile(
    path.join(folder, `${name}.ts`),
    `const compiled = (sql) => ({ sql, parameters: [], query: { kind: 'RawNode' }, queryId: { queryId: sql } });
     export async function up(db) {\n${run}\n}
     export async function down() {}`,
  );
}

const tables = async () =>
  (
    await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' and tablename like 'made_%' order by 1
    `.execute(database.db)
  ).rows.map(({ name }) => name);

test('the template has every migration', async () => {
  expect(await pendingMigrations(database.db, await listMigrations())).toEqual([]);
});

test('two processes at once migrate an empty database once', async () => {
  await emptySchema();
  await writeMigration('2026-01-01T0000-first', ['create table made_first ()', 'select pg_sleep(0.3)']);
  await writeMigration('2026-01-02T0000-second', ['create table made_second ()']);
  await writeFile(path.join(folder, 'notes.md'), 'not a migration');
  expect(await pendingMigrations(database.db, await listMigrations(folder))).toEqual([
    '2026-01-01T0000-first',
    '2026-01-02T0000-second',
  ]);
  const other = createDatabase({ url: database.url, poolSize: 1 });
  const seen: string[] = [];
  const log = { debug: (details: object) => seen.push(JSON.stringify(details)) };
  await Promise.all([migrateToLatest(database, log, folder), migrateToLatest(other, log, folder)]);
  await other.close();
  expect(await tables()).toEqual(['made_first', 'made_second']);
  expect(await pendingMigrations(database.db, await listMigrations(folder))).toEqual([]);
  expect(seen).toEqual(['{"migration":"2026-01-01T0000-first"}', '{"migration":"2026-01-02T0000-second"}']);
});

test('a process goes on while the files of a newer version are copied over its own, and after that has migrated', async () => {
  const known = await listMigrations(folder);
  await writeMigration('2026-01-02T0001-newer', ['create table newer ()']);
  expect(await pendingMigrations(database.db, known)).toEqual([]);
  await migrateToLatest(database, undefined, folder);
  expect(await pendingMigrations(database.db, known)).toEqual([]);
});

test('names a failing migration and keeps nothing of the run', async () => {
  await writeMigration('2026-01-03T0000-third', ['create table made_third ()']);
  await writeMigration('2026-01-04T0000-broken', ['create table made_first ()']);
  await expect(migrateToLatest(database, undefined, folder)).rejects.toThrow(
    'The migration 2026-01-04T0000-broken failed: relation "made_first" already exists',
  );
  expect(await tables()).toEqual(['made_first', 'made_second']);
  await rm(path.join(folder, '2026-01-04T0000-broken.ts'));
});

test('lets a long migration finish and restores the time limit afterwards', async () => {
  const single = createDatabase({ url: database.url, poolSize: 1 });
  const limit = () => sql<{ t: string }>`select current_setting('statement_timeout') as t`.execute(single.db);
  await writeMigration('2026-01-06T0000-limit', [
    `do $$ begin assert current_setting('statement_timeout') = '0'; end $$`,
  ]);
  await migrateToLatest(single, undefined, folder);
  expect((await limit()).rows).toEqual([{ t: '5s' }]);
  await single.close();
});

test('leaves a database of another version alone and says what to do', async () => {
  await rm(path.join(folder, '2026-01-02T0000-second.ts'));
  await writeMigration('2026-01-07T0000-more', ['create table made_more ()']);
  await expect(migrateToLatest(database, undefined, folder)).rejects.toThrow(
    /has the migration 2026-01-02T0000-second, which this version of ClipSwap does not have.*delete the data folder \(.\/.data, or DATA_DIR\), or name another database in DATABASE_URL/,
  );
  expect(await tables()).toEqual(['made_first', 'made_second', 'made_third']);
});
