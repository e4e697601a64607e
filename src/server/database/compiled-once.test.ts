import { CamelCasePlugin, type Expression, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createUser, setUpContext } from '#server/testing/builders.ts';
import { setUpDatabase } from '#server/testing/database.ts';
import { inTransaction } from './client.ts';
import { compiledOnce } from './compiled-once.ts';

const database = setUpDatabase();
const ctx = setUpContext(database);

interface Values {
  readonly ids: Expression<{ id: number }>;
  readonly note: string | null;
}

let builds = 0;
const people = compiledOnce((db, { ids, note }: Values) => {
  builds += 1;
  return db
    .selectFrom('users')
    .innerJoin(sql<{ id: number }>`${ids}`.as('wanted'), 'wanted.id', 'users.id')
    .select((select) => ['users.username as knownAs', select.val(note).as('ownNote')])
    .where('users.role', '!=', 'nobody')
    .where(sql<boolean>`users.username is distinct from ${note}`)
    .orderBy('users.id');
});

const idsOf = (id: number) => database.db.selectFrom('users').select('id').where('id', '=', id);
const read = async (db: typeof database.db, ids: Expression<{ id: number }>, note: string | null) =>
  (await people(db, { ids, note }).execute(db)).rows;

let users: { readonly id: number; readonly username: string }[];
beforeAll(async () => {
  users = [await createUser(ctx), await createUser(ctx)];
});

test('is built once for a database; each call has values of its own, also queries with values', async () => {
  builds = 0;
  for (const note of [null, 'a note', null]) {
    for (const { id, username } of users) {
      const expected = [{ knownAs: username, ownNote: note }];
      expect(await read(database.db, idsOf(id), note)).toEqual(expected);
      expect(await read(database.db, sql<{ id: number }>`(select ${id}::integer as id)`, note)).toEqual(
        expected,
      );
    }
  }
  expect(builds).toBe(1);
  expect(await read(database.db, idsOf(0), '')).toEqual([]);
  expect(await read(database.db, idsOf(users[0]?.id ?? 0), users[0]?.username ?? '')).toEqual([]);
});

test('in a transaction it reads what the transaction has written', async () => {
  const { id } = await createUser(ctx);
  const seen = await inTransaction(database.db, async (trx) => {
    await trx.updateTable('users').set({ username: 'renamed' }).where('id', '=', id).execute();
    return (await people(trx, { ids: idsOf(id), note: null }).execute(trx)).rows;
  });
  expect(seen).toEqual([{ knownAs: 'renamed', ownNote: null }]);
});

test('a database with plugins of its own gets a text of its own', async () => {
  const shouting = database.db.withoutPlugins().withPlugin(new CamelCasePlugin({ upperCase: true }));
  await expect(read(shouting, idsOf(0), null)).rejects.toThrow('USERS');
  expect(await read(database.db, idsOf(0), null)).toEqual([]);
});
