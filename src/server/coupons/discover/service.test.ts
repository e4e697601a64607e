import { beforeEach, describe, expect, it } from 'vitest';
import type { FeedOffer } from '#contract/coupons/discover.ts';
import { discoverInputSchema, IMPORT_ALL_MAX, OFFERS_PER_MERCHANT } from '#contract/coupons/discover.ts';
import type { MemberContext } from '#server/context/context.ts';
import { removeCoupon } from '#server/deals/coupon-changes/service.ts';
import {
  actingAs,
  createCoupon,
  createUser,
  setUpFreshContext,
  type TestContext,
} from '#tests/support/builders.ts';
import { codeOf } from '#tests/support/coupons.ts';
import { MANY_CONNECTIONS, setUpDatabase } from '#tests/support/database.ts';
import { aFeedOffer, feedRows } from '#tests/support/feeds.ts';
import { importFeed } from './importing.ts';
import { importAll, importOffer, listDiscover, listMerchantOffers } from './service.ts';

const database = setUpDatabase({ connections: MANY_CONNECTIONS });
const ctx = setUpFreshContext(database);
let me: TestContext & MemberContext;
let other: TestContext & MemberContext;
beforeEach(async () => {
  me = actingAs(ctx, await createUser(ctx));
  other = actingAs(ctx, await createUser(ctx));
  await database.pool.query('truncate feeds, feed_offers, feed_merchants cascade');
});

/** Imports a feed with these offers; each has the given fields. */
const offer = (...offers: Partial<FeedOffer>[]) =>
  importFeed(ctx, {
    name: 'shop',
    rows: feedRows(...offers.map((given) => aFeedOffer({ code: 'ACME10', ...given }))),
  });

/** `count` offers of a merchant. */
const many = (count: number, merchant = 'Acme') =>
  Array.from({ length: count }, (_, index) => ({ merchant, code: `${merchant}-${index + 1}` }));

const list = (who: MemberContext, given: object = {}) => listDiscover(who, discoverInputSchema.parse(given));
const offersOf = (who: MemberContext, merchant: string, page: number | string = 1, limit = 50) =>
  listMerchantOffers(who, { merchant, page, limit });

describe('the list of merchants', () => {
  it('is ordered by name, each merchant with its first offers and their number [spec/3 2.21]', async () => {
    await offer(...many(2, 'zoo'), ...many(OFFERS_PER_MERCHANT + 3, 'Acme'), {
      merchant: 'Middle',
      code: 'M',
    });
    const page = await list(me);
    expect(page.items.map(({ merchant, total, coupons }) => [merchant, total, coupons.length])).toEqual([
      ['Acme', OFFERS_PER_MERCHANT + 3, OFFERS_PER_MERCHANT],
      ['Middle', 1, 1],
      ['zoo', 2, 2],
    ]);
    expect(page).toMatchObject({ total: 3, totalIsCapped: false, nextCursor: null });
    expect(page.items[0]?.coupons.map(({ code }) => code).slice(0, 2)).toEqual(['Acme-1', 'Acme-2']);
    expect(page.items[1]?.coupons[0]).toEqual({
      id: expect.any(Number),
      code: 'M',
      title: 'Ten off',
      description: 'Ten per cent off everything',
      value: 1_000,
      discountType: 'percentage',
      isValueRead: false,
      expiryDate: null,
      expiresAt: null,
      endTime: null,
      regions: [],
      terms: 'Once per person',
      sourceUrl: 'https://acme.example/',
      isVerified: false,
      merchant: 'Middle',
      isImported: false,
      feedback: { worked: 0, failed: 0, lastWorkedAt: null, own: null },
    });
  });

  it('has pages, and can be searched by a literal part of the name', async () => {
    await offer(
      ...['Alpha', 'Beta', 'Alphabet Soup', '100% Wool', 'Café Noir'].map((merchant) => ({ merchant })),
    );
    const names = async (given: object) => (await list(me, given)).items.map(({ merchant }) => merchant);
    expect(await names({ limit: 2 })).toEqual(['100% Wool', 'Alpha']);
    expect(await names({ limit: 2, page: 3 })).toEqual(['Café Noir']);
    expect(await names({ search: 'ALPHA' })).toEqual(['Alpha', 'Alphabet Soup']);
    expect(await names({ search: '%' })).toEqual(['100% Wool']);
    expect(await names({ search: '_' })).toEqual([]);
    expect(await names({ search: 'FÉ  noir' })).toEqual(['Café Noir']);
    expect(await list(me, { search: 'alpha', limit: 1 })).toMatchObject({ total: 2 });
  });

  it('leaves out offers that are expired or not yet valid, and merchants without others', async () => {
    await offer(
      { code: 'TODAY', startDate: '2035-06-15', expiryDate: '2035-06-15' },
      { code: 'LATER', startDate: '2035-06-16' },
      { merchant: 'Closed', code: 'GONE', expiryDate: '2035-06-15' },
    );
    expect((await list(me)).items.map(({ merchant }) => merchant)).toEqual(['Acme', 'Closed']);
    expect((await offersOf(me, 'acme')).items.map(({ code }) => code)).toEqual(['TODAY']);
    // Immediately, before the job's next run.
    ctx.clock.advanceDays(1);
    expect((await list(me)).items.map(({ merchant }) => merchant)).toEqual(['Acme']);
    expect((await offersOf(me, 'acme')).items.map(({ code }) => code)).toEqual(['LATER']);
    await expect(importOffer(me, { merchant: 'Acme', code: 'TODAY' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(importOffer(me, { merchant: 'Closed', code: 'GONE' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('has the offers first that count in the country of the person’s settings, and hides none [spec/3 2.22]', async () => {
    await offer(
      { code: 'GERMAN', regions: ['AT', 'DE'] },
      { code: 'CANADA', regions: ['CA', 'US'] },
      { code: 'BRITISH', regions: ['GB'] },
      { code: 'ANYWHERE' },
    );
    const ben = actingAs(ctx, await createUser(ctx, { country: 'DE' }));
    const codes = (page: Awaited<ReturnType<typeof offersOf>>) => page.items.map(({ code }) => code);
    const canadian = ['CANADA', 'ANYWHERE', 'GERMAN', 'BRITISH'];
    expect(codes(await offersOf(me, 'Acme'))).toEqual(canadian);
    expect(codes(await offersOf(ben, 'Acme'))).toEqual(['GERMAN', 'ANYWHERE', 'CANADA', 'BRITISH']);
    const [acme] = (await list(me)).items;
    expect(acme?.coupons.map(({ code, regions }) => [code, regions])).toEqual([
      ['CANADA', ['CA', 'US']],
      ['ANYWHERE', []],
      ['GERMAN', ['AT', 'DE']],
      ['BRITISH', ['GB']],
    ]);
    // The same order by cursors, forth and back.
    const first = await offersOf(me, 'Acme', 1, 1);
    const second = await offersOf(me, 'Acme', first.nextCursor ?? '', 2);
    const third = await offersOf(me, 'Acme', second.nextCursor ?? '', 1);
    expect([first, second, third].flatMap(codes)).toEqual(canadian);
    expect(codes(await offersOf(me, 'Acme', third.previousCursor ?? '', 2))).toEqual(canadian.slice(1, 3));
  });

  it('leads to all offers of a merchant, in pages', async () => {
    await offer(...many(25));
    const pages = await Promise.all([1, 2, 3].map((page) => offersOf(me, ' ACME ', page, 10)));
    expect(pages.map(({ items }) => items.length)).toEqual([10, 10, 5]);
    expect(new Set(pages.flatMap(({ items }) => items.map(({ code }) => code))).size).toBe(25);
    expect(pages[0]).toMatchObject({ total: 25, totalIsCapped: false });
    expect(await offersOf(me, 'Nobody')).toEqual({
      items: [],
      total: 0,
      totalIsCapped: false,
      nextCursor: null,
      previousCursor: null,
    });
  });
});

describe('an import', () => {
  it("creates a coupon for the caller only, with the feed's data", async () => {
    await offer({ expiryDate: '2036-01-31', value: null, discountType: null, regions: ['CA'] });
    const coupon = await importOffer(me, { merchant: 'ACME', code: 'acme-10' });
    expect(coupon).toMatchObject({
      ownerId: me.actor.id,
      merchant: 'Acme',
      title: 'Ten off',
      category: 'imported',
      isActive: false,
      isVerified: false,
      value: 0,
      expiryDate: '2036-01-31',
      regions: ['CA'],
      transferable: 'unknown',
      sourceUrl: 'https://acme.example/',
    });
    expect(await codeOf(ctx, me.actor, coupon.id)).toBe('ACME10');
    const imported = async (who: MemberContext) => (await list(who)).items[0]?.coupons[0]?.isImported;
    expect([await imported(me), await imported(other)]).toEqual([true, false]);
    await expect(importOffer(me, { merchant: 'Acme', code: 'ACME10' })).rejects.toMatchObject({
      code: 'code_listed',
    });
    await importOffer(other, { merchant: 'Acme', code: 'ACME10' });

    await removeCoupon(me, coupon.id);
    expect(await imported(me)).toBe(false);
    await importOffer(me, { merchant: 'Acme', code: 'ACME10' });
  });

  it('is not found for a code that no feed has, even if somebody has listed it', async () => {
    await offer({ code: 'A' });
    await createCoupon(ctx, other.actor, { merchant: 'Acme', code: 'LISTED' });
    for (const wanted of [
      { merchant: 'Acme', code: 'LISTED' },
      { merchant: 'Acme', code: 'NEVER' },
      { merchant: 'Other', code: 'A' },
    ])
      await expect(importOffer(me, wanted)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of all offers imports the missing ones, at most a hundred at a time [spec/3 2.21]', async () => {
    await offer(...many(IMPORT_ALL_MAX + 5), { merchant: 'Other', code: 'X' });
    await importOffer(me, { merchant: 'Acme', code: 'Acme-2' });
    const first = await importAll(me, { merchant: 'acme' });
    expect(first).toHaveLength(IMPORT_ALL_MAX);
    expect(await importAll(me, { merchant: 'Acme' })).toHaveLength(4);
    expect(await importAll(me, { merchant: 'Acme' })).toEqual([]);
    await expect(importAll(me, { merchant: 'Nobody' })).rejects.toMatchObject({ code: 'not_found' });
    expect((await offersOf(me, 'Acme', 1, 100)).items.every(({ isImported }) => isImported)).toBe(true);
    expect((await offersOf(other, 'Acme', 1, 100)).items.some(({ isImported }) => isImported)).toBe(false);
  });

  it('of all offers, twice at once, imports each offer once', async () => {
    await offer(...many(20));
    const [one, two] = await Promise.all([
      importAll(me, { merchant: 'Acme' }),
      importAll(me, { merchant: 'Acme' }),
    ]);
    const ids = [...one, ...two].map(({ title, id }) => `${title} ${id}`);
    expect(new Set(ids).size).toBe(20);
    expect(ids).toHaveLength(20);
  });
});
