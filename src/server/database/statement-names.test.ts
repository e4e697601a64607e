import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { listCouponsInputSchema } from '#contract/coupons.ts';
import type { Actor } from '#server/domains/context.ts';
import { couponById, listCoupons } from '#server/domains/coupons/listing.ts';
import {
  createCoupon,
  createTestContext,
  createUser,
  type TestContext,
  type TestCoupon,
} from '#server/testing/builders.ts';
import { setUpDatabase } from '#server/testing/database.ts';
import { createDatabase, type Database, type DatabaseHandle, inTransaction, type Trx } from './client.ts';
import { createStatementNames } from './statement-names.ts';

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
      'select statement, generic_plans as generic from pg_prepared_statements order by prepare_time',
    )
  ).rows;

describe('a statement gets a name', () => {
  const nameOf = createStatementNames();

  it.each([
    'select * from "coupons" where "id" = $1 and "deleted_at" is null',
    'select count(*) from "notifications" where "user_id" = $1 and "is_read" = $2',
    `select * from "coupons" where is_active and coalesce(expires_at, 'infinity'::timestamptz) >= $1 limit 7 offset 0`,
    'select * from "coupons" where is_active and coupons.category between $1 and $2 order by coupons.category limit 7',
    'with sent as (insert into messages values ($1) returning id) update "threads" set "last_id" = sent.id from sent',
    'update "coupons" set "title" = $1 where "id" = $2',
    'insert into "coupons" ("title", "value") values ($1, $2) returning "id"',
  ])('that reads or writes by equal keys, or reads the first page of a list: %s', (text) => {
    expect(nameOf(text)).toMatch(/^kept-/);
    expect(nameOf(text)).toBe(nameOf(text));
  });

  it.each([
    'select * from "coupons" where "search_text" like $1',
    'select * from "coupons" where "expiry_date" >= $1',
    'select * from "coupons" where "value" between $1 and $2',
    'select * from "coupons" where merchant_text = any($1::text[])',
    `select * from "coupons" where coalesce(expires_at, 'infinity'::timestamptz) <= $1`,
    'select * from "coupons" where created_at < cast($1 as timestamptz)',
    'select * from "coupons" where ("created_at", "id") < (cast($1 as timestamptz), $2)',
    'select * from "coupons" where "owner_id" = $1 limit $2',
    'select * from "coupons" where "id" in ($1, $2)',
    'insert into "coupons" ("title", "value") values ($1, $2), ($3, $4)',
    'update "coupons" set "title" = $1 where "created_at" < $2',
    'begin',
  ])('but not this one: %s', (text) => {
    expect(nameOf(text)).toBeUndefined();
  });

  it('up to a number of names', () => {
    const few = createStatementNames(2);
    const texts = [1, 2, 3].map((at) => `select ${at}`);
    expect(texts.map((text) => few(text) !== undefined)).toEqual([true, true, false]);
    expect(few('select 1')).toBeDefined();
  });
});

describe('reads', () => {
  /** Each coupon, several times: PostgreSQL changes to a plan for all values after five. */
  const readAll = async (ctx: TestContext) => {
    const answers = [];
    for (const viewer of [owner, null])
      for (let round = 0; round < 3; round += 1)
        for (const { id } of coupons) answers.push(await couponById({ ...ctx, actor: viewer }, id));
    answers.push(await listCoupons(ctx, listCouponsInputSchema.parse({ search: 'coupon' })));
    return answers;
  };

  it('by ids are planned once, the search for them each time, and both answer the same as without names', async () => {
    const named = await withConnection(undefined, async (ctx, own) => {
      const answers = await readAll(ctx);
      const prepared = await preparedOf(own);
      expect(prepared.map(({ statement }) => /"coupons"\."id" = .*$/.exec(statement)?.[0])).toEqual([
        expect.stringMatching(/= \$\d+$/),
        expect.stringMatching(/= any\(\$\d+::integer\[\]\)$/),
      ]);
      expect(prepared[0]?.generic).toBeGreaterThan(0);
      return answers;
    });
    const unnamed = await withConnection(false, async (ctx, own) => {
      const answers = await readAll(ctx);
      expect(await preparedOf(own)).toEqual([]);
      return answers;
    });
    expect(named).toEqual(unnamed);
  });

  it('by a long list are planned for it: a plan from an empty table would read all rows for each', async () => {
    await withConnection(undefined, async (_, own) => {
      const read = (ids: number[]) => sql`select id from coupons where id = any(${ids})`.execute(own.db);
      await read(Array.from({ length: 101 }, (__, id) => id));
      expect(await preparedOf(own)).toEqual([]);
      await read([1, 2]);
      expect(await preparedOf(own)).toHaveLength(1);
    });
  });

  it('go on when a migration of another process changes the columns', async () => {
    await withConnection(undefined, async (_, { db }) => {
      const read = sql<object>`select * from changing where id = 1`;
      await database.pool.query('create table changing (id int); insert into changing values (1)');
      expect((await read.execute(db)).rows).toEqual([{ id: 1 }]);
      await database.pool.query('alter table changing add column more int default 2');
      expect((await read.execute(db)).rows).toEqual([{ id: 1, more: 2 }]);
      expect((await inTransaction(db, (trx) => read.execute(trx))).rows).toEqual([{ id: 1, more: 2 }]);
      await database.pool.query('alter table changing add column most int default 3');
      const inside = await inTransaction(db, (trx) => read.execute(trx));
      expect(inside.rows).toEqual([{ id: 1, more: 2, most: 3 }]);
    });
  });

  it('write once when a migration of another process changes the columns', async () => {
    await withConnection(undefined, async (_, own) => {
      await database.pool.query('create table written (id int)');
      const write = (id: number, db: Database | Trx = own.db) =>
        sql`insert into written values (${id}) returning *`.execute(db);
      await write(1);
      expect(await preparedOf(own)).toHaveLength(1);
      await database.pool.query('alter table written add column more int default 2');
      expect((await write(2)).rows).toEqual([{ id: 2, more: 2 }]);
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
