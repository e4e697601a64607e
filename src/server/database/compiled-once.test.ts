import { CamelCasePlugin, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createUser, setUpContext } from '#server/testing/builders.ts';
import { setUpDatabase } from '#server/testing/database.ts';
import { inTransaction } from './client.ts';
import { compiledOnce } from './compiled-once.ts';

const database = setUpDatabase();
const ctx = setUpContext(database);

interface Values {
  readonly ids: readonly number[];
  readonly note: string | null;
}

let builds = 0;
const people = compiledOnce((db, { ids, note }: Values) => {
  builds += 1;
  return db
    .selectFrom('users')
    .select((select) => ['users.username as knownAs', select.val(note).as('ownNote')])
    .where('users.id', '=', sql<number>`any(${ids}::integer[])`)
    .where('users.role', '!=', 'nobody')
    .where(sql<boolean>`users.username is distinct from ${note}`)
    .orderBy('users.id');
});

let users: { readonly id: number; readonly username: string }[];
beforeAll(async () => {
  users = [await createUser(ctx), await createUser(ctx)];
});

test('is built once for a database; each call has values of its own', async () => {
  builds = 0;
  for (const note of [null, 'a note', null]) {
    for (const { id, username } of users) {
      const expected = [{ knownAs: username, ownNote: note }];
      expect(await people(database.db, { ids: [id], note })).toEqual(expected);
    }
  }
  expect(builds).toBe(1);
  expect(await people(database.db, { ids: [], note: '' })).toEqual([]);
  for (const { id, username } of users)
    expect(await people(database.db, { ids: [id], note: username })).toEqual([]);
});

test('in a transaction it reads what the transaction has written', async () => {
  const { id } = await createUser(ctx);
  const seen = await inTransaction(database.db, async (trx) => {
    await trx.updateTable('users').set({ username: 'renamed' }).where('id', '=', id).execute();
    return people(trx, { ids: [id], note: null });
  });
  expect(seen).toEqual([{ knownAs: 'renamed', ownNote: null }]);
});

test('a database with plugins of its own gets a text of its own', async () => {
  const shouting = database.db.withoutPlugins().withPlugin(new CamelCasePlugin({ upperCase: true }));
  await expect(people(shouting, { ids: [0], note: null })).rejects.toThrow('USERS');
  expect(await people(database.db, { ids: [0], note: null })).toEqual([]);
});
