import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { connectTo, type TestDatabase } from '#tests/support/database.ts';
import { migrateToLatest } from './migrate.ts';
import { retryWhileInUse, runStatement } from './temporary.ts';

const open: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const { close } of open) await close();
});

/** A migrated database of its own locale. */
async function databaseOf(locale: string): Promise<Pick<TestDatabase, 'pool'>> {
  const template = new URL(inject('templateUrl'));
  const administration = new URL('/postgres', template).href;
  const name = `${template.pathname.slice(1)}_${randomBytes(6).toString('hex')}`;
  await runStatement(administration, `create database ${name} template template0 encoding 'UTF8' ${locale}`);
  const database = connectTo({ url: new URL(`/${name}`, template).href }, 1);
  open.push({
    async close() {
      await database.close();
      await retryWhileInUse(administration, `drop database if exists ${name} with (force)`);
    },
  });
  await migrateToLatest(database);
  return database;
}

const PEOPLE = ['IRINA2', 'irina2'];
const TEXTS = ['FIFTY KITCHEN', 'İstanbul ılık', 'CAFÉ Große', 'КОФЕ', 'ΟΔΟΣ'];

describe.each([
  ['Turkish', "locale_provider icu icu_locale 'tr-TR' locale 'C.UTF-8'"],
  ['C', "locale 'C'"],
])('in a database of the locale %s', (_, locale) => {
  it('texts and names fold as everywhere', async () => {
    const { pool } = await databaseOf(locale);
    const { rows } = await pool.query<{ folded: string }>(
      'select fold_text(text) as folded from unnest($1::text[]) as text',
      [TEXTS],
    );
    expect(rows.map(({ folded }) => folded)).toEqual([
      'fifty kitchen',
      'istanbul ilik',
      'cafe grosse',
      'кофе',
      'οδοσ',
    ]);
    await pool.query(`insert into market values ('CAD')`);
    const insert = (name: string) =>
      pool.query(
        `insert into users (username, email, password_hash, terms_accepted_at, adult_confirmed_at, created_at, updated_at)
         values ($1, $1 || '@example.org', '', now(), now(), now(), now())`,
        [name],
      );
    await insert(PEOPLE[0] ?? '');
    await expect(insert(PEOPLE[1] ?? '')).rejects.toMatchObject({ code: '23505' });
  });
});
