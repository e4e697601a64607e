import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import type { DatabaseHandle } from '#server/database/client.ts';
import { migrateToLatest } from '#server/database/migrate.ts';
import { retryWhileInUse, runStatement } from '#server/database/temporary.ts';
import { connectTo } from '#tests/support/database.ts';

/** Databases as managed and shared servers give them. */

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

/** A new database, dropped after the test, and a connection to it. */
async function openDatabase(options = '', ...prepared: string[]): Promise<DatabaseHandle & { name: string }> {
  const administration = new URL('/postgres', inject('templateUrl')).href;
  const name = `clipswap_${randomBytes(6).toString('hex')}`;
  await runStatement(administration, `create database ${name} template template0 ${options}`);
  cleanUp.push(() => retryWhileInUse(administration, `drop database ${name} with (force)`));
  const url = new URL(`/${name}`, administration).href;
  for (const statement of prepared) await runStatement(url, statement.replaceAll('DATABASE', name));
  const handle = connectTo({ url }, 3);
  cleanUp.push(handle.close);
  return { ...handle, name };
}

const migrationsOf = (refusal: Promise<unknown>) => refusal.catch((error: unknown) => String(error));

describe('a database that is not ready is refused before the first migration, with what to run', () => {
  it.each([
    [
      'a role that may make no schema',
      ['create extension pg_trgm', 'revoke create on database DATABASE from clipswap'],
      ['grant create on database DATABASE to clipswap'],
    ],
    [
      'a role that may make no schema and has no extension',
      ['revoke create on database DATABASE from clipswap'],
      ['grant create on database DATABASE to clipswap', 'create extension pg_trgm schema public'],
    ],
    [
      'a role that may make no table',
      ['revoke create on schema public from pg_database_owner'],
      ['grant create on schema public to clipswap'],
    ],
    [
      'an extension that its search_path does not reach',
      ['create schema tools', 'create extension pg_trgm schema tools'],
      ['alter extension pg_trgm set schema public'],
    ],
    [
      'a search_path without a schema',
      ['alter database DATABASE set search_path = nowhere'],
      [
        'create schema clipswap authorization clipswap',
        'alter role clipswap in database DATABASE set search_path = clipswap',
      ],
    ],
  ])('%s', async (_of, prepared, remedy) => {
    const handle = await openDatabase('', ...prepared);
    const said = await migrationsOf(migrateToLatest(handle));
    for (const statement of remedy)
      expect(said).toContain(`\n  ${statement.replaceAll('DATABASE', handle.name)};\n`);
    const { rows } = await handle.pool.query(`select from pg_class where relname like 'kysely%'`);
    expect(rows).toEqual([]);
  });

  it('one that does not store text as UTF-8', async () => {
    const handle = await openDatabase(`encoding 'LATIN1' locale 'C'`);
    expect(await migrationsOf(migrateToLatest(handle))).toMatch(
      /stores text as LATIN1, and ClipSwap needs UTF8.*create database clipswap_utf8 owner clipswap template template0 encoding 'UTF8'/,
    );
  });
});

it('a password that no address can hold as it is may stand in PGPASSWORD', async () => {
  const url = new URL(inject('templateUrl'));
  const compose = readFileSync(path.join(import.meta.dirname, '../../compose.yaml'), 'utf8');
  expect(compose).toMatch(/DATABASE_URL: postgres:\/\/clipswap@database:5432\/clipswap\n/);
  expect(compose).toMatch(/PGPASSWORD: \$\{POSTGRES_PASSWORD\}\n/);
  vi.stubEnv('PGPASSWORD', decodeURIComponent(url.password));
  onTestFinished(() => void vi.unstubAllEnvs());
  url.password = '';
  const without = connectTo({ url: url.href }, 1);
  cleanUp.push(without.close);
  expect((await without.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});
