import { beforeAll, beforeEach } from 'vitest';
import { listCouponsInputSchema, listOwnCouponsInputSchema } from '#contract/coupons/coupons.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { listCoupons, listOwnCoupons } from '#server/coupons/search/listing.ts';
import { actingAs, createCoupon, createUser, setUpContext, type TestContext } from './builders.ts';

export const ENDLESS = { expiryDate: null, hasNoExpiry: true };

/** A marketplace for one test file, empty before each test, and its lists as `titles`, `browse` and `browseOwn`. */
export function setUpMarketplace() {
  const ctx = setUpContext();
  const owner = {} as Actor;
  beforeAll(async () => {
    Object.assign(owner, await createUser(ctx));
  });
  /** Each test starts with an empty marketplace. */
  beforeEach(async () => {
    await ctx.db.deleteFrom('coupons').execute();
  });

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

  /** Inserts many plain coupons, one minute apart, the newest first. */
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

  return { ctx, owner, dayAhead, create, browse, browseOwn, titles, fill };
}
