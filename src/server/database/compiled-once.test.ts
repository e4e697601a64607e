import { CamelCasePlugin } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createUser, setUpContext } from '#server/testing/builders.ts';
import { setUpDatabase } from '#server/testing/database.ts';
import { inTransaction } from './client.ts';
import { compiledOnce } from './compiled-once.ts';

const database = setUpDatabase();
const ctx = setUpContext(database);

let builds = 0;
const nameOf = compiledOnce((db, { id, suffix }: { id: number; suffix: string | null }) => {
  builds += 1;
  return db
    .selectFrom('users')
    .select((select) => ['users.username as userName', select.val(suffix).as('givenSuffix')])
    .where('id', '=', id);
});

let people: { readonly id: number; readonly username: string }[];
beforeAll(async () => {
  people = [await createUser(ctx), await createUser(ctx)];
});

test('is built once for a database, and each call has values of its own', async () => {
  builds = 0;
  const read = () =>
    Promise.all(
      people.flatMap(({ id }) => [null, `of ${id}`].map((suffix) => nameOf(database.db, { id, suffix }))),
    );
  const expected = people.flatMap(({ id, username }) =>
    [null, `of ${id}`].map((givenSuffix) => [{ userName: username, givenSuffix }]),
  );
  expect(await read()).toEqual(expected);
  expect(await read()).toEqual(expected);
  expect(builds).toBe(1);
  expect(await nameOf(database.db, { id: 0, suffix: '' })).toEqual([]);
});

test('in a transaction it reads what the transaction has written', async () => {
  const { id } = await createUser(ctx);
  const seen = await inTransaction(database.db, async (trx) => {
    await trx.updateTable('users').set({ username: 'renamed' }).where('id', '=', id).execute();
    return nameOf(trx, { id, suffix: null });
  });
  expect(seen).toMatchObject([{ userName: 'renamed' }]);
});

test('a database with plugins of its own gets a text of its own', async () => {
  const shouting = database.db.withPlugin(new CamelCasePlugin({ upperCase: true }));
  const [one] = people;
  await expect(nameOf(shouting, { id: one?.id ?? 0, suffix: null })).rejects.toThrow();
  expect(await nameOf(database.db, { id: one?.id ?? 0, suffix: null })).toHaveLength(1);
});
