import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDatabase, databaseOver } from '#server/database/client.ts';
import type { Connection } from '#server/database/connections.ts';
import { createTestContext, createUser, type TestContext } from '#tests/support/builders.ts';
import { listCoupon } from '#tests/support/coupons.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { checkProofs } from './checking.ts';
import { makeRoot } from './roots.ts';
import { listRoots } from './service.ts';

let database: TestDatabase;
let ctx: TestContext;
beforeEach(async () => {
  database = await createTestDatabase();
  ctx = createTestContext(database);
});
afterEach(() => database.close());

/** The same database, whose connection breaks at one statement. */
function breakingAt(place: number) {
  let sent = 0;
  const breaking = (connection: Connection): Connection => ({
    ...connection,
    async query(statement, values) {
      sent += 1;
      if (sent !== place) return connection.query(statement, values);
      await connection.query('rollback');
      throw new Error(`Broken at statement ${place}`);
    },
  });
  return databaseOver({ connect: async () => breaking(await database.pool.connect()) });
}

it('that is interrupted anywhere leaves nothing, and is made by the next call', async () => {
  const owner = await createUser(ctx);
  for (let coupon = 0; coupon < 5; coupon += 1) await listCoupon(ctx, owner, { codeValue: `ROOT-${coupon}` });
  const countStored = async () => {
    const { rows } = await sql<{ count: number }>`
      select (select count(*) from proof_roots) + (select count(*) from proof_root_chains) as count`.execute(
      ctx.db,
    );
    return rows[0]?.count;
  };
  let place = 1;
  for (; ; place += 1) {
    const made = await makeRoot({ ...ctx, db: breakingAt(place) }, 2).catch(() => 'interrupted');
    if (made !== 'interrupted') break;
    expect(await countStored(), `statement ${place}`).toBe(0);
  }
  expect(place).toBeGreaterThan(10);
  const { items } = await listRoots(ctx, { page: 1, limit: 10 });
  expect(items.map(({ chains }) => chains)).toEqual([5]);
  expect((await checkProofs(ctx)).broken).toEqual([]);
});

it('of very many chains that have grown is made within the limits of a program', async () => {
  const count = shortOrLong(12_000, 1_000_000);
  await sql`insert into exposure_chains (coupon_id, generation) select place, 1 from generate_series(1, ${count}) as place`.execute(
    ctx.db,
  );
  // Its own time limits, not those of the tests.
  const program = createDatabase({ url: database.url, poolSize: 1 });
  try {
    expect(await makeRoot({ ...ctx, db: program.db })).not.toBeNull();
  } finally {
    await program.close();
  }
  const { items } = await listRoots(ctx, { page: 1, limit: 10 });
  expect(items.map(({ chains }) => chains)).toEqual([count]);
});
