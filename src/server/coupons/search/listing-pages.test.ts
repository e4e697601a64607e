import { describe, expect, it } from 'vitest';
import { COUNT_CAP } from '#contract/base/bounds.ts';
import type { PageRef } from '#contract/base/primitives.ts';
import { COUPON_SORTS } from '#contract/coupons/sorts.ts';
import { addDays } from '#server/core/clock.ts';
import { ENDLESS, setUpMarketplace } from '#tests/support/marketplace.ts';

const { ctx, owner, dayAhead, browse, browseOwn, fill } = setUpMarketplace();

describe('pages', () => {
  /** Many equal values, so that ties cross the ends of pages. */
  const tied = (i: number) => ({
    createdAt: addDays(ctx.clock(), -(i % 3)),
    value: 100 * (1 + (i % 2)),
    discountType: i % 5 < 2 ? 'percentage' : 'fixed',
    ...(i % 4 === 0 ? ENDLESS : { expiryDate: dayAhead(i % 2), hasNoExpiry: false }),
  });

  it.each(COUPON_SORTS)('by cursor contain every coupon once, in order %s', async (sort) => {
    await fill(83, tied);
    const all = (await browse({ sort, limit: 100 })).items.map(({ id }) => id);
    expect(new Set(all).size).toBe(83);
    for (const walk of [
      (page: PageRef) => browse({ sort, limit: 7, page }),
      (page: PageRef) => browseOwn(owner, { sort, limit: 7, page }),
    ]) {
      const walked: number[] = [];
      let page = await walk(1);
      for (;;) {
        walked.push(...page.items.map(({ id }) => id));
        expect(page).toMatchObject({ total: 83, totalIsCapped: false });
        if (page.nextCursor === null) break;
        expect(page.items).toHaveLength(7);
        page = await walk(page.nextCursor);
      }
      expect(walked).toEqual(all);
      const back = page.items.map(({ id }) => id);
      while (page.previousCursor !== null) {
        page = await walk(page.previousCursor);
        back.unshift(...page.items.map(({ id }) => id));
      }
      expect(back).toEqual(all);
    }
  });

  it('end exactly with the last coupon', async () => {
    await fill(14);
    const first = await browse({ limit: 7 });
    expect((await browse({ limit: 7, page: first.nextCursor })).nextCursor).toBeNull();
    expect((await browse({ limit: 14 })).nextCursor).toBeNull();
  });

  it('by number end where the count ends; the error says how to continue', async () => {
    await fill(COUNT_CAP + 5);
    const last = await browse({ page: 2, limit: COUNT_CAP / 2 });
    expect(last).toMatchObject({ total: COUNT_CAP, totalIsCapped: true });
    expect(last.items[0]?.title).toBe('Coupon 100');
    const on = await browse({ limit: 100, page: last.nextCursor });
    expect(on.items.map(({ title }) => title)).toEqual([0, 1, 2, 3, 4].map((i) => `Coupon ${COUNT_CAP + i}`));
    for (const tooFar of [browse({ page: 3, limit: 100 }), browseOwn(owner, { page: 5, limit: 50 })]) {
      await expect(tooFar).rejects.toMatchObject({
        code: 'bad_input',
        message: expect.stringContaining('cursor'),
        issues: [{ path: 'page' }],
      });
    }
  });

  it('count exactly up to the cap', async () => {
    await fill(COUNT_CAP);
    expect(await browse()).toMatchObject({ total: COUNT_CAP, totalIsCapped: false });
    expect(await browse({ search: 'coupon 19' })).toMatchObject({ total: 12 });
  });

  const cursor = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');

  it.each([
    [cursor('newest', 'after', '2035-06-15T12:00:00.000Z')],
    [cursor('newest', 'after', '2035-06-15T12:00:00.000Z', 1, 2)],
    [cursor('newest', 'after', '2035-06-15T12:00:00.000Z', '1')],
    [cursor('newest', 'after', 'yesterday', 1)],
    [cursor('newest', 'after', 12, 1)],
    [cursor('newest', 'after', null, 1)],
    [cursor('newest', 'after', '0000-06-15T12:00:00.000Z', 1)],
    [cursor('oldest', 'after', '2035-06-15T12:00:00.000Z', 1)],
    [cursor('value-high', 'after', 12, 1)],
    [cursor('newest', 'beside', '2035-06-15T12:00:00.000Z', 1)],
  ])('refuse an invalid cursor: %s', async (page) => {
    const refusal = { code: 'bad_input', issues: [{ path: 'page' }] };
    await expect(browse({ page })).rejects.toMatchObject(refusal);
    await expect(browseOwn(owner, { page })).rejects.toMatchObject(refusal);
  });

  it.each([
    ['value-high', cursor('value-high', 'after', 1.5, 1)],
    ['value-low', cursor('value-low', 'after', 3_000_000_000, 1)],
    ['expiry', cursor('expiry', 'after', '2035-02-30', 1)],
    ['expiry', cursor('expiry', 'after', '0000-02-01', 1)],
    ['expiry', cursor('expiry', 'after', '-infinity', 1)],
  ])('refuse a cursor whose key does not fit the order %s', async (sort, page) => {
    await expect(browse({ sort, page })).rejects.toMatchObject({ code: 'bad_input' });
  });
});
