import { describe, expect, it } from 'vitest';
import { listAskableCouponsInputSchema } from '#contract/coupons/coupons.ts';
import { COUPON_SORTS, type CouponSort, SHORT_SEARCH_REACH } from '#contract/coupons/sorts.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { inTransaction } from '#server/database/client.ts';
import { addBlock } from '#server/people/blocks/service.ts';
import { actingAs, createCoupon, createUser } from '#tests/support/builders.ts';
import { insertSwap } from '#tests/support/exchanges.ts';
import { ENDLESS, setUpMarketplace } from '#tests/support/marketplace.ts';
import { listAskableCoupons, listViewedCoupons } from './listing.ts';

const { ctx, owner, dayAhead, create, browse, browseOwn, titles, fill } = setUpMarketplace();

describe('a search of a member', () => {
  it('has the coupons first that count in their country, in every order and by cursors, and hides none [spec/3 2.22]', async () => {
    await create('tulip german', { regions: ['AT', 'DE'] });
    await create('tulip british', { regions: ['GB'] });
    await create('tulip anywhere');
    await create('rose german', { regions: ['DE'] });
    const ben = actingAs(ctx, await createUser(ctx, { country: 'DE' }));
    const found = async (input: object, who: typeof ctx = ben) => {
      const page = await browse({ search: 'tulip', ...input }, who);
      return { ...page, titles: page.items.map(({ title }) => title) };
    };
    for (const sort of COUPON_SORTS) expect((await found({ sort })).titles.at(-1)).toBe('tulip british');
    const newest = ['tulip anywhere', 'tulip german', 'tulip british'];
    expect((await found({})).titles).toEqual(newest);
    expect((await found({}, ctx)).titles).toEqual(['tulip anywhere', 'tulip british', 'tulip german']);
    const first = await found({ limit: 1 });
    const rest = await found({ limit: 2, page: first.nextCursor });
    expect([...first.titles, ...rest.titles]).toEqual(newest);
    expect((await found({ limit: 1, page: rest.previousCursor })).titles).toEqual(first.titles);
    // Without a search the order is as asked for.
    expect((await browse({}, ben)).items.map(({ title }) => title)[0]).toBe('rose german');
  });
});

describe('what is on offer', () => {
  it('is active and not expired; a coupon whose last day is today is still on offer', async () => {
    await create('endless', ENDLESS);
    await create('ends today', { expiryDate: dayAhead(0) });
    await create('ended yesterday', { expiryDate: dayAhead(-1) });
    await create('inactive', { isActive: false });
    await create('deleted', { isActive: false, deletedAt: ctx.clock() });
    expect(await titles()).toEqual(['ends today', 'endless']);
    const page = await browse();
    expect(page).toMatchObject({ total: 2, totalIsCapped: false, nextCursor: null });
  });

  it('shows the owner the beginning of the code, and others nothing of it', async () => {
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
    expect(own.items[1]).toMatchObject({ id: coupon.id, codePreview: 'HUSHHUS…' });
    expect(JSON.stringify(own)).not.toMatch(/12345/);
    expect((await browse({ search: 'hushhush' })).items).toEqual([]);
  });

  it('names the owner and says whether a deal holds the coupon [spec/1 3.4]', async () => {
    const { id } = await create('held');
    await create('free');
    const requester = await createUser(ctx);
    const offered = await createCoupon(ctx, requester, { title: 'offered', isActive: false });
    const exchangeId = await insertSwap(ctx, {
      requesterId: requester.id,
      ownerId: owner.id,
      requestedCouponId: id,
      offeredCouponId: offered.id,
      createdAt: ctx.clock(),
    });
    const reservation = { couponId: id, exchangeId, createdAt: ctx.clock() };
    await ctx.db.insertInto('couponReservations').values(reservation).execute();
    expect((await browse()).items).toMatchObject([
      { title: 'free', isReserved: false, ownerUsername: owner.username },
      { title: 'held', isReserved: true, ownerUsername: owner.username },
    ]);
    await ctx.db.deleteFrom('couponReservations').execute();
    await inTransaction(ctx.db, async (trx) => {
      for (const table of ['exchangeLegs', 'exchangeParties', 'exchanges'] as const)
        await trx.deleteFrom(table).execute();
    });
  });
});

describe('filters', () => {
  it('by category [spec/1 3.20]', async () => {
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
    // Text in other fields does not match.
    ['by the', []],
  ])('by a part of the merchant, ignoring case: %s', async (merchant, found) => {
    await create('by the bakery', { merchant: 'The Bakery Lane' });
    await create('café', { merchant: 'Café d’Or', description: 'Not for bread and rolls.' });
    expect(await titles({ merchant })).toEqual(found);
  });

  it('by value in cents, without percentages [spec/1 7.6]', async () => {
    for (const value of [500, 1_000, 1_500]) await create(String(value), { value });
    await create('15%', { value: 1_500, discountType: 'percentage' });
    for (const sort of COUPON_SORTS) {
      const found = async (range: object) => (await titles({ ...range, sort })).sort();
      expect(await found({ minValue: 1_000 })).toEqual(['1000', '1500']);
      expect(await found({ maxValue: 1_000 })).toEqual(['1000', '500']);
      expect(await found({ minValue: 1_000, maxValue: 1_000 })).toEqual(['1000']);
      expect(await found({ minValue: 0 })).toEqual(['1000', '1500', '500']);
      expect(await found({ minValue: 99_999_999 })).toEqual([]);
      expect(await found({ minValue: 100_000_000_000 })).toEqual([]);
      expect(await found({ maxValue: 100_000_000_000 })).toEqual(['1000', '1500', '500']);
      expect(await found({ minValue: 1_500, maxValue: 500 })).toEqual([]);
    }
  });

  it('by expiry within days, without coupons that never expire [spec/1 7.6]', async () => {
    await create('endless', ENDLESS);
    // Today counts as one day left.
    for (const days of [1, 7, 8]) await create(`${days} left`, { expiryDate: dayAhead(days - 1) });
    expect(await titles({ expiryDays: 7 })).toEqual(['7 left', '1 left']);
    expect(await titles({ expiryDays: 1 })).toEqual(['1 left']);
    expect(await titles({ expiryDays: 0 })).toEqual([]);
    expect(await titles({ expiryDays: 3_650 })).toEqual(['8 left', '7 left', '1 left']);
  });

  it('by a text in title, merchant or description, combined with all other filters [spec/1 5.15]', async () => {
    await create('Pizza for two', { value: 2_000 });
    await create('Cheap pizza', { value: 100 });
    await create('Bread', { description: 'Also good for PIZZA.', value: 2_000, category: 'retail' });
    await create('Rolls', { merchant: 'Pizzeria', value: 2_000, expiryDate: dayAhead(90) });
    expect(await titles({ search: 'pIzZ' })).toEqual(['Rolls', 'Bread', 'Cheap pizza', 'Pizza for two']);
    const narrow = { search: 'pizz', category: 'food', minValue: 1_000, expiryDays: 31, merchant: 'lane' };
    expect(await titles(narrow)).toEqual(['Pizza for two']);
  });

  it('by a short text among the newest live coupons, by a longer one among all', async () => {
    await fill(SHORT_SEARCH_REACH, (i) => (i === SHORT_SEARCH_REACH - 1 ? { title: 'The xq last' } : {}));
    const older = new Date('2030-01-01');
    await create('Old xq', { createdAt: older, merchant: 'Kb' });
    for (const sort of COUPON_SORTS) {
      expect(await titles({ search: 'xq', sort })).toEqual(['The xq last']);
      expect(await titles({ search: 'old xq', sort })).toEqual(['Old xq']);
      expect(await titles({ merchant: 'kb', sort })).toEqual([]);
    }
    // Coupons that are not live are not searched.
    await ctx.db.updateTable('coupons').set({ isActive: false }).where('title', '=', 'Coupon 0').execute();
    expect(await titles({ search: 'xq' })).toEqual(['The xq last', 'Old xq']);
    expect(await titles({ merchant: 'kb' })).toEqual(['Old xq']);
  });
});

describe('orders', () => {
  it.each([
    ['newest', ['Box', 'Dot', 'Cup', 'Ash']],
    ['oldest', ['Ash', 'Cup', 'Dot', 'Box']],
    // Percentages come last in both directions.
    ['value-high', ['Ash', 'Cup', 'Dot', 'Box']],
    ['value-low', ['Cup', 'Ash', 'Dot', 'Box']],
    ['expiry', ['Dot', 'Box', 'Cup', 'Ash']],
  ] satisfies [CouponSort, string[]][])('%s [spec/1 9.2]', async (sort, order) => {
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

it('what can be bought at once is a filter in every order, and an order by price, which leaves out the rest', async () => {
  await create('Fifty', { askingPrice: '50.00', category: 'travel' });
  await create('Free to ask');
  await create('Nine', { askingPrice: '9.00' });
  await create('Nine ninety', {
    askingPrice: '9.90',
    category: 'travel',
    isVerified: true,
    checkedAt: ctx.clock(),
  });
  await create('Gone', { askingPrice: '4.00', isActive: false });
  for (const sort of COUPON_SORTS) {
    const listed = await titles({ sort, hasAskingPrice: true });
    expect(listed.toSorted(), sort).toEqual(['Fifty', 'Nine', 'Nine ninety']);
    expect(await titles({ sort, hasAskingPrice: false })).toHaveLength(4);
  }
  expect(await titles({ sort: 'price-low' })).toEqual(['Nine', 'Nine ninety', 'Fifty']);
  expect(await titles({ sort: 'price-low', category: 'travel' })).toEqual(['Nine ninety', 'Fifty']);
  expect(await titles({ sort: 'price-low', checkedDays: 7 })).toEqual(['Nine ninety']);
  const [first, second] = [await browse({ sort: 'price-low', limit: 1 }), { sort: 'price-low', limit: 1 }];
  expect((await browse({ ...second, page: first.nextCursor })).items).toMatchObject([
    { title: 'Nine ninety' },
  ]);
});

it('of coupons by their ids, those on offer are listed in the same order, without people whom the caller has blocked', async () => {
  const viewer = await createUser(ctx);
  const blocked = await createUser(ctx);
  const theirs = await createCoupon(ctx, blocked, { title: 'of a blocked person' });
  const made = [
    await create('soup'),
    await create('last day', { expiryDate: dayAhead(0) }),
    await create('expired', { expiryDate: dayAhead(-1) }),
    await create('inactive', { isActive: false }),
    await create('deleted', { isActive: false, deletedAt: ctx.clock() }),
    await create('public code', { category: 'scraped' }),
    theirs,
    await create('bread'),
  ];
  const listed = async () => {
    const found = await listViewedCoupons(
      actingAs(ctx, viewer),
      made.map(({ id }) => id),
    );
    return found.map(({ title }) => title);
  };
  expect(await listed()).toEqual(['soup', 'last day', 'of a blocked person', 'bread']);
  await inTransaction(ctx.db, (trx) => addBlock(trx, actingAs(ctx, viewer), blocked.id));
  expect(await listed()).toEqual(['soup', 'last day', 'bread']);
});

describe('what can be asked of somebody', () => {
  const askable = async (asker: Actor, input: object = {}) => {
    const given = listAskableCouponsInputSchema.parse({ userId: owner.id, ...input });
    const { items, total } = await listAskableCoupons(actingAs(ctx, asker), given);
    expect(total).toBe(items.length);
    return items.map(({ title, priceFloor, codePreview }) => {
      expect([priceFloor, codePreview]).toEqual([null, null]);
      return title;
    });
  };

  it('is live and open to offers, of that person alone, without what only the owner may see', async () => {
    await create('soup', { askingPrice: '9.00', priceFloor: '5.00' });
    await create('bread');
    await create('not open', { isOpenToOffers: false });
    await create('expired', { expiryDate: dayAhead(-1) });
    await create('inactive', { isActive: false });
    await create('deleted', { isActive: false, deletedAt: ctx.clock() });
    await create('public code', { category: 'scraped' });
    const asker = await createUser(ctx);
    await createCoupon(ctx, asker, { title: 'the asker’s' });
    expect(await askable(asker)).toEqual(['bread', 'soup']);
    expect(await askable(asker, { search: 'SOUP' })).toEqual(['soup']);
  });

  it('is nothing after the caller has blocked that person', async () => {
    await create('soup');
    const asker = await createUser(ctx);
    await inTransaction(ctx.db, (trx) => addBlock(trx, actingAs(ctx, asker), owner.id));
    expect(await askable(asker)).toEqual([]);
  });
});

describe("the caller's own coupons", () => {
  it("include expired ones, but no deleted ones and nobody else's [spec/1 7.8]", async () => {
    await create('live');
    await create('expired', { expiryDate: dayAhead(-5) });
    await create('inactive', { isActive: false });
    await create('deleted', { isActive: false, deletedAt: ctx.clock() });
    await createCoupon(ctx, await createUser(ctx), { title: 'another’s' });
    const page = await browseOwn(owner);
    expect(page.items.map(({ title }) => title)).toEqual(['inactive', 'expired', 'live']);
    expect(page.total).toBe(3);
    expect(page.items.every(({ codePreview }) => codePreview?.startsWith('TESTCODE'))).toBe(true);
  });

  it('can be searched, also by short texts, and ordered [spec/1 2.12]', async () => {
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
