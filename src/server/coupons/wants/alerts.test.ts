import { createHash } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createCoupon, createTestContext, createUser, type TestContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { insertSeekers } from '#tests/support/wants.ts';
import { notifyOfCoupons } from './notify-of-coupons.ts';

/** When and in which order people are told of a coupon that many of them look for. */

const database = setUpDatabase();
let ctx: TestContext;
let owner: Actor;
beforeEach(async () => {
  ctx = createTestContext(database);
  owner = await createUser(ctx);
});

/** Lists a coupon at a time of the test's clock. */
async function listAt(title: string, queuedAt: string, seed?: string): Promise<number> {
  const { id } = await createCoupon(ctx, owner, { title });
  await ctx.db
    .updateTable('wantQueue')
    .set({ queuedAt: new Date(queuedAt), ...(seed && { seed }) })
    .where('couponId', '=', id)
    .execute();
  return id;
}

async function toldOf(couponId: number): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('notifications')
    .select('userId')
    .where('type', '=', 'want')
    .where('relatedId', '=', couponId)
    .orderBy('id')
    .execute();
  return rows.map(({ userId }) => userId);
}

it('wishes are told of the coupons of a minute together, once it is over', async () => {
  await insertSeekers(database, { from: 1, to: 2, search: 'pelican' });
  for (const second of ['00.000', '00.001', '59.999']) {
    await listAt('A pelican', `2035-06-15T12:00:${second}Z`);
    ctx.clock.set(new Date('2035-06-15T12:00:59.999Z'));
    expect(await notifyOfCoupons(ctx)).toBe(0);
  }
  await listAt('A pelican', '2035-06-15T12:01:00Z');
  ctx.clock.set(new Date('2035-06-15T12:01:00Z'));
  expect(await notifyOfCoupons(ctx)).toBe(6);
  ctx.clock.set(new Date('2035-06-15T12:02:00Z'));
  expect(await notifyOfCoupons(ctx)).toBe(2);
});

it('each coupon goes through the wishes in an order of its own, by a random seed', async () => {
  await insertSeekers(database, { from: 11, to: 40, search: 'flamingo' });
  const wants = await ctx.db
    .selectFrom('wants')
    .select(['id', 'userId'])
    .where('search', '=', 'flamingo')
    .execute();
  const orderOf = (seed: string) => {
    const placeOf = ({ id }: { id: number }) => createHash('md5').update(`${seed} ${id}`).digest('hex');
    return wants
      .toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
      .map((want) => want.userId);
  };
  const seeds = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
  const listed = [];
  for (const seed of seeds) listed.push(await listAt('A flamingo', '2035-06-15T12:00:00Z', seed));
  // Without a seed of the test's, each entry has another one.
  for (let count = 0; count < 2; count += 1) await listAt('A flamingo', '2035-06-15T12:00:00Z');
  const queued = await ctx.db.selectFrom('wantQueue').select('seed').execute();
  expect(new Set(queued.map(({ seed }) => seed)).size).toBe(4);
  ctx.clock.set(new Date('2035-06-15T12:05:00Z'));
  expect(await notifyOfCoupons(ctx)).toBe(120);
  const told = await Promise.all(listed.map(toldOf));
  expect(told).toEqual(seeds.map(orderOf));
  expect(told[0]).not.toEqual(told[1]);
});
