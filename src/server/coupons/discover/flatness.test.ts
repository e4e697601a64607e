import { beforeAll, expect, it } from 'vitest';
import type { MemberContext } from '#server/context/context.ts';
import { actingAs, createTestContext, createUser, type TestContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { planOf, recorded, rowsSeen, type Statement } from '#tests/support/plans.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { listDiscover, listMerchantOffers } from './service.ts';

/** All at one merchant; every other one counts elsewhere only. */
const OFFERS = shortOrLong(20_000, 1_000_000);
/** A page of 12 offers reads so many of each set of countries, and a few to find the sets. */
const MOST_ROWS_SEEN = 500;

const database = setUpDatabase();
const sent: Statement[] = [];
let me: TestContext & MemberContext;

beforeAll(async () => {
  const ctx = createTestContext({ db: recorded(database, sent) });
  me = actingAs(ctx, await createUser(ctx));
  await database.pool.query(`
    insert into feeds (name) values ('large');
    insert into feed_offers (feed, merchant, merchant_key, code, identity, title, description, regions, created_at,
      updated_at, doubt)
    select 'large', 'Acme', 'acme', 'CODE' || i, lpad(i::text, 64, '0'), 'Offer ' || i, 'Words about it',
      (array['{}', '{DE}', '{CA,US}', '{GB}'])[1 + i % 4]::text[], now(), now(), i % 7
    from generate_series(1, ${OFFERS}) as i;
    insert into feed_merchants (key, name, offers) values ('acme', 'Acme', ${OFFERS})`);
  await database.pool.query('vacuum analyze feed_offers');
});

async function mostRowsSeen(): Promise<number> {
  const plans = await Promise.all(sent.map((statement) => planOf(database, statement)));
  return Math.max(...plans.flat().map(rowsSeen));
}

it('a page of one merchant’s offers reads few of them: the first, one at a seam of countries, the last', async () => {
  const read = (page: number | string) => listMerchantOffers(me, { merchant: 'Acme', page, limit: 12 });
  const seam = Buffer.from(JSON.stringify(['offers', 'after', 0, 6, OFFERS - 50])).toString('base64url');
  const end = Buffer.from(JSON.stringify(['offers', 'before', 2, 0, 1])).toString('base64url');
  for (const page of [1, seam, end]) {
    sent.length = 0;
    const { items } = await read(page);
    expect(items).toHaveLength(12);
    expect(await mostRowsSeen()).toBeLessThan(MOST_ROWS_SEEN);
  }
});

it('the list of merchants reads few offers of each', async () => {
  sent.length = 0;
  const { items } = await listDiscover(me, { page: 1, limit: 12 });
  expect(items[0]?.coupons).toHaveLength(12);
  expect(await mostRowsSeen()).toBeLessThan(MOST_ROWS_SEEN);
});
