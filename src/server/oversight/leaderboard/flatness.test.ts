import { beforeAll, describe, expect, it } from 'vitest';
import { createCoupon, createTestContext, createUser, type TestContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { createManyCoupons } from '#tests/support/many-coupons.ts';
import { planOf, recorded, rowsSeen, type Statement } from '#tests/support/plans.ts';
import { completeExchange, rate } from '#tests/support/ratings.ts';
import { refreshLeaderboard, scoresOf } from './service.ts';

const database = setUpDatabase();
const sent: Statement[] = [];
let ctx: TestContext;

const COUPONS = 12_000;
const PEOPLE = 4_000;

/** People with coupons, deals, ratings and points, without what triggers make of them. */
const FILL_SQL = `
  insert into users (id, username, email, password_hash, terms_accepted_at, adult_confirmed_at, created_at, updated_at,
      email_verified_at) overriding system value
    select 1000 + i, 'one-of-many-' || i, i || '@example.com', 'none', now(), now(), now(), now(), now()
    from generate_series(1, ${PEOPLE}) as i;
  alter table coupons disable trigger user;
  alter table coupon_transfers disable trigger user;
  alter table coupon_transfers drop constraint coupon_transfers_bid_id_fkey;
  update coupons set owner_id = 1001 + coupons.id % ${PEOPLE};
  insert into coupon_transfers (coupon_id, from_user_id, to_user_id, bid_id, created_at)
    select id, 1001 + (id + 1) % ${PEOPLE}, owner_id, id, now() from coupons where id % 2 = 0;
  insert into user_ratings (rater_id, rated_user_id, rating, related_entity_type, related_entity_id, is_counted,
      visible_at, created_at, updated_at)
    select from_user_id, to_user_id, 9, 'bid', bid_id, true, now(), now(), now() from coupon_transfers;
  insert into leaderboard (user_id, category, rank, score, reached_at, updated_at)
    select 1000 + i, category, i, ${PEOPLE} - i, now(), now()
    from generate_series(1, ${PEOPLE}) as i,
      unnest('{overall,coupons,exchanges,bids,ratings}'::text[]) as category;
  alter table coupons enable trigger user;
  alter table coupon_transfers enable trigger user`;

beforeAll(async () => {
  ctx = createTestContext({ db: recorded(database, sent) });
  const { id: ownerId } = await createUser(ctx);
  await createManyCoupons(database, { ownerId, now: ctx.clock(), count: COUPONS });
  await database.pool.query(FILL_SQL);
  await database.pool.query('vacuum analyze');
});

/** The rows of history and of people that a refresh reads. */
async function readByRefresh(): Promise<number> {
  sent.length = 0;
  await refreshLeaderboard(ctx);
  let rows = 0;
  for (const statement of sent.filter((one) => /^\s*(?:with|select|insert|update|delete)/.test(one.sql))) {
    // Ranks are of all entries: that table alone is read as a whole.
    const nodes = (await planOf(database, statement)).filter(
      ({ 'Relation Name': of }) => of && of !== 'leaderboard',
    );
    for (const node of nodes) rows += rowsSeen(node);
  }
  return rows;
}

describe('a refresh among many people, coupons, deals and ratings', () => {
  it('reads none of them when nothing has changed', async () => {
    await database.pool.query('truncate leaderboard_queue');
    expect(await readByRefresh()).toBe(0);
    expect(sent.filter(({ sql }) => /update leaderboard/.test(sql))).toEqual([]);
  });

  it('reads those of the people about whom something has changed', async () => {
    const [anna, ben] = [await createUser(ctx), await createUser(ctx)];
    await createCoupon(ctx, anna, { isVerified: true });
    const deal = await completeExchange(ctx, anna, ben);
    await rate(ctx, anna, deal, 9);
    await rate(ctx, ben, deal, 8);
    const read = await readByRefresh();
    expect(read).toBeGreaterThan(10);
    expect(read).toBeLessThan(200);
    expect(sent.filter(({ sql }) => /update leaderboard/.test(sql))).toHaveLength(2);
    sent.length = 0;
    expect((await scoresOf(ctx.db, [anna.id], ctx.clock())).get(anna.id)?.ratingCount).toBe(1);
    // What was counted is read, and not counted once more.
    expect(sent).toHaveLength(1);
  });
});
