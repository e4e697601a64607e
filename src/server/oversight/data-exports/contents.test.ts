import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { setUpDatabase } from '#tests/support/database.ts';
import { CONTENTS, NOT_CONTENTS } from './contents.ts';
import { listColumns } from './store.ts';

const database = setUpDatabase();

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

it('has every column that names a person, or says why not', async () => {
  // A key may lead to a person by way of another table: a leg names the people of its exchange.
  const { rows } = await sql<{ relation: string; name: string }>`
    with recursive people as (
      select 'users'::regclass as relation, attnum as place from pg_attribute
      where attrelid = 'users'::regclass and attname = 'id'
      union
      select key.conrelid, pair.place from people
      join pg_constraint as key on key.contype = 'f' and key.confrelid = people.relation
      cross join unnest(key.conkey, key.confkey) as pair (place, target)
      where pair.target = people.place
    )
    select class.relname as relation, attribute.attname as name from people
    join pg_class as class on class.oid = people.relation
    join pg_attribute as attribute on attribute.attrelid = people.relation and attribute.attnum = people.place
    `.execute(database.db);
  const inDatabase = rows.map(({ relation, name }) => `${camel(relation)}.${camel(name)}`);
  const covered = CONTENTS.flatMap(({ table, people }) => people.map((column) => `${table}.${column}`));
  const answered = [...new Set([...covered, ...Object.keys(NOT_CONTENTS)])];
  expect(answered.sort()).toEqual([...new Set(inDatabase)].sort());
});

it('has no secret: no bytes, and nothing that is called a hash, a token, a key or a code', async () => {
  const columns = await listColumns(database.db);
  const shown = CONTENTS.flatMap(({ table, leftOut }) =>
    columns.filter((one) => one.table === table && !leftOut.includes(one.column)),
  );
  const secret = shown.filter(
    ({ column, type }) =>
      type === 'bytea' || /hash|token|secret|password|fingerprint|sealed|key$|^code/i.test(column),
  );
  expect(secret.map(({ table, column }) => `${table}.${column}`)).toEqual([]);
});

it('names columns and keys that the database has', async () => {
  const columns = await listColumns(database.db);
  const known = new Set(columns.map(({ table, column }) => `${table}.${column}`));
  const named = CONTENTS.flatMap(({ table, people, leftOut, visibleFrom }) =>
    [...people, ...leftOut, ...(visibleFrom ? [visibleFrom] : [])].map((column) => `${table}.${column}`),
  );
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  const keyless = CONTENTS.filter(
    ({ table }) => !columns.some((one) => one.table === table && one.keyPlace !== null),
  );
  expect(keyless.map(({ table }) => table)).toEqual([]);
  expect(new Set(CONTENTS.map(({ name }) => name)).size).toBe(CONTENTS.length);
});
