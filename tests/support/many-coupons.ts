import type { DatabaseHandle } from '#server/database/client.ts';

/**
 * 40% expired, 10% without expiry, 30% percentages, 40% of which something is known, 12.5% checked in the last two months,
 * 9% with a price, over 200 merchants: the same on every run. Twenty have 'branch
 * number', whose every trigram is in all. Most are evenly spread; but words, merchants, categories and values go with
 * each other and with the order of a list, as those of a season, a feed or a kind of coupon do: what is common is then
 * all at the other end of the list.
 */
const couponsSql = (count: number) => `
  insert into coupons (owner_id, title, description, value, discount_type, merchant, category, expiry_date,
    has_no_expiry, created_at, updated_at, health, checked_at, is_verified, asking_price)
  select $1, title[1 + floor(random() * 10)] || ' deal ' || i,
    concat_ws(' ',
      case when i % ${count / 20} = 1 then 'At every branch number ' || i else 'Number ' || i || ' at every branch' end,
      case when is_old then 'for christmas' end, case when is_new then 'a novelty' end,
      case when expiry is null then 'as a voucher' end, case when category = 'entertainment' or i = ${count} then 'opera' end,
      case when kind = 'percentage' then 'per cent' end),
    case when category = 'other' then 100 + value % 900 else 1000 + value end, kind,
    case when is_old and i % 2 = 0 then 'Card ' || i % 10
      when expiry is null then 'Gift ' || i % 70
      else 'Shop ' || left(md5(floor(random() * 200)::text), 8) end, category, expiry, expiry is null,
    $2::timestamptz - i * interval '${3_000_000 / count} seconds', $2::timestamptz,
    case when i % 5 < 2 then 20 + i % 76 * 67 % 76 end,
    case when i % 8 = 0 then $2::timestamptz - (i / 8 % 60 * 31 % 60 + 1) * interval '23 hours' end,
    i % 8 = 0, case when i % 11 = 3 then 3 + i % 400 / 8.0 end
  from (
    select i, '{Coffee,Pizza,Sneakers,Massage,Flight,Movie,Books,Garden,Burger,Hotel}'::text[] as title,
      ('{food,retail,entertainment,travel,other,services}'::text[])
        [1 + floor(random() * case when i > 0.8 * ${count} then 6 else 5 end)] as category,
      case when random() < 0.3 then 'percentage' else 'fixed' end as kind,
      i > 0.9 * ${count} as is_old, i <= 0.1 * ${count} as is_new,
      floor(random() * case when i > 0.8 * ${count} then 9000 else 4000 end)::integer as value,
      case when i % 10 = 0 then null else $2::date - 100 + floor(random() * 250)::integer end as expiry
    from generate_series(1, ${count}) as i) as numbered`;

/** Fills what triggers keep of coupons; chains of exposures play no part. */
const NOTES_SQL = `
  insert into merchants (name) select distinct merchant_text from coupons;
  alter table coupon_secrets disable trigger user;
  insert into coupon_secrets (coupon_id, code) select id, decode(md5(id::text), 'hex') from coupons;
  alter table coupon_secrets enable trigger user`;

/** How to make a table's indexes again. */
const INDEXES_SQL = `
  select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as create
  from pg_index where indrelid = 'coupons'::regclass and not indisprimary`;

/** Fills coupons while they have no indexes, which are made when all rows are there: row by row, a million take half an hour. */
export async function withoutIndexes(
  client: { query(statement: string): Promise<{ rows: { drop: string; create: string }[] }> },
  fill: () => Promise<unknown>,
): Promise<void> {
  const { rows } = await client.query(INDEXES_SQL);
  await client.query(rows.map(({ drop }) => drop).join(';'));
  await fill();
  for (const { create } of rows) await client.query(create);
}

/** Fills an empty market with `count` coupons of one owner, the newest from `now` back. */
export async function createManyCoupons(
  { pool }: Pick<DatabaseHandle, 'pool'>,
  { ownerId, now, count }: { ownerId: number; now: Date; count: number },
): Promise<void> {
  // With its random seed and settings, it is discarded afterwards.
  const client = await pool.connect();
  try {
    await client.query("select setseed(0.5); set maintenance_work_mem = '256MB'");
    // Triggers do nothing, row by row.
    await client.query('alter table coupons disable trigger user');
    await withoutIndexes(client, () => client.query(couponsSql(count), [ownerId, now.toISOString()]));
    await client.query('alter table coupons enable trigger user');
    await client.query(NOTES_SQL);
    await client.query('vacuum analyze coupons, coupon_secrets, users, merchants');
  } finally {
    client.release(true);
  }
}
