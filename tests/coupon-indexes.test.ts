import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { listCouponsInputSchema } from '#contract/coupons/coupons.ts';
import { discoverInputSchema } from '#contract/coupons/discover.ts';
import type { CouponSort } from '#contract/coupons/sorts.ts';
import { listDealsInputSchema } from '#contract/deals/deal-list.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { findByClientKey, findCoupon } from '#server/coupons/core/store.ts';
import { listDiscover } from '#server/coupons/discover/service.ts';
import { listShowing } from '#server/coupons/publishing/removing-store.ts';
import { listCoupons, listMerchantCoupons } from '#server/coupons/search/listing.ts';
import { listOwnCoupons } from '#server/coupons/search/search-store.ts';
import { insertNewReminders } from '#server/coupons/using/reminders-store.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { listDeals } from '#server/deals/list/service.ts';
import { listHeld } from '#server/oversight/checks/code-forms-store.ts';
import { listUnfinished } from '#server/oversight/moderation/store.ts';
import { listWaiting } from '#server/oversight/moderation/waiting-coupons-store.ts';
import { countCoupons, sumUsed } from '#server/oversight/profiles/store.ts';
import { listSitemapParts } from '#server/oversight/seo/service.ts';
import { actingAs, createTestContext, createUser, type TestContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { createManyCoupons } from '#tests/support/many-coupons.ts';
import { indexesOf, planOf, recorded, type Statement } from '#tests/support/plans.ts';
import { shortOrLong } from '#tests/support/rounds.ts';

/*
 * Every index of coupons is written with each coupon. So each has a statement here that reads it, in a market with the
 * statistics of a large one; an index that no statement needs goes.
 */

const COUPONS = shortOrLong(12_000, 1_000_000);
const database = setUpDatabase();
const sent: Statement[] = [];
let ctx: TestContext;
let seller: Actor;

beforeAll(async () => {
  ctx = createTestContext({ db: recorded(database, sent) });
  seller = await createUser(ctx);
  const other = await createUser(ctx);
  await createManyCoupons(database, { ownerId: other.id, now: ctx.clock(), count: COUPONS });
  const { pool } = database;
  // As in a large market, where much is of one category, checked, of one merchant or of one person; and many small
  // merchants have a word in their names.
  await pool.query(
    `update coupons set category = 'food', is_verified = true, checked_at = $1::timestamptz - id % 180 * interval '1 day'
     where id % 2 = 0`,
    [ctx.clock()],
  );
  await pool.query("update coupons set merchant = 'Large Shop' where id % 4 = 0");
  await pool.query(`update coupons set merchant = 'Rarity ' || id where id % ${COUPONS / 40} = 1`);
  await pool.query('update coupons set owner_id = $1 where id % 100 = 1', [seller.id]);
  await pool.query('vacuum analyze coupons, merchants');
});

const PAGE = { page: 1, limit: 24, sort: 'newest' } as const;
const list = (input: object) => listCoupons(ctx, listCouponsInputSchema.parse(input));
const ofMerchant = (sort: CouponSort) => listMerchantCoupons(ctx, { ...PAGE, merchant: 'Large Shop', sort });

const inTrx = <Result>(ask: (trx: Trx) => Promise<Result>) => inTransaction(ctx.db, ask);
const asSeller = () => actingAs(ctx, seller);
const HASH = { id: 1, before: 'a'.repeat(64), now: 'b'.repeat(64) };
const given = (limit: number) => ({ at: ctx.clock(), now: ctx.clock(), limit });

/** A statement that needs each index, and who asks it. */
const STATEMENTS: Record<string, readonly [name: string, ask: () => Promise<unknown>]> = {
  coupons_pkey: ['a coupon by its id', () => findCoupon(ctx.db, 1, null)],
  coupons_newest: ['Explore', () => list({})],
  coupons_value_high: ['Explore, highest value first', () => list({ sort: 'value-high' })],
  coupons_value_low: ['Explore, lowest value first', () => list({ sort: 'value-low' })],
  coupons_expiry: ['Explore, soonest end first', () => list({ sort: 'expiry' })],
  coupons_reliable: ['Explore, most reliable first', () => list({ sort: 'reliable' })],
  coupons_price: ['Explore, lowest price first', () => list({ sort: 'price-low' })],
  coupons_category_price: [
    'a category, lowest price first',
    () => list({ category: 'food', sort: 'price-low' }),
  ],
  coupons_category_newest: ['a category', () => list({ category: 'food' })],
  coupons_category_value_high: [
    'a category, highest value first',
    () => list({ category: 'food', sort: 'value-high' }),
  ],
  coupons_category_value_low: [
    'a category, lowest value first',
    () => list({ category: 'food', sort: 'value-low' }),
  ],
  coupons_category_expiry: [
    'a category, soonest end first',
    () => list({ category: 'food', sort: 'expiry' }),
  ],
  coupons_category_reliable: [
    'a category, most reliable first',
    () => list({ category: 'food', sort: 'reliable' }),
  ],
  coupons_merchant_newest: ['the page of a merchant', () => ofMerchant('newest')],
  coupons_merchant_value_high: ['a merchant, highest value first', () => ofMerchant('value-high')],
  coupons_merchant_value_low: ['a merchant, lowest value first', () => ofMerchant('value-low')],
  coupons_merchant_expiry: ['a merchant, soonest end first', () => ofMerchant('expiry')],
  coupons_merchant_reliable: ['a merchant, most reliable first', () => ofMerchant('reliable')],
  coupons_search: ['a search for a rare word', () => list({ search: 'number 4710 at' })],
  coupons_merchant: ['a part of the names of many small merchants', () => list({ merchant: 'rarity' })],
  coupons_checked: ['what was checked today', () => list({ checkedDays: 1, sort: 'expiry' })],
  coupons_owner: ['My Coupons', () => listOwnCoupons(ctx.db, { ownerId: seller.id, search: [] }, PAGE)],
  coupons_used: ['what a person has saved', () => sumUsed(ctx.db, seller.id, addDays(ctx.clock(), -90))],
  coupons_floor: ['My Deals', () => listDeals(asSeller(), listDealsInputSchema.parse({}), async () => [])],
  coupons_client_key: ['an offer sent twice', () => findByClientKey(ctx.db, seller.id, randomUUID())],
  coupons_code_key: ['a code that is listed already', () => inTrx((trx) => listHeld(trx, [HASH]))],
  coupons_imported_once: ['Discover', () => listDiscover(asSeller(), discoverInputSchema.parse({}))],
  coupons_last_day: ['reminders', () => inTrx((trx) => insertNewReminders(trx, { ...given(100), days: 7 }))],
  coupons_picture: ['a picture taken down', () => inTrx((trx) => listShowing(trx, randomUUID()))],
  coupons_sitemap: ['the sitemap', () => listSitemapParts(ctx)],
  coupons_waiting: [
    'what waits for a moderator',
    () => listWaiting(ctx.db, { ...given(100), moderatorId: 1 }),
  ],
  coupons_withheld: ['the ends of bans', () => listUnfinished(ctx.db, 100)],
};

it('each index of coupons is here', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    "select indexrelid::regclass::text as name from pg_index where indrelid = 'coupons'::regclass",
  );
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(STATEMENTS).toSorted());
});

it.each(Object.entries(STATEMENTS).map(([index, [name, ask]]) => [index, name, ask] as const))(
  '%s is read for %s',
  async (index, _, ask) => {
    sent.length = 0;
    await ask();
    const asked = sent.filter(({ sql }) => sql.includes('coupons'));
    const read = await Promise.all(asked.map((statement) => indexesOf(database, statement)));
    expect(read.flat()).toContain(index);
  },
);

it('a person’s coupons are counted in their index alone', async () => {
  sent.length = 0;
  await countCoupons(ctx.db, seller.id);
  const [count] = sent;
  if (!count) throw new Error('Nothing was asked');
  const nodes = await planOf(database, count);
  expect(nodes.map((node) => node['Node Type'])).toEqual(['Aggregate', 'Index Only Scan']);
});

const LISTING = `
  explain (analyze, wal, format json)
  insert into coupons (owner_id, title, description, value, merchant, category, has_no_expiry, created_at, updated_at)
  values ($1, 'Two for one brunch', $2, 500, 'Harbour Kitchen', 'food', true, now(), now())`;
/** Some hundred trigrams. */
const TEXT =
  'A brunch for two at the harbour, any weekday before noon: eggs, fresh juice, pastry, ham and cheese. Not with vouchers.';

it('a listed coupon writes about a record for each index, and not one for each trigram of its text', async () => {
  const { rows } = await database.pool.query(LISTING, [seller.id, TEXT]);
  const records: number = rows[0]?.['QUERY PLAN'][0].Plan['WAL Records'];
  expect(records).toBeGreaterThan(15);
  expect(records).toBeLessThan(50);
});
