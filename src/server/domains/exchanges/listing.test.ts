import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listExchangesInputSchema } from '#contract/exchanges.ts';
import {
  actingAs,
  createCoupon,
  createTestContext,
  createUser,
  type TestContext,
} from '#server/testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { createDeal, move, propose, twoPeople } from '#server/testing/exchanges.ts';
import type { Actor } from '../context.ts';
import { listExchanges } from './service.ts';

let database: TestDatabase;
let ctx: TestContext;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = createTestContext(database);
});
afterAll(() => database.close());

const as = (actor: Actor) => actingAs(ctx, actor);

describe('listing', () => {
  const input = (given: Parameters<typeof listExchangesInputSchema.parse>[0] = {}) =>
    listExchangesInputSchema.parse(given);

  it('has a tab for each side and state, newest first', async () => {
    const { requester: me, id: first, offered } = await createDeal(ctx);
    ctx.clock.advanceDays(0.01);
    const other = await createUser(ctx);
    const received = await propose(ctx, other, {
      offered: await createCoupon(ctx, other),
      requested: offered,
    });
    ctx.clock.advanceDays(0.01);
    const third = await propose(ctx, me, { offered, requested: await createCoupon(ctx, other) });
    await move(ctx, other, third.id, 'accepted');
    await move(ctx, me, third.id, 'completed');
    const idsOf = async (tab: string) =>
      (await listExchanges(as(me), input({ tab }))).items.map(({ id }) => id);
    expect(await idsOf('all')).toEqual([third.id, received.id, first]);
    expect(await idsOf('requested')).toEqual([third.id, first]);
    expect(await idsOf('received')).toEqual([received.id]);
    expect(await idsOf('completed')).toEqual([third.id]);
    expect(await idsOf('pending')).toEqual([]);
  });

  it('finds titles and names by a part, whatever the case, and takes wildcards literally', async () => {
    const me = await createUser(ctx);
    const owner = await createUser(ctx, { username: 'Zebra_Owner' });
    const percent = await createCoupon(ctx, owner, { title: '50% off Pizza' });
    const plain = await createCoupon(ctx, owner, { title: '500 points' });
    const own = await createCoupon(ctx, me, { title: 'My Own Thing' });
    const [one, two] = [
      await propose(ctx, me, { offered: own, requested: percent }),
      await propose(ctx, me, { offered: own, requested: plain }),
    ];
    const find = async (search: string) =>
      (await listExchanges(as(me), input({ search }))).items.map(({ id }) => id);
    expect(await find('pIZZA')).toEqual([one.id]);
    expect(await find('50%')).toEqual([one.id]);
    expect(await find('own thing')).toEqual([two.id, one.id]);
    expect(await find('ebra_o')).toEqual([two.id, one.id]);
    expect(await find('e_ra')).toEqual([]);
    expect(await find('\\')).toEqual([]);
  });

  it('pages, counts no further than 200, and says so', async () => {
    const { requester, owner, offered, requested } = await twoPeople(ctx);
    const start = ctx.clock();
    // Both sides in turn, so that the pages are woven from two indexes.
    await ctx.db
      .insertInto('exchanges')
      .values(
        Array.from({ length: 205 }, (_, i) => ({
          requesterId: i % 2 ? requester.id : owner.id,
          ownerId: i % 2 ? owner.id : requester.id,
          requestedCouponId: i % 2 ? requested.id : offered.id,
          offeredCouponId: i % 2 ? offered.id : requested.id,
          status: 'rejected',
          reason: 'by_owner',
          createdAt: new Date(start.getTime() + i),
          updatedAt: start,
        })),
      )
      .execute();
    const pages = [];
    for (const page of [1, 2, 3]) {
      pages.push(await listExchanges(as(requester), input({ page, limit: 90 })));
    }
    const times = pages.flatMap(({ items }) => items.map(({ createdAt }) => createdAt));
    expect(times).toHaveLength(205);
    expect(new Set(times).size).toBe(205);
    expect(times).toEqual([...times].sort().reverse());
    expect(pages[0]).toMatchObject({ total: 200, totalIsCapped: true, nextCursor: null });
    await expect(listExchanges(as(requester), input({ page: 4, limit: 90 }))).rejects.toMatchObject({
      code: 'bad_input',
      issues: [{ path: 'page' }],
    });
    const few = await listExchanges(as(owner), input({ tab: 'pending' }));
    expect(few).toMatchObject({ items: [], total: 0, totalIsCapped: false });
    await ctx.db.deleteFrom('exchanges').where('requesterId', 'in', [requester.id, owner.id]).execute();
  });
});
