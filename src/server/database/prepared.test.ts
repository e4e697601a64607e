import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { listCouponsInputSchema } from '#contract/coupons/coupons.ts';
import type { Actor } from '#server/context/context.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import { listCoupons } from '#server/coupons/search/listing.ts';
import {
  createCoupon,
  createTestContext,
  createUser,
  type TestContext,
  type TestCoupon,
} from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { createDatabase, type Database, type DatabaseHandle, inTransaction, type Trx } from './client.ts';
import { prepared } from './prepared.ts';

const database = setUpDatabase();
let owner: Actor;
const coupons: TestCoupon[] = [];
beforeAll(async () => {
  const ctx = createTestContext(database);
  owner = await createUser(ctx);
  for (let at = 0; at < 5; at += 1) coupons.push(await createCoupon(ctx, owner));
});

/** One connection, so that everything is asked of the same. */
async function withConnection<Result>(
  prepares: boolean | undefined,
  work: (ctx: TestContext, own: DatabaseHandle) => Promise<Result>,
): Promise<Result> {
  const own = createDatabase({ url: database.url, poolSize: 1, prepares });
  try {
    return await work(createTestContext(own), own);
  } finally {
    await own.close();
  }
}
const preparedOf = async ({ pool }: DatabaseHandle) =>
  (
    await pool.query(
      'select name, generic_plans as generic from pg_prepared_statements order by prepare_time',
    )
  ).rows;

describe('prepared statements', () => {
  /** Each coupon, several times: PostgreSQL changes to a plan for all values after five. */
  const readAll = async (ctx: TestContext) => {
    const answers = [];
    for (const viewer of [owner, null])
      for (let round = 0; round < 3; round += 1)
        for (const { id } of coupons) answers.push(await couponById({ ...ctx, actor: viewer }, id));
    for (let limit = 1; limit <= 6; limit += 1)
      answers.push(await listCoupons(ctx, listCouponsInputSchema.parse({ search: 'coupon', limit })));
    return answers;
  };

  it('are planned once for each connection, and answer the same as those that are not', async () => {
    const named = await withConnection(undefined, async (ctx, own) => {
      const answers = await readAll(ctx);
      const found = await preparedOf(own);
      expect(found.map(({ name }) => name)).toEqual(['coupon-by-id', 'coupons-by-6-ids']);
      for (const { generic } of found) expect(generic).toBeGreaterThan(0);
      return answers;
    });
    const unnamed = await withConnection(false, async (ctx, own) => {
      const answers = await readAll(ctx);
      expect(await preparedOf(own)).toEqual([]);
      return answers;
    });
    expect(named).toEqual(unnamed);
  });

  it('go on when a migration of another process changes the columns', async () => {
    await withConnection(undefined, async (_, { db }) => {
      const read = (from: Database | Trx) =>
        prepared(from, 'changing', sql<object>`select * from changing where id = 1`);
      await database.pool.query('create table changing (id int); insert into changing values (1)');
      expect(await read(db)).toEqual([{ id: 1 }]);
      await database.pool.query('alter table changing add column more int default 2');
      expect(await read(db)).toEqual([{ id: 1, more: 2 }]);
      expect(await inTransaction(db, read)).toEqual([{ id: 1, more: 2 }]);
      await database.pool.query('alter table changing add column most int default 3');
      expect(await inTransaction(db, read)).toEqual([{ id: 1, more: 2, most: 3 }]);
    });
  });

  it('write once when a migration of another process changes the columns', async () => {
    await withConnection(undefined, async (_, own) => {
      await database.pool.query('create table written (id int)');
      const write = (id: number, db: Database | Trx = own.db) =>
        prepared(db, 'writing', sql<object>`insert into written values (${id}) returning *`);
      await write(1);
      expect(await preparedOf(own)).toHaveLength(1);
      await database.pool.query('alter table written add column more int default 2');
      expect(await write(2)).toEqual([{ id: 2, more: 2 }]);
      await database.pool.query('alter table written add column most int default 3');
      await inTransaction(own.db, (trx) => write(3, trx));
      expect((await database.pool.query('select id from written order by id')).rows).toEqual([
        { id: 1 },
        { id: 2 },
        { id: 3 },
      ]);
    });
  });
});
