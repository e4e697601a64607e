import { beforeEach, describe, expect, it } from 'vitest';
import type { FeedOffer } from '#contract/coupons/discover.ts';
import { FeedRefusal } from '#server/readers/feeds/feeds.ts';
import { setUpFreshContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { aFeedOffer, feedRows } from '#tests/support/feeds.ts';
import { importFeed } from './importing.ts';
import { removePastOffers } from './refreshing.ts';

const database = setUpDatabase();
const ctx = setUpFreshContext(database);
beforeEach(async () => {
  await database.pool.query('truncate feeds, feed_offers, feed_merchants cascade');
});

/** Imports these rows and returns the totals and the refusals. */
async function importRows(name: string, ...offers: readonly (FeedOffer | string)[]) {
  const refusals: string[] = [];
  const totals = await importFeed(ctx, {
    name,
    rows: feedRows(...offers),
    onRefused: (line, reason) => refusals.push(`${line}: ${reason}`),
  });
  return { totals, refusals };
}

/** Every offer, with PostgreSQL's version columns of its row. */
async function versions() {
  const { rows } = await database.pool.query<{ code: string }>(
    'select xmin::text, xmax::text, ctid::text, updated_at, feed, code, title from feed_offers order by id',
  );
  return rows;
}

const codes = async () => (await versions()).map(({ code }) => code);

async function merchants() {
  const { rows } = await database.pool.query<{ name: string; offers: number }>(
    'select key, name, offers, xmin::text from feed_merchants order by key',
  );
  return rows;
}

describe('an import', () => {
  it('writes only new and changed offers and removes dropped ones', async () => {
    const [a, b, c] = [aFeedOffer({ code: 'A' }), aFeedOffer({ code: 'B' }), aFeedOffer({ code: 'C' })];
    expect((await importRows('shop', a, b, c)).totals).toEqual({
      added: 3,
      changed: 0,
      unchanged: 0,
      refused: 0,
      removed: 0,
    });
    const before = { offers: await versions(), merchants: await merchants() };

    expect((await importRows('shop', a, b, c)).totals).toMatchObject({
      added: 0,
      changed: 0,
      unchanged: 3,
      removed: 0,
    });
    expect({ offers: await versions(), merchants: await merchants() }).toEqual(before);

    ctx.clock.advanceDays(1);
    const changed = { ...b, title: 'Eleven off', value: null, discountType: null };
    const { totals } = await importRows('shop', a, changed, aFeedOffer({ code: 'D' }));
    expect(totals).toEqual({ added: 1, changed: 1, unchanged: 1, refused: 0, removed: 1 });
    const after = await versions();
    expect(after.map(({ code }) => code)).toEqual(['A', 'B', 'D']);
    expect(after[0]).toEqual(before.offers[0]);
    expect(after[1]).toMatchObject({ title: 'Eleven off', updated_at: ctx.clock() });
  });

  it('stores each column unchanged, and a missing value as null', async () => {
    const offer = aFeedOffer({
      merchant: '  Café  NO. 1',
      value: null,
      discountType: null,
      startDate: '2035-01-01',
      expiryDate: '2036-01-31',
      regions: ['AT', 'DE'],
      terms: 'Quotes " and {braces}, \\ and 😀',
    });
    await importRows('shop', offer);
    const { rows } = await database.pool.query('select * from feed_offers');
    expect(rows).toEqual([
      expect.objectContaining({
        merchant: '  Café  NO. 1',
        merchant_key: 'café no. 1',
        value: null,
        discount_type: null,
        start_date: '2035-01-01',
        expiry_date: '2036-01-31',
        regions: ['AT', 'DE'],
        terms: 'Quotes " and {braces}, \\ and 😀',
      }),
    ]);
  });

  it('refuses expired offers, repeated codes and codes of another feed', async () => {
    await importRows('first', aFeedOffer({ code: 'SHARED-1' }));
    const { totals, refusals } = await importRows(
      'second',
      aFeedOffer({ code: 'A', expiryDate: '2035-06-15' }),
      aFeedOffer({ code: 'B', expiryDate: '2035-06-14' }),
      aFeedOffer({ code: 'a', merchant: 'ACME ' }),
      aFeedOffer({ code: 'shared 1' }),
      'It has no code',
    );
    expect(totals).toEqual({ added: 1, changed: 0, unchanged: 0, refused: 4, removed: 0 });
    expect(refusals).toEqual([
      '5: It has no code',
      '2: It expired on 2035-06-14',
      '3: Its code has come before in this feed',
      '4: Another feed has its code: first',
    ]);
    expect(await codes()).toEqual(['SHARED-1', 'A']);
  });

  it('recognises a code that is repeated a thousand rows later', async () => {
    const offers = Array.from({ length: 1_200 }, () => aFeedOffer());
    const again = { ...aFeedOffer(), code: offers[3]?.code ?? '', title: 'Another title' };
    expect((await importRows('shop', ...offers, again)).refusals).toEqual([
      '1201: Its code has come before in this feed',
    ]);
    const { totals } = await importRows('shop', ...offers, again);
    expect(totals).toMatchObject({ added: 0, changed: 0, unchanged: 1_200, refused: 1, removed: 0 });
  });

  it('that breaks off removes nothing and keeps what was read until then', async () => {
    const kept = Array.from({ length: 600 }, () => aFeedOffer());
    await importRows('shop', ...kept);
    const rows = async function* () {
      yield* feedRows(...Array.from({ length: 500 }, () => aFeedOffer()));
      throw new FeedRefusal('Its server took too long to answer.');
    };
    await expect(importFeed(ctx, { name: 'shop', rows: rows() })).rejects.toThrow('took too long');
    expect(await codes()).toHaveLength(1_100);
  });

  it('whose codes another feed has already is read to its end', async () => {
    const offers = [aFeedOffer({ code: 'A' }), aFeedOffer({ code: 'B' })];
    await importRows('first', ...offers);
    const { totals } = await importRows('second', ...offers);
    expect(totals).toEqual({ added: 0, changed: 0, unchanged: 0, refused: 2, removed: 0 });
    expect(await codes()).toHaveLength(2);
  });

  it('without any offer removes nothing', async () => {
    await importRows('shop', aFeedOffer({ code: 'A' }));
    await expect(importRows('shop', 'It has no code', 'It has no code')).rejects.toThrow(
      'None of its 2 rows is an offer; what it had before is kept.',
    );
    await expect(importRows('shop')).rejects.toThrow('None of its 0 rows');
    expect(await codes()).toEqual(['A']);
  });

  it('stops if a newer import of the feed has started', async () => {
    const [old, shared, fresh] = [
      aFeedOffer({ code: 'OLD' }),
      aFeedOffer({ code: 'BOTH' }),
      aFeedOffer({ code: 'NEW' }),
    ];
    const rows = async function* () {
      yield* feedRows(shared, old);
      await importRows('shop', shared, fresh);
    };
    await expect(importFeed(ctx, { name: 'shop', rows: rows() })).rejects.toThrow(
      'Another reading of it has begun.',
    );
    expect(await codes()).toEqual(['BOTH', 'NEW']);
  });

  it('of two feeds with the same codes at once stores each code once', async () => {
    const offers = Array.from({ length: 2_000 }, () => aFeedOffer());
    const results = await Promise.all([
      importRows('one', ...offers),
      importRows('two', ...offers.toReversed()),
    ]);
    expect(results.reduce((sum, { totals }) => sum + totals.added, 0)).toBe(2_000);
    expect(await codes()).toHaveLength(2_000);
  });

  it('counts the valid offers of each merchant', async () => {
    await importRows(
      'shop',
      aFeedOffer({ merchant: 'acme', expiryDate: '2035-06-16' }),
      aFeedOffer({ merchant: 'Acme ' }),
      aFeedOffer({ merchant: 'Bakery', startDate: '2035-06-17' }),
    );
    expect(await merchants()).toMatchObject([{ key: 'acme', name: 'Acme ', offers: 2 }]);
    ctx.clock.advanceDays(2);
    await removePastOffers(ctx);
    expect(await merchants()).toMatchObject([
      { key: 'acme', offers: 1 },
      { key: 'bakery', offers: 1 },
    ]);
    expect(await codes()).toHaveLength(2);
  });
});
