import { beforeAll, describe, expect, it } from 'vitest';
import { listCouponsInputSchema } from '#contract/coupons/coupons.ts';
import { COUPON_SORTS } from '#contract/coupons/sorts.ts';
import { createTestContext, createUser, type TestContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { createManyCoupons } from '#tests/support/many-coupons.ts';
import { planOf, recorded, rowsSeen, type Statement } from '#tests/support/plans.ts';
import { countCoupons, listCoupons } from './listing.ts';

/**
 * PostgreSQL expects that words and checks come together by chance. Here they do not, or come more often than it thinks, and the
 * newest are all alike, as after one person's import.
 */

const COUPONS = 6_000;
const IMPORTED = 1_500;
const database = setUpDatabase();
const sent: Statement[] = [];
let ctx: TestContext;

beforeAll(async () => {
  ctx = createTestContext({ db: recorded(database, sent) });
  const { id: ownerId } = await createUser(ctx);
  await createManyCoupons(database, { ownerId, now: ctx.clock(), count: COUPONS });
  // Half of all have each of two words, and 40 old coupons have both.
  await database.pool.query(`
    update coupons set description = description || case
      when id % 150 = 1 and id > ${COUPONS / 2} then ' lilac ochre' when id % 2 = 0 then ' lilac' else ' ochre' end
      || case when id > ${IMPORTED} then ' amber jade' else ' import' end`);
  await database.pool.query('vacuum analyze coupons');
});

const pageOf = (input: object) => listCoupons(ctx, listCouponsInputSchema.parse({ limit: 24, ...input }));

/** How many coupons the statement that reads most of them reads, at all places of its plan. */
async function mostRead(read: () => Promise<unknown>): Promise<number> {
  sent.length = 0;
  await read();
  const plans = await Promise.all(
    sent.filter(({ sql }) => sql.includes('"coupons"')).map((statement) => planOf(database, statement)),
  );
  const sums = plans.map((nodes) =>
    nodes
      .filter((node) => node['Relation Name'] === 'coupons')
      .reduce((sum, node) => sum + rowsSeen(node), 0),
  );
  return Math.max(...sums);
}

describe.each(COUPON_SORTS)('in the order %s', (sort) => {
  it.each([
    ['two words of half of all that rarely come together', { search: 'lilac ochre' }],
    ['some merchants, checked within a month', { merchant: 'gift', checkedDays: 30 }],
    ['two words of all but the newest', { search: 'amber jade' }],
  ])('few coupons are read for %s', async (_, filter) => {
    expect(await mostRead(() => pageOf({ ...filter, sort }))).toBeLessThan(COUPONS / 2);
  });
});

it('all that have both words are found, in order, and counted', async () => {
  const { rows } = await database.pool.query<{ id: number }>(
    `select id from coupons where description like '%lilac ochre%' and is_active
     and coalesce(expiry_date, 'infinity') >= $1::date order by created_at desc, id desc`,
    [ctx.clock()],
  );
  const ids = rows.map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(5);
  const { items, total } = await pageOf({ search: 'lilac ochre' });
  expect(items.map(({ id }) => id)).toEqual(ids.slice(0, 24));
  expect(total).toBe(ids.length);
  expect(await countCoupons(ctx, { search: 'lilac ochre' })).toEqual({ total, totalIsCapped: false });
  const byWalk = await pageOf({ search: 'lilac' });
  expect(byWalk.totalIsCapped).toBe(true);
});
