import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { skeleton } from '#server/core/fold.ts';
import { migrateTo, migrateToLatest } from '#server/database/migrate.ts';
import { setUpDatabase } from '#server/testing/database.ts';

/* The migration 2026-11-25T0820-name-skeletons, over people who registered before it. */

const database = setUpDatabase();
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789_.-MVI'];
const NAMES = ['maple_mia', 'maple.mia', 'v_vv', 'vvvv', 'VVVVV', 'Iris', '1r1s', '...', '___'].concat(
  LETTERS.flatMap((left) => LETTERS.map((right) => `${left}${right}${left}`)),
);

beforeAll(async () => {
  await sql`drop schema public cascade`.execute(database.db);
  await sql`create schema public`.execute(database.db);
  await migrateTo(database.db, '2026-11-25T0810-drawable-codes');
  await sql`insert into users (username, email, password_hash, terms_accepted_at, adult_confirmed_at, created_at,
      updated_at, deleted_at)
    select name, place || '@example.org', 'x', now(), now(), now(), now(), case when name like 'deleted-%' then now() end
    from unnest(${[...NAMES, 'deleted-7']}::text[]) with ordinality as given (name, place) order by place
    on conflict do nothing`.execute(database.db);
  await migrateToLatest(database);
});

it('each look belongs to the first who has it, and to nobody deleted', async () => {
  const people = await database.db
    .selectFrom('users')
    .select(['username', 'skeleton', 'deletedAt'])
    .orderBy('id')
    .execute();
  expect(people.length).toBeGreaterThan(1_000);
  const seen = new Set<string>();
  const expected = people.map(({ username, deletedAt }) => {
    const look = skeleton(username);
    const isFirst = deletedAt === null && !seen.has(look);
    seen.add(look);
    return { username, skeleton: isFirst ? look : null, deletedAt };
  });
  expect(people).toEqual(expected);
});
