import { beforeAll, describe, expect, it } from 'vitest';
import { couponUrlsInputSchema } from '#contract/oversight/seo.ts';
import type { EngineResult } from '#server/providers/search-engines/search-engines.ts';
import { actingAs, createCoupon, createUser, setUpContext } from '#tests/support/builders.ts';
import { countFromOne, setUpDatabase } from '#tests/support/database.ts';
import { listCouponUrls, listSitemapParts, submitSitemap } from './service.ts';

const database = setUpDatabase();
const ctx = setUpContext(database);

const inputOf = (input: { part: number; after?: number; limit?: number }) =>
  couponUrlsInputSchema.parse(input);

// Parts go by ids.
beforeAll(() => countFromOne(database));

describe('the sitemap', () => {
  it('lists the coupons on offer by id, in parts of a fixed number of ids, with their last changes', async () => {
    const owner = await createUser(ctx);
    const day = '2035-06-15';
    const changes = [1, 2, 3, 4, 5, 6, 7].map((hour) => new Date(`${day}T0${hour}:00:00.000Z`));
    const given = [
      {},
      { expiryDate: '2035-06-14' },
      // Today is its last day.
      { expiryDate: day },
      { isActive: false },
      { category: 'imported' },
      { expiryDate: null, hasNoExpiry: true },
      {},
    ];
    const ids: number[] = [];
    for (const [index, columns] of given.entries()) {
      ids.push((await createCoupon(ctx, owner, { ...columns, updatedAt: changes[index] })).id);
    }
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7]);

    expect(await listSitemapParts(ctx, 3)).toEqual([
      { part: 0, changedAt: `${day}T03:00:00.000Z` },
      { part: 1, changedAt: `${day}T06:00:00.000Z` },
      { part: 2, changedAt: `${day}T07:00:00.000Z` },
    ]);
    expect(await listSitemapParts(ctx, 2)).toMatchObject([
      { part: 0 },
      { part: 1 },
      { part: 2 },
      { part: 3 },
    ]);
    const urls = [0, 1, 2].map((part) => listCouponUrls(ctx, inputOf({ part }), 3));
    expect(await Promise.all(urls)).toEqual([
      [
        { id: 1, changedAt: `${day}T01:00:00.000Z` },
        { id: 3, changedAt: `${day}T03:00:00.000Z` },
      ],
      [{ id: 6, changedAt: `${day}T06:00:00.000Z` }],
      [{ id: 7, changedAt: `${day}T07:00:00.000Z` }],
    ]);
    const pageOf = (after: number) => listCouponUrls(ctx, inputOf({ part: 0, after, limit: 1 }), 3);
    expect(await pageOf(1)).toMatchObject([{ id: 3 }]);
    expect(await pageOf(3)).toEqual([]);
    // A cursor of an earlier part does not lead back into it.
    expect(await listCouponUrls(ctx, inputOf({ part: 2, after: 1 }), 3)).toMatchObject([{ id: 7 }]);
  });

  it('limits one caller to 240 reads in 10 minutes, not counting later pages of a part', async () => {
    let consumed = 0;
    const limiter = { ...ctx.limiter, consume: async () => (++consumed > 240 ? 60 : 0) };
    const limited = { ...ctx, limiter };
    await listCouponUrls(limited, inputOf({ part: 0 }));
    await listCouponUrls(limited, inputOf({ part: 0, after: 1 }));
    expect(consumed).toBe(1);
    consumed = 240;
    await expect(listSitemapParts(limited)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 60 });
    await expect(listCouponUrls(limited, inputOf({ part: 0 }))).rejects.toMatchObject({
      code: 'rate_limited',
    });
  });
});

describe('submitting the sitemap', () => {
  const accepted: EngineResult = {
    name: 'IndexNow',
    isSetUp: true,
    success: true,
    message: 'Accepted 9 pages.',
  };
  const refused: EngineResult = {
    name: 'Bing',
    isSetUp: true,
    success: false,
    message: 'Refused (400): no.',
  };
  const absent: EngineResult = { name: 'Google', isSetUp: false, success: false, message: 'Not set up.' };

  /** Submits the sitemap as an admin, to engines that answer `results`. */
  async function submit(results: EngineResult[]) {
    const told: { publicUrl: string; urls: readonly string[] }[] = [];
    const searchEngines = {
      indexNowKey: null,
      submit: async (site: (typeof told)[number]) => {
        told.push(site);
        return results;
      },
    };
    const admin = await createUser(ctx, { role: 'admin' });
    const providers = { ...ctx.providers, searchEngines };
    const answer = await submitSitemap(actingAs({ ...ctx, providers }, admin));
    return { answer, told, admin };
  }

  it('succeeds if one configured engine accepts, and lists every answer', async () => {
    const { answer } = await submit([refused, absent, accepted]);
    expect(answer).toEqual({
      success: true,
      engines: [refused, absent, accepted],
      time: '2035-06-15T12:00:00.000Z',
      error: null,
    });
  });

  it('fails if no engine accepts or none is configured', async () => {
    expect((await submit([refused, absent])).answer).toMatchObject({
      success: false,
      error: 'No search engine has accepted the sitemap.',
    });
    expect((await submit([absent])).answer).toMatchObject({
      success: false,
      error: 'No search engine is set up. Set INDEXNOW_KEY, GOOGLE_SERVICE_ACCOUNT_FILE or BING_API_KEY.',
    });
  });

  it('submits the public pages and the coupons on offer, the latest changed first', async () => {
    const { told } = await submit([accepted]);
    expect(told).toHaveLength(1);
    expect(told[0]?.publicUrl).toBe('http://localhost');
    const paths = told[0]?.urls.map((url) => url.replace('http://localhost', ''));
    expect(paths).toEqual([
      '/',
      '/how-it-works',
      '/leaderboard',
      '/validate-coupon',
      '/terms',
      '/privacy-policy',
      '/acceptable-use-policy',
      '/risks',
      '/open-books',
      '/proofs',
      '/developers',
      '/coupons/7',
      '/coupons/6',
      '/coupons/3',
      '/coupons/1',
    ]);
  });

  it('records the answers in the audit log', async () => {
    const { admin } = await submit([refused, accepted]);
    const entries = await ctx.db.selectFrom('auditLog').selectAll().where('actorId', '=', admin.id).execute();
    expect(entries).toMatchObject([
      {
        action: 'sitemap_submitted',
        details:
          'Submitted the sitemap to the search engines. Bing: Refused (400): no. IndexNow: Accepted 9 pages.',
        targetUserId: null,
      },
    ]);
  });
});
