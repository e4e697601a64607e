import { beforeAll, expect, it } from 'vitest';
import { COUNT_CAP } from '#contract/base/bounds.ts';
import { listCouponsInputSchema } from '#contract/coupons/coupons.ts';
import { createTestContext, createUser, type TestContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { createRandom, pick, type Random } from '#tests/support/random.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { listCoupons } from './listing.ts';

const COUPONS = 600;
const TEXTS = shortOrLong(60, 2_000);

const database = setUpDatabase();
let ctx: TestContext;
let texts: string[];

/** Words that are alike, with umlauts and digits, one too long for an index, and what else people type. */
const PARTS = [
  ...[
    'branch',
    'branches',
    'ranch',
    'number',
    'numb',
    'every',
    'at',
    'a',
    'Über',
    'über',
    'crème',
    'BRÛLÉE',
    'naïve',
  ],
  ...[
    '10',
    '10%',
    'x5',
    '5x',
    'KQZ-4711',
    '4711',
    '3,50',
    "l'été",
    'two_for_one',
    '100%',
    'back\\slash',
    '~',
    '~~',
  ],
  ...['日本語の割引', 'скидка', 'ñ', '…', '(new)', 'Donaudampfschifffahrtsgesellschaftskapitän', '_', '%'],
] as const;
const GAPS = [' ', ' ', ' ', ', ', '-', '  ', '', '/'] as const;

function randomText(random: Random, parts: number): string {
  return Array.from({ length: parts }, () => pick(random, PARTS) + pick(random, GAPS)).join('');
}

/** A part of a coupon's text, mostly; some are changed a little, so that few coupons have them or none. */
function randomSearch(random: Random): string {
  const text = texts[random(texts.length)] ?? '';
  const start = random(text.length);
  const part = text.slice(start, start + 1 + random(24));
  const change = random(6);
  if (change === 0) return randomText(random, 1 + random(3));
  if (change === 1) return part.toUpperCase();
  if (change === 2) return part + pick(random, PARTS);
  return part;
}

beforeAll(async () => {
  ctx = createTestContext(database);
  const owner = await createUser(ctx);
  const random = createRandom(7);
  const now = ctx.clock();
  const rows = Array.from({ length: COUPONS }, (_, i) => ({
    ownerId: owner.id,
    title: `T ${randomText(random, 3)}`.trim().slice(0, 120),
    merchant: `M ${randomText(random, 1)}`.trim(),
    description: `In any case ${randomText(random, 8)}`,
    value: 100 + random(900),
    category: 'food',
    hasNoExpiry: true,
    createdAt: new Date(now.getTime() - random(50) * 60_000),
    updatedAt: now,
    isActive: i % 10 > 0,
  }));
  await ctx.db.insertInto('coupons').values(rows).execute();
  await database.pool.query('vacuum analyze coupons');
  const stored = await ctx.db.selectFrom('coupons').select('searchText').execute();
  texts = stored.map(({ searchText }) => searchText);
});

/** The ids that a plain look at each coupon finds. */
async function plainly(search: string, direction: 'asc' | 'desc'): Promise<number[]> {
  const { rows } = await database.pool.query<{ id: number }>(
    `select id from coupons
     where is_active and not exists (select from unnest(typed_words($1)) as word where strpos(search_text, word) = 0)
     order by created_at ${direction}, id ${direction}`,
    [search],
  );
  return rows.map(({ id }) => id);
}

it('finds the coupons that a plain look at each one finds, on pages forward and back, in both orders', async () => {
  const random = createRandom(11);
  for (let i = 0; i < TEXTS; i += 1) {
    const { search, ...input } = listCouponsInputSchema.parse({
      search: randomSearch(random),
      sort: pick(random, ['newest', 'oldest']),
      limit: 50,
    });
    if (!search) continue;
    const expected = await plainly(search, input.sort === 'newest' ? 'desc' : 'asc');
    let page = await listCoupons(ctx, { ...input, search });
    expect(page.total, search).toBe(Math.min(expected.length, COUNT_CAP));
    const forward = page.items.map(({ id }) => id);
    while (page.nextCursor !== null) {
      page = await listCoupons(ctx, { ...input, search, page: page.nextCursor });
      forward.push(...page.items.map(({ id }) => id));
    }
    expect(forward, search).toEqual(expected);
    const back = page.items.map(({ id }) => id);
    while (page.previousCursor !== null) {
      page = await listCoupons(ctx, { ...input, search, page: page.previousCursor });
      back.unshift(...page.items.map(({ id }) => id));
    }
    expect(back, search).toEqual(expected);
  }
});
