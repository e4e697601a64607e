import pg from 'pg';
import { withoutIndexes } from '#tests/support/many-coupons.ts';

/** Of a text whose every part is in every coupon, though the text itself is in these coupons alone. */
const RARE_COUPONS = 20;

/** The first of the people whose coupons they are, whom it makes with one id after the other. */
const OWNERS_SQL = `
  with made as (
    insert into users (username, email, password_hash, terms_accepted_at, adult_confirmed_at, created_at, updated_at, email_verified_at)
    select 'seller-' || i, 'seller-' || i || '@example.com', 'none', now(), now(), now(), now(), now()
    from generate_series(1, $1::integer) as i returning id)
  select min(id) as id from made`;

/**
 * 60% live, 10% without expiry, 400 merchants of very different size, 6 categories. As on real markets, words go with
 * other things: no Pizza ends within a week, is worth an amount or is food, and no Coffee ever ends.
 */
const COUPONS_SQL = `
  insert into coupons (owner_id, title, description, value, discount_type, merchant, category, expiry_date,
    has_no_expiry, is_active, created_at, updated_at)
  select $1 + i % $4, title[1 + i % 10] || ' deal ' || i,
    case when i <= ${RARE_COUPONS} then 'At every branch number ' || i else 'Number ' || i || ' at every branch' end,
    100 + i * 7919 % 9900, case when i % 10 < 3 then 'percentage' else 'fixed' end,
    'Shop ' || floor(400 * power((i * 7919 % 10007) / 10007.0, 3)), category[1 + i % 6],
    case when i % 10 = 0 then null else day end, i % 10 = 0, i % 10 = 0 or day >= current_date,
    now() - i * interval '1 minute', now()
  from (
    select i, current_date - 60 + (i * 7919 % 150)::integer as day,
      '{Coffee,Pizza,Sneakers,Massage,Flight,Movie,Books,Garden,Burger,Hotel}'::text[] as title,
      '{food,retail,entertainment,travel,services,other}'::text[] as category
    from generate_series($2::bigint, $3::bigint) as i) as numbered`;

const SECRETS_SQL = `
  insert into coupon_secrets (coupon_id, code)
  select id, decode(md5(id::text), 'hex') from coupons where id > $1`;

/** Fills a market up to `size` coupons; it may have some already, of the same number of owners. */
export async function fillMarket(url: string, size: number, ownerCount = 1): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: owners } = await client.query("select id from users where username = 'seller-1'");
    const { id: ownerId } = owners[0] ?? (await client.query(OWNERS_SQL, [ownerCount])).rows[0];
    const { rows } = await client.query(
      'select count(*)::int as count, coalesce(max(id), 0) as last from coupons',
    );
    await client.query("set maintenance_work_mem = '256MB'");
    await withoutIndexes(client, () =>
      client.query(COUPONS_SQL, [ownerId, rows[0].count + 1, size, ownerCount]),
    );
    await client.query(SECRETS_SQL, [rows[0].last]);
    // The jobs that look at what is new would be busy for an hour.
    await client.query('truncate match_queue, want_queue, health_queue, leaderboard_queue');
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}
