import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  COUPON_SORTS,
  type CouponSort,
  listCouponsInputSchema,
  listOwnCouponsInputSchema,
  SHORT_SEARCH_REACH,
} from '#contract/coupons.ts';
import { COUNT_CAP } from '#contract/primitives.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import {
  actingAs,
  createCoupon,
  createUser,
  setUpContext,
  type TestContext,
} from '#server/testing/builders.ts';
import type { Actor } from '../context.ts';
import { listCoupons, listOwnCoupons } from './listing.ts';

const ctx = setUpContext();
let owner: Actor;
beforeAll(async () => {
  owner = await createUser(ctx);
});
/** Each test has the marketplace to itself. */
beforeEach(async () => {
  await ctx.db.deleteFrom('coupons').execute();
});

const ENDLESS = { expiryDate: null, hasNoExpiry: true };
const dayAhead = (days: number) => utcDay(addDays(ctx.clock(), days));

function create(title: string, columns: Parameters<typeof createCoupon>[2] = {}) {
  return createCoupon(ctx, owner, { title, ...columns });
}

function browse(input: Record<string, unknown> = {}, as: TestContext = ctx) {
  return listCoupons(as, listCouponsInputSchema.parse(input));
}

function browseOwn(who: Actor, input: Record<string, unknown> = {}) {
  return listOwnCoupons(actingAs(ctx, who), listOwnCouponsInputSchema.parse(input));
}

async function titles(input: Record<string, unknown> = {}): Promise<string[]> {
  return (await browse(input)).items.map(({ title }) => title);
}

/** Puts many plain coupons into the marketplace, `minutes` apart, the first one newest. */
async function fill(
  count: number,
  columns: (i: number) => Partial<Parameters<typeof createCoupon>[2]> = () => ({}),
) {
  const now = ctx.clock();
  const rows = Array.from({ length: count }, (_, i) => ({
    ownerId: owner.id,
    title: `Coupon ${i}`,
    description: 'One of many coupons.',
    value: 1_000,
    merchant: 'Bakery Lane',
    category: 'food',
    expiryDate: dayAhead(30),
    createdAt: new Date(now.getTime() - i * 60_000),
    updatedAt: now,
    ...columns(i),
  }));
  for (let i = 0; i < count; i += 1_000) {
    await ctx.db
      .insertInto('coupons')
      .values(rows.slice(i, i + 1_000))
      .execute();
  }
}

describe('what is on offer', () => {
  it('is active and not past its last day, which today still is', async () => {
    await create('endless', ENDLESS);
    await create('ends today', { expiryDate: dayAhead(0) });
    await create('ended yesterday', { expiryDate: dayAhead(-1) });
    await create('inactive', { isActive: false });
    await create('deleted', { isActive: false, deletedAt: ctx.clock() });
    expect(await titles()).toEqual(['ends today', 'endless']);
    const page = await browse();
    expect(page).toMatchObject({ total: 2, totalIsCapped: false, nextCursor: null });
  });

  it('shows strangers, visitors and other sellers nothing of a code, the owner its beginning', async () => {
    const coupon = await create('secret', { code: 'HUSHHUSH-12345' });
    await create('without', { code: null });
    const other = await createUser(ctx);
    for (const viewer of [ctx, actingAs(ctx, other)]) {
      const page = await browse({}, viewer);
      expect(page.items.map(({ hasCode, codePreview }) => ({ hasCode, codePreview }))).toEqual([
        { hasCode: false, codePreview: null },
        { hasCode: true, codePreview: null },
      ]);
      expect(JSON.stringify(page)).not.toMatch(/HUSH/);
    }
    const own = await browse({}, actingAs(ctx, owner));
    expect(own.items[1]).toMatchObject({ id: coupon.id, codePreview: 'HUSHHUSH-1…' });
    expect(JSON.stringify(own)).not.toMatch(/12345/);
    expect((await browse({ search: 'hushhush' })).items).toEqual([]);
  });

  it('says whose it is and whether a deal holds it', async () => {
    const { id } = await create('held');
    await create('free');
    const requester = await createUser(ctx);
    const offered = await createCoupon(ctx, requester, { title: 'offered', isActive: false });
    const exchange = await ctx.db
      .insertInto('exchanges')
      .values({
        requesterId: requester.id,
        ownerId: owner.id,
        requestedCouponId: id,
        offeredCouponId: offered.id,
        createdAt: ctx.clock(),
        updatedAt: ctx.clock(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const reservation = { couponId: id, exchangeId: exchange.id, createdAt: ctx.clock() };
    await ctx.db.insertInto('couponReservations').values(reservation).execute();
    expect((await browse()).items).toMatchObject([
      { title: 'free', isReserved: false, ownerUsername: owner.username },
      { title: 'held', isReserved: true, ownerUsername: owner.username },
    ]);
    await ctx.db.deleteFrom('couponReservations').execute();
    await ctx.db.deleteFrom('exchanges').execute();
  });
});

describe('filters', () => {
  it('by category', async () => {
    await create('soup');
    await create('train', { category: 'travel' });
    expect(await titles({ category: 'travel' })).toEqual(['train']);
    expect(await titles({ category: 'scraped' })).toEqual([]);
  });

  it.each([
    ['BAKERY', ['by the bakery']],
    ['é d’', ['café']],
    ['CAFÉ', ['café']],
    ['', ['café', 'by the bakery']],
    // Not by what stands elsewhere in the coupon.
    ['by the', []],
  ])('by a part of the merchant, whatever the case: %s', async (merchant, found) => {
    await create('by the bakery', { merchant: 'The Bakery Lane' });
    await create('café', { merchant: 'Café d’Or', description: 'Not for bread and rolls.' });
    expect(await titles({ merchant })).toEqual(found);
  });

  it('by value, in cents, which leaves percentages out', async () => {
    for (const value of [500, 1_000, 1_500]) await create(String(value), { value });
    await create('15%', { value: 1_500, discountType: 'percentage' });
    for (const sort of COUPON_SORTS) {
      const found = async (range: object) => (await titles({ ...range, sort })).sort();
      expect(await found({ minValue: 1_000 })).toEqual(['1000', '1500']);
      expect(await found({ maxValue: 1_000 })).toEqual(['1000', '500']);
      expect(await found({ minValue: 1_000, maxValue: 1_000 })).toEqual(['1000']);
      expect(await found({ minValue: 0 })).toEqual(['1000', '1500', '500']);
      expect(await found({ minValue: 99_999_999 })).toEqual([]);
      expect(await found({ minValue: 1_500, maxValue: 500 })).toEqual([]);
    }
  });

  it('by expiry within days, which leaves out what never expires', async () => {
    await create('endless', ENDLESS);
    for (const days of [0, 7, 8]) await create(`in ${days}`, { expiryDate: dayAhead(days) });
    expect(await titles({ expiryDays: 7 })).toEqual(['in 7', 'in 0']);
    expect(await titles({ expiryDays: 0 })).toEqual(['in 0']);
    expect(await titles({ expiryDays: 3_650 })).toEqual(['in 8', 'in 7', 'in 0']);
  });

  it('by a text in title, merchant or description, together with all the others', async () => {
    await create('Pizza for two', { value: 2_000 });
    await create('Cheap pizza', { value: 100 });
    await create('Bread', { description: 'Also good for PIZZA.', value: 2_000, category: 'retail' });
    await create('Rolls', { merchant: 'Pizzeria', value: 2_000, expiryDate: dayAhead(90) });
    expect(await titles({ search: 'pIzZ' })).toEqual(['Rolls', 'Bread', 'Cheap pizza', 'Pizza for two']);
    const narrow = { search: 'pizz', category: 'food', minValue: 1_000, expiryDays: 30, merchant: 'lane' };
    expect(await titles(narrow)).toEqual(['Pizza for two']);
  });

  it.each([
    ['50%', ['Save 50% now']],
    ['e_5', ['Snake_50 now']],
    ['back\\slash', ['back\\slash']],
    ['%%%', []],
    ["o'; drop", []],
  ])('by a text that means itself: %s', async (search, found) => {
    for (const title of ['Save 50% now', 'Save 500 now', 'Snake_50 now', 'back\\slash']) await create(title);
    expect(await titles({ search })).toEqual(found);
    expect(await titles({ search, sort: 'expiry' })).toEqual(found);
  });

  it('by a short text among the newest live coupons alone, a longer one among all', async () => {
    await fill(SHORT_SEARCH_REACH, (i) => (i === SHORT_SEARCH_REACH - 1 ? { title: 'The xq last' } : {}));
    const older = new Date('2030-01-01');
    await create('Old xq', { createdAt: older, merchant: 'Kb' });
    for (const sort of COUPON_SORTS) {
      expect(await titles({ search: 'xq', sort })).toEqual(['The xq last']);
      expect(await titles({ search: 'old xq', sort })).toEqual(['Old xq']);
      expect(await titles({ merchant: 'kb', sort })).toEqual([]);
    }
    // What is not live does not count.
    await ctx.db.updateTable('coupons').set({ isActive: false }).where('title', '=', 'Coupon 0').execute();
    expect(await titles({ search: 'xq' })).toEqual(['The xq last', 'Old xq']);
    expect(await titles({ merchant: 'kb' })).toEqual(['Old xq']);
  });
});

describe('orders', () => {
  it.each([
    ['newest', ['Box', 'Dot', 'Cup', 'Ash']],
    ['oldest', ['Ash', 'Cup', 'Dot', 'Box']],
    // Percentages last, both ways.
    ['value-high', ['Ash', 'Cup', 'Dot', 'Box']],
    ['value-low', ['Cup', 'Ash', 'Dot', 'Box']],
    ['expiry', ['Dot', 'Box', 'Cup', 'Ash']],
  ] satisfies [CouponSort, string[]][])('%s', async (sort, order) => {
    const [monday, tuesday, wednesday] = [-9, -8, -7].map((days) => addDays(ctx.clock(), days));
    const percentage = { discountType: 'percentage' };
    const within = (days: number) => ({ expiryDate: dayAhead(days) });
    await create('Box', { createdAt: wednesday, value: 5_000, ...percentage, ...within(2) });
    await create('Ash', { createdAt: monday, value: 3_000, ...ENDLESS });
    await create('Cup', { createdAt: tuesday, value: 100, ...within(9) });
    await create('Dot', { createdAt: tuesday, value: 9_900, ...percentage, ...within(1) });
    expect(await titles({ sort })).toEqual(order);
  });
});

describe('pages', () => {
  /** Many of everything alike, so that ties lie across the ends of pages. */
  const tied = (i: number) => ({
    createdAt: addDays(ctx.clock(), -(i % 3)),
    value: 100 * (1 + (i % 2)),
    discountType: i % 5 < 2 ? 'percentage' : 'fixed',
    ...(i % 4 === 0 ? ENDLESS : { expiryDate: dayAhead(i % 2), hasNoExpiry: false }),
  });

  it.each(COUPON_SORTS)('by cursor walk every coupon once, in order %s', async (sort) => {
    await fill(83, tied);
    const all = (await browse({ sort, limit: 100 })).items.map(({ id }) => id);
    expect(new Set(all).size).toBe(83);
    for (const walk of [
      (after?: string) => browse({ sort, limit: 7, after }),
      (after?: string) => browseOwn(owner, { sort, limit: 7, after }),
    ]) {
      const walked: number[] = [];
      let page = await walk();
      for (;;) {
        walked.push(...page.items.map(({ id }) => id));
        expect(page).toMatchObject({ total: 83, totalIsCapped: false });
        if (page.nextCursor === null) break;
        expect(page.items).toHaveLength(7);
        page = await walk(page.nextCursor);
      }
      expect(walked).toEqual(all);
    }
  });

  it('end exactly where the coupons do', async () => {
    await fill(14);
    const first = await browse({ limit: 7 });
    expect((await browse({ limit: 7, after: first.nextCursor })).nextCursor).toBeNull();
    expect((await browse({ limit: 14 })).nextCursor).toBeNull();
  });

  it('by number go no further than coupons are counted, and say how to go on', async () => {
    await fill(COUNT_CAP + 5);
    const last = await browse({ page: 2, limit: COUNT_CAP / 2 });
    expect(last).toMatchObject({ total: COUNT_CAP, totalIsCapped: true });
    expect(last.items[0]?.title).toBe('Coupon 100');
    const on = await browse({ limit: 100, after: last.nextCursor });
    expect(on.items.map(({ title }) => title)).toEqual([0, 1, 2, 3, 4].map((i) => `Coupon ${COUNT_CAP + i}`));
    for (const tooFar of [browse({ page: 3, limit: 100 }), browseOwn(owner, { page: 5, limit: 50 })]) {
      await expect(tooFar).rejects.toMatchObject({
        code: 'bad_input',
        message: expect.stringContaining('`after`'),
        issues: [{ path: 'page' }],
      });
    }
  });

  it('count exactly up to the cap', async () => {
    await fill(COUNT_CAP);
    expect(await browse()).toMatchObject({ total: COUNT_CAP, totalIsCapped: false });
    expect(await browse({ search: 'coupon 19' })).toMatchObject({ total: 11 });
  });

  const cursor = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');

  it.each([
    ['AAAA'],
    [cursor()],
    [cursor('newest', '2035-06-15T12:00:00.000Z')],
    [cursor('newest', '2035-06-15T12:00:00.000Z', 1, 2)],
    [cursor('newest', '2035-06-15T12:00:00.000Z', 0)],
    [cursor('newest', '2035-06-15T12:00:00.000Z', '1')],
    [cursor('newest', 'yesterday', 1)],
    [cursor('newest', 12, 1)],
    [cursor('newest', null, 1)],
    [cursor('newest', '0000-06-15T12:00:00.000Z', 1)],
    [cursor('oldest', '2035-06-15T12:00:00.000Z', 1)],
    [cursor('value-high', 12, 1)],
    [Buffer.from('null').toString('base64url')],
  ])('refuse what is no cursor of theirs: %s', async (after) => {
    const refusal = { code: 'bad_input', issues: [{ path: 'after' }] };
    await expect(browse({ after })).rejects.toMatchObject(refusal);
    await expect(browseOwn(owner, { after })).rejects.toMatchObject(refusal);
  });

  it.each([
    ['value-high', cursor('value-high', 1.5, 1)],
    ['value-low', cursor('value-low', 3_000_000_000, 1)],
    ['expiry', cursor('expiry', '2035-02-30', 1)],
    ['expiry', cursor('expiry', '0000-02-01', 1)],
    ['expiry', cursor('expiry', '-infinity', 1)],
  ])('refuse a place that the order %s cannot have', async (sort, after) => {
    await expect(browse({ sort, after })).rejects.toMatchObject({ code: 'bad_input' });
  });
});

describe('one’s own coupons', () => {
  it('are all that are not deleted, expired ones too, and nobody else’s', async () => {
    await create('live');
    await create('expired', { expiryDate: dayAhead(-5) });
    await create('inactive', { isActive: false });
    await create('deleted', { isActive: false, deletedAt: ctx.clock() });
    await createCoupon(ctx, await createUser(ctx), { title: 'another’s' });
    const page = await browseOwn(owner);
    expect(page.items.map(({ title }) => title)).toEqual(['inactive', 'expired', 'live']);
    expect(page.total).toBe(3);
    expect(page.items.every(({ codePreview }) => codePreview?.startsWith('TESTCODE-'))).toBe(true);
  });

  it('are searched, short texts too, and ordered', async () => {
    await create('Soup A1', { value: 100 });
    await create('Soup B', { value: 300 });
    await create('Bread A1', { value: 200 });
    const found = async (input: Record<string, unknown>) =>
      (await browseOwn(owner, input)).items.map(({ title }) => title);
    expect(await found({ search: 'SOUP', sort: 'value-high' })).toEqual(['Soup B', 'Soup A1']);
    expect(await found({ search: 'a1', sort: 'oldest' })).toEqual(['Soup A1', 'Bread A1']);
    expect(await found({ search: '_' })).toEqual([]);
  });
});
