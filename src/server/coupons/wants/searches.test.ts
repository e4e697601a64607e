import { beforeAll, describe, expect, it } from 'vitest';
import { type ListCouponsInput, listCouponsInputSchema } from '#contract/coupons/coupons.ts';
import { createWantInputSchema } from '#contract/coupons/wants.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { listCoupons } from '#server/coupons/search/listing.ts';
import { actingAs, createCoupon, createUser, setUpContext } from '#tests/support/builders.ts';
import { createRandom } from '#tests/support/random.ts';
import { notifyOfCoupons } from './notify-of-coupons.ts';
import { createWant, listWants } from './service.ts';

const ctx = setUpContext();

describe('wants and searches', () => {
  const random = createRandom(7);
  const pick = <Value>(values: readonly Value[]) => values[random(values.length)] as Value;
  const WORDS = [
    'coffee',
    'Café crème',
    '100%',
    'a_b',
    'tea',
    'TEA house',
    'of',
    'x',
    'Straße',
    'pizza (large)',
    '\\o/',
    'shoes',
    'Chaussure',
    "l'hôtel",
    'batteries',
    'l’été animaux',
    'animal',
    'vols d’été',
    'd’hiver',
    'winter',
    'lice',
    'glasses',
    'Une glace',
  ];
  const MERCHANTS = ['Corner Coffee', 'corner', 'Café Zoo', '7-Eleven', 'Ünïted'];
  const CATEGORIES = ['food', 'retail', 'travel'] as const;
  const VALUES = [0, 1, 99, 100, 1_000, 1_023, 1_024, 5_000, 99_999_999];

  let people: Actor[];
  let seekers: Actor[];

  beforeAll(async () => {
    people = [await createUser(ctx), await createUser(ctx)];
    seekers = await Promise.all(Array.from({ length: 4 }, () => createUser(ctx)));
    await notifyOfCoupons(ctx);
    const kept = new Set<string>();
    for (let count = 0; count < 160; count += 1) {
      const [low, high] = [pick(VALUES), pick(VALUES)].sort((one, other) => one - other);
      const filter = {
        search: random(3) ? pick(WORDS) : undefined,
        merchant: random(4) ? undefined : pick(MERCHANTS).slice(random(3)).trim(),
        category: random(3) ? undefined : pick(CATEGORIES),
        minValue: random(3) ? undefined : low,
        maxValue: random(3) ? undefined : high,
        expiryDays: random(4) ? undefined : pick([7, 30, 90]),
        checkedDays: random(6) ? undefined : 30,
        hasAskingPrice: random(5) ? undefined : true,
        region: random(4) ? undefined : pick(['CA', 'FR']),
      };
      const isAsked = filter.search || filter.merchant || filter.category;
      const who = pick(seekers);
      const key = JSON.stringify({
        ...filter,
        search: filter.search?.toLowerCase(),
        merchant: filter.merchant?.toLowerCase(),
        who: who.id,
      });
      if (isAsked && !kept.has(key)) {
        await createWant(actingAs(ctx, who), createWantInputSchema.parse(filter));
      }
      kept.add(key);
    }
    for (let count = 0; count < 60; count += 1) {
      const isPercentage = random(4) === 0;
      await createCoupon(ctx, pick(people), {
        title: `${pick(WORDS)} ${pick(WORDS)} deal`,
        description: `Good for ${pick(WORDS)}${pick(WORDS)}`,
        merchant: pick(MERCHANTS),
        category: pick(CATEGORIES),
        value: isPercentage ? pick([1, 1_000, 5_000]) : pick(VALUES) || 1,
        discountType: isPercentage ? 'percentage' : 'fixed',
        regions: pick([[], ['CA'], ['FR', 'US']]),
        askingPrice: random(2) ? null : '5.00',
        ...(random(3) && { isVerified: random(4) > 0, checkedAt: addDays(ctx.clock(), -random(60)) }),
        ...(random(3)
          ? { expiryDate: utcDay(addDays(ctx.clock(), random(40) - 3)) }
          : { expiryDate: null, hasNoExpiry: true }),
      });
    }
    await notifyOfCoupons(ctx);
  });

  it('find the same coupons, for random filters and coupons [decisions 3.15.4]', async () => {
    const found = await ctx.db.selectFrom('wantFinds').select(['wantId', 'couponId']).execute();
    const wants = await ctx.db
      .selectFrom('wants')
      .selectAll()
      .where(
        'userId',
        'in',
        seekers.map(({ id }) => id),
      )
      .execute();
    const withFinds = new Set(found.map(({ wantId }) => wantId));
    expect(wants.filter(({ id }) => withFinds.has(id)).length).toBeGreaterThan(30);
    for (const want of wants) {
      const asked = Object.entries(want).filter(([, value]) => value !== null);
      const input: ListCouponsInput = listCouponsInputSchema.parse({
        ...Object.fromEntries(asked),
        limit: 100,
      });
      const { items } = await listCoupons(ctx, input);
      const counted = items.filter(
        ({ regions, ownerId }) =>
          (want.region === null || regions.length === 0 || regions.includes(want.region)) &&
          people.some(({ id }) => id === ownerId),
      );
      const ids = found.filter(({ wantId }) => wantId === want.id).map(({ couponId }) => couponId);
      expect(ids.sort(), JSON.stringify(want)).toEqual(counted.map(({ id }) => id).sort());
    }
  });
});

const wanting = (search: string) => createWantInputSchema.parse({ search, gives: 'nothing' });

it('a want finds what its search finds, however it is spelt', async () => {
  const [seeker, owner] = [actingAs(ctx, await createUser(ctx)), await createUser(ctx)];
  for (const search of ['kaffee grosser', 'cocacola', 'tortilla']) await createWant(seeker, wanting(search));
  await createWant(seeker, createWantInputSchema.parse({ merchant: 'kings burger', gives: 'nothing' }));
  await createCoupon(ctx, owner, { title: 'GROẞER Kaffee' });
  await createCoupon(ctx, owner, { title: 'Coca-Cola', merchant: 'Burger King’s' });
  await notifyOfCoupons(ctx);
  expect((await listWants(seeker)).map(({ found }) => found)).toEqual([1, 0, 1, 1]);
});

it('the same search in another spelling is no second want', async () => {
  const seeker = actingAs(ctx, await createUser(ctx));
  await createWant(seeker, wanting('café'));
  await expect(createWant(seeker, wanting('CAFE'))).rejects.toMatchObject({ code: 'conflict' });
});
