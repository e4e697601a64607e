import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { COUNT_CAP, SEARCH_COUNT_CAP } from '#contract/base/bounds.ts';
import { PAGE_SIZES } from '#contract/base/page-sizes.ts';
import type { Page } from '#contract/base/primitives.ts';
import {
  type Coupon,
  listAskableCouponsInputSchema,
  listCouponsInputSchema,
} from '#contract/coupons/coupons.ts';
import { COUPON_SORTS, MARKET_SORTS, type MarketSort } from '#contract/coupons/sorts.ts';
import { BLOCKS_MAX } from '#contract/people/blocks.ts';
import type { Actor } from '#server/context/context.ts';
import { merchantByName } from '#server/coupons/merchants/service.ts';
import { delistPastCoupons } from '#server/coupons/publishing/service.ts';
import { mentionsEach, searchedWords } from '#server/database/search-words.ts';
import { actingAs, createTestContext, createUser, type TestContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { createManyCoupons } from '#tests/support/many-coupons.ts';
import { genericPlanOf, planOf, recorded, rowsSeen, type Statement } from '#tests/support/plans.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { countCoupons, listAskableCoupons, listCoupons, listMerchantCoupons } from './listing.ts';
import { relatedCoupons } from './related.ts';

/**
 * A list must cost the same with ten thousand coupons and with a million. The tests do not measure time: they look at
 * the query plans of the statements that the service sends, over many coupons.
 */

const COUPONS = shortOrLong(12_000, 1_000_000);
/**
 * A walk reads at most so many coupons, expired ones as well. In a small market it reads fewer; where that would be half
 * of all that match, PostgreSQL may rather read and sort those.
 */
const MOST_ROWS_SEEN = 5_000;
/** One in 40 coupons ends within a week: in the other orders, the 200 that are counted are found among 8,000. */
const MOST_ROWS_OF_A_WEEK = shortOrLong(MOST_ROWS_SEEN, 10_000);
/**
 * One in 70 is checked within a week, one in 17 within a month. An index finds them, or a walk in the order of the list does: of
 * a million, PostgreSQL reads at most the square root of 200 million.
 */
const MOST_ROWS_CHECKED = shortOrLong(MOST_ROWS_SEEN, 20_000);
const database = setUpDatabase();
let ctx: TestContext;
const sent: Statement[] = [];

beforeAll(async () => {
  ctx = createTestContext({ db: recorded(database, sent) });
  const { id: ownerId } = await createUser(ctx);
  await createManyCoupons(database, { ownerId, now: ctx.clock(), count: COUPONS });
});

/** Lists coupons and returns the faults in the plans of its statements; empty if there are none. */
async function faultsOf(input: Record<string, unknown>, viewer: Actor | null = null): Promise<string[]> {
  return faultsIn(async () => {
    const { items } = await pageOf(input, viewer);
    expect(items.length).toBeGreaterThan(0);
  });
}

/** The page with the count, and mostly its coupons apart; what is looked up before them reads no coupons. */
const readingCoupons = () => sent.filter(({ sql }) => sql.includes('"coupons"'));

async function faultsIn(list: () => Promise<unknown>, most = MOST_ROWS_SEEN, sends = 2): Promise<string[]> {
  sent.length = 0;
  await list();
  const statements = readingCoupons();
  const faults = statements.length === sends ? [] : [`${statements.length} statements`];
  for (const statement of statements) {
    const generic = statement.name ? await genericPlanOf(database, statement) : [];
    for (const node of [...(await planOf(database, statement)), ...generic]) {
      const relation = node['Relation Name'] ?? '';
      // Of the two ways that some statements have, only one runs.
      if (!relation.startsWith('coupon') || node['Actual Loops'] === 0) continue;
      const text = `${node['Node Type']} of ${relation}: ${rowsSeen(node)} rows`;
      // An empty table can only be scanned.
      const isScan = node['Node Type'] === 'Seq Scan' && relation !== 'coupon_reservations';
      if (isScan || rowsSeen(node) > most) faults.push(text);
    }
  }
  return faults;
}

interface Filter {
  readonly merchant?: string;
  readonly search?: string;
  readonly checkedDays?: number;
  readonly hasAskingPrice?: boolean;
  readonly [others: string]: unknown;
}

const FILTERS: Record<string, Filter> = {
  'no filter': {},
  category: { category: 'travel' },
  'a range of values': { minValue: 1_000, maxValue: 2_000 },
  'the highest values': { minValue: 9_900 },
  'expiry within a week': { expiryDays: 7 },
  'checked within a week': { checkedDays: 7 },
  'checked within a month': { checkedDays: 30 },
  'buy now': { hasAskingPrice: true },
  'a merchant': { merchant: 'SHOP c4ca4238' },
  'any merchant': { merchant: 'shop' },
  'a common word': { search: 'pizza' },
  'a rare word': { search: 'number 4710 at' },
  'a rare text of common trigrams': { search: 'ranch numb' },
  'a short text': { search: 'pi' },
  'synonyms of a common word': { search: 'espadrilles' },
  'synonyms that no coupon has': { search: 'poussettes' },
  'synonyms of many words, one of them rare': { search: 'café rabais 4710' },
  'category, values and expiry': { category: 'food', minValue: 2_000, maxValue: 6_000, expiryDays: 60 },
};

/** What may be rare although its parts are not is looked for among the first coupons, in a statement before the others. */
const looksFirst = (
  { merchant, search = '', checkedDays, hasAskingPrice }: Filter,
  sort: MarketSort = 'newest',
) =>
  ((checkedDays !== undefined || (hasAskingPrice && sort !== 'price-low')) && merchant === undefined) ||
  search.includes(' ');

/** The long form combines every order with every filter; the short form takes the orders in turn. */
const filtersOf = (place: number) =>
  Object.entries(FILTERS).filter(
    (_, index) => index === 0 || shortOrLong(index % MARKET_SORTS.length === place, true),
  );

describe.each(MARKET_SORTS.map((sort, place) => [sort, place] as const))('in the order %s', (sort, place) => {
  it.each(filtersOf(place))('few statements read few rows each, by index: %s', async (_, filter) => {
    const most =
      filter === FILTERS['expiry within a week']
        ? MOST_ROWS_OF_A_WEEK
        : 'checkedDays' in filter
          ? MOST_ROWS_CHECKED
          : MOST_ROWS_SEEN;
    const sends = looksFirst(filter, sort) ? 3 : 2;
    expect(await faultsIn(() => pageOf({ ...filter, sort }), most, sends)).toEqual([]);
  });
});

type Far = readonly [MarketSort, object, plainly: string];
/** What is common, but at the far end of the order, where an index has it in order or it is found in a walk. */
const FAR: readonly Far[] = [
  ['newest', { category: 'services', search: 'branch' }, "category = 'services'"],
  ['newest', { category: 'services', minValue: 100 }, "category = 'services' and discount_type = 'fixed'"],
  ['value-high', { category: 'other' }, "category = 'other'"],
  ['value-low', { category: 'food' }, "category = 'food'"],
  ['newest', { merchant: 'card' }, "merchant like 'Card%'"],
  ['expiry', { merchant: 'gift' }, "merchant like 'Gift%'"],
  ['expiry', { merchant: 'card 4' }, "merchant = 'Card 4'"],
  ['reliable', { category: 'services' }, "category = 'services'"],
  ['reliable', { merchant: 'card 4' }, "merchant = 'Card 4'"],
  ['price-low', { category: 'services' }, "category = 'services' and asking_price is not null"],
  ['price-low', {}, 'asking_price is not null'],
];
const ORDERS: Record<MarketSort, string> = {
  newest: 'created_at desc, id desc',
  oldest: 'created_at, id',
  'value-high': "case when discount_type = 'fixed' then value else -1 end desc, id desc",
  'value-low': "case when discount_type = 'fixed' then value else 2147483647 end, id desc",
  expiry: "coalesce(expiry_date, 'infinity'), id",
  reliable: 'coalesce(health, -1) desc, id desc',
  'price-low': 'asking_price, id',
};

describe('what is common, but at the far end of the list, costs as little', () => {
  it.each(FAR)('by an index, in the order %s: %o', async (sort, filter, plainly) => {
    const found = await database.pool.query<{ id: number }>(
      `select id from coupons where is_active and coalesce(expiry_date, 'infinity') >= $1::date and ${plainly}
       order by ${ORDERS[sort]}`,
      [ctx.clock()],
    );
    const ids = found.rows.map(({ id }) => id);
    const input = { ...filter, sort };
    expect(await faultsIn(() => pageOf(input))).toEqual([]);
    const second = await pageOf({ ...input, page: 2 });
    expect(second).toMatchObject({
      total: Math.min(ids.length, COUNT_CAP),
      totalIsCapped: ids.length > COUNT_CAP,
    });
    expect(second.items.map(({ id }) => id)).toEqual(ids.slice(PAGE_SIZES.coupons, 2 * PAGE_SIZES.coupons));
    for (const [page, start] of [
      [second.nextCursor, 2 * PAGE_SIZES.coupons],
      [second.previousCursor, 0],
    ] as const) {
      if (page === null) continue;
      expect(await faultsIn(() => pageOf({ ...input, page }))).toEqual([]);
      const { items } = await pageOf({ ...input, page });
      expect(items.map(({ id }) => id)).toEqual(ids.slice(start, start + PAGE_SIZES.coupons));
    }
  });
});

describe.each([
  ['newest', '2035-05-20T00:00:00.000Z'],
  ['oldest', '2035-05-20T00:00:00.000Z'],
  ['value-high', -1],
  ['value-low', -2_147_483_647],
  ['expiry', 'infinity'],
  ['reliable', -1],
  ['price-low', 11.5],
] as const)('in the order %s', (sort, key) => {
  it('a cursor far down the list, among many ties, costs as little as the first page', async () => {
    const { rows } = await database.pool.query<{ id: number }>('select min(id) as id from coupons');
    const middle = Number(rows[0]?.id) + COUPONS / 2;
    const page = cursorOf(sort, 'after', key, middle);
    expect(await faultsOf({ sort, page })).toEqual([]);
    expect(await faultsOf({ sort, page: (await pageOf({ sort, page })).nextCursor ?? '' })).toEqual([]);
    expect(await faultsOf({ sort, page: cursorOf(sort, 'before', key, middle) })).toEqual([]);
  });
});

/** Many coupons have one of these: where there are few coupons, PostgreSQL rather reads all of them. */
const { 'synonyms of a common word': _, ...COUNTED } = FILTERS;

it.each(Object.entries(COUNTED))(
  'a count to a thousand reads rows in proportion, by index: %s',
  async (_, filter) => {
    const most =
      (SEARCH_COUNT_CAP / COUNT_CAP) * ('checkedDays' in filter ? MOST_ROWS_CHECKED : MOST_ROWS_SEEN);
    const sends = looksFirst(filter) ? 2 : 1;
    expect(await faultsIn(() => countCoupons(ctx, filter), most, sends)).toEqual([]);
  },
);

it('a count ends where nothing is left, or at a thousand', async () => {
  const some = { category: 'travel' as const, minValue: 1_000, maxValue: 2_000 };
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int from coupons where is_active and coalesce(expiry_date, 'infinity') >= $1::date
     and category = 'travel' and discount_type = 'fixed' and value between 1000 and 2000`,
    [ctx.clock()],
  );
  expect(await countCoupons(ctx, some)).toEqual({ total: rows[0]?.count, totalIsCapped: false });
  expect(await countCoupons(ctx, {})).toEqual({ total: SEARCH_COUNT_CAP, totalIsCapped: true });
});

it('what can be asked of one person is read without other people’s coupons, in each order', async () => {
  const [seller, asker] = [await createUser(ctx), actingAs(ctx, await createUser(ctx))];
  await database.pool.query(
    `update coupons set owner_id = $1 where id % ${Math.max(25, COUPONS / 2_000)} = 1`,
    [seller.id],
  );
  await database.pool.query('vacuum analyze coupons, users');
  for (const sort of COUPON_SORTS) {
    const input = listAskableCouponsInputSchema.parse({ userId: seller.id, limit: PAGE_SIZES.coupons, sort });
    expect(await faultsIn(() => listAskableCoupons(asker, input)), sort).toEqual([]);
  }
});

it('the coupons of one merchant are found by their index, once for the page and the count', async () => {
  expect(await faultsOf({ merchant: 'SHOP c4ca4238' })).toEqual([]);
  const page = readingCoupons().find(({ sql }) => sql.includes('row_keys'));
  const nodes = page ? await planOf(database, page) : [];
  expect(nodes.filter((node) => node['Index Name'] === 'coupons_merchant_newest')).toHaveLength(1);
  const all = await database.pool.query("select from coupons where merchant = 'Shop c4ca4238'");
  const read = nodes.filter((node) => node['Relation Name'] === 'coupons').map(rowsSeen);
  expect(Math.max(...read)).toBeLessThanOrEqual(all.rowCount ?? 0);
});

it('a merchant’s page reads few of its coupons, and what is related to a coupon few of all', async () => {
  const first = await pageOf({ category: 'travel' });
  const [{ id, merchant } = { id: 0, merchant: '' }] = first.items;
  const inputs = { page: 1, limit: PAGE_SIZES.coupons } as const;
  expect(await faultsIn(() => listMerchantCoupons(ctx, { merchant, ...inputs, sort: 'newest' }))).toEqual([]);
  sent.length = 0;
  expect((await relatedCoupons(ctx, id)).ofCategory).toHaveLength(4);
  await merchantByName(ctx, { name: merchant });
  for (const statement of sent) {
    for (const node of await planOf(database, statement)) {
      if (node['Relation Name'] !== 'coupons') continue;
      expect(node['Node Type'], statement.sql).not.toBe('Seq Scan');
      expect(rowsSeen(node), statement.sql).toBeLessThan(500);
    }
  }
});

it('a common text is counted on the way to its page, not where its coupons lie all over the table', async () => {
  sent.length = 0;
  await pageOf({ search: 'per cent' });
  const plans = await Promise.all(readingCoupons().map((statement) => planOf(database, statement)));
  const blocks = plans.map(
    ([root]) => (root?.['Shared Hit Blocks'] ?? 0) + (root?.['Shared Read Blocks'] ?? 0),
  );
  // To count 200 of them, some 700 coupons are read. In the order of the list, 20 of them lie in a block.
  expect(Math.max(...blocks)).toBeLessThan(150);
});

it('an index finds what each word with synonyms stands for, and few coupons besides', async () => {
  const { rows } = await database.pool.query<{ word: string }>(
    `select word from unnest(words_with_synonyms()) with ordinality as known (word, place)
     where length(word) >= 3 and place % ${shortOrLong(4, 1)} = 0`,
  );
  const looks = { precise: 0, besides: [] as string[] };
  await database.db.connection().execute(async (db) => {
    await sql`set enable_seqscan = off`.execute(db);
    await sql`set enable_indexscan = off`.execute(db);
    for (const { word } of rows) {
      const found = mentionsEach(sql`search_text`, await searchedWords(db, word));
      const explained = await sql<object>`
        explain (analyze, timing off) select from coupons where is_active and ${found}`.execute(db);
      const plan = explained.rows.map((row) => Object.values(row)[0]).join('\n');
      // What is common is found on any way.
      if (Number(/actual.*rows=(\d+)/.exec(plan)?.[1]) > COUPONS / 100) continue;
      const besides = Number(/Rows Removed by Index Recheck: (\d+)/.exec(plan)?.[1] ?? 0);
      if (plan.includes('Bitmap Index Scan on coupons_search') && besides < COUPONS / 20) looks.precise += 1;
      else looks.besides.push(plan);
    }
    await sql`reset all`.execute(db);
  });
  expect(looks.besides).toEqual([]);
  expect(looks.precise).toBeGreaterThan(100);
});

it('a member who has blocked many people reads as few rows', async () => {
  const viewer = await createUser(ctx);
  await database.pool.query(
    `with crowd as (
       insert into users (username, email, password_hash, terms_accepted_at, adult_confirmed_at, created_at, updated_at,
      email_verified_at)
       select 'crowd-' || n, 'crowd-' || n || '@example.org', '', now(), now(), now(), now(), now()
       from generate_series(1, $1::integer) as n returning id
     ), blocked as (
       insert into user_blocks (blocker_id, blocked_id, created_at) select $2, id, now() from crowd
     )
     update coupons set owner_id = crowd.id from crowd where coupons.id % 50 = 0 and crowd.id % 10 = coupons.id / 50 % 10`,
    [BLOCKS_MAX, viewer.id],
  );
  await database.pool.query('vacuum analyze coupons, users, user_blocks');
  for (const filter of [{}, { category: 'travel' }, { merchant: 'SHOP c4ca4238' }, { minValue: 9_900 }])
    expect(await faultsOf(filter, viewer), JSON.stringify(filter)).toEqual([]);
});

const cursorOf = (...parts: readonly (string | number)[]) =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

function pageOf(input: Record<string, unknown>, actor: Actor | null = null): Promise<Page<Coupon>> {
  return listCoupons(
    { ...ctx, actor },
    listCouponsInputSchema.parse({ limit: PAGE_SIZES.coupons, ...input }),
  );
}

/** Years of expired coupons, older than all the others. */
const PAST = shortOrLong(6_000, 12_000);
const PAST_SQL = `
  insert into coupons (owner_id, title, description, value, merchant, category, expiry_date, created_at, updated_at)
  select owner_id, 'Long gone ' || i, 'Good for nothing any more', 500, 'Shop of old', 'food', date '2030-01-01',
    timestamptz '2029-01-01' + i * interval '1 minute', timestamptz '2029-01-01'
  from (select owner_id from coupons limit 1) as anybody, generate_series(1, ${PAST}) as i`;

describe('expired coupons', () => {
  it('leave the indexes and do not slow down a list', async () => {
    await database.pool.query(PAST_SQL);
    await database.pool.query('vacuum analyze coupons');
    expect(await faultsOf({ sort: 'oldest' })).not.toEqual([]);
    expect(await delistPastCoupons(ctx)).toBeGreaterThanOrEqual(PAST);
    expect(await delistPastCoupons(ctx)).toBe(0);
    await database.pool.query('vacuum analyze coupons');
    expect(await faultsOf({ sort: 'oldest' })).toEqual([]);
  });
});
