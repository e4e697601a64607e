import type { Context } from '#server/context/context.ts';
import type { DatabaseHandle } from '#server/database/client.ts';
import type { Random } from './random.ts';

/** Who would take the coupon of whom, by the numbers of people, each of whom has one coupon. */
export type Wish = readonly [taker: number, owner: number];

let markets = 0;

/**
 * Stores people with a coupon each and a want for each wish, as the finder knows them when it has taken all changes.
 * @returns the ids of the people in order
 */
export async function createMarket(
  ctx: Context,
  { pool }: Pick<DatabaseHandle, 'pool'>,
  { people, wishes }: { people: number; wishes: readonly Wish[] },
): Promise<number[]> {
  markets += 1;
  const at = ctx.clock().toISOString();
  const connection = await pool.connect();
  try {
    // Without what triggers queue and index, which would take most of the time.
    const triggers = (act: string) =>
      `alter table coupons ${act} trigger user; alter table wants ${act} trigger user`;
    await connection.query(`begin; ${triggers('disable')}`);
    const { rows } = await connection.query<{ ids: number[] }>(PEOPLE_SQL, [at, people, markets]);
    const ids = rows[0]?.ids ?? [];
    const [takers, owners] = [wishes.map(([taker]) => ids[taker]), wishes.map(([, owner]) => ids[owner])];
    await connection.query(WISHES_SQL, [takers, owners, at]);
    await connection.query(`${triggers('enable')}; commit`);
    await connection.query('analyze users, coupons, wants, match_edges');
    return ids;
  } finally {
    // With its transaction, if that has failed.
    connection.release(true);
  }
}

/** People with a coupon each. */
const PEOPLE_SQL = `
  with people as (
    insert into users (username, email, password_hash, terms_accepted_at, adult_confirmed_at, created_at, updated_at,
      email_verified_at)
    select name, name || '@example.org', '', $1, $1, $1, $1, $1
    from generate_series(1, $2::integer) as n, format('market-%s-%s', $3::text, n) as name order by n returning id
  ), coupons as (
    insert into coupons (owner_id, title, description, value, merchant, category, expiry_date, has_no_expiry, created_at,
      updated_at)
    select id, 'Coupon of ' || id, 'For whoever asks.', 500 + id % 7 * 100, 'Market', 'food', null, true, $1, $1 from people
  )
  select array_agg(id order by id) as ids from people`;

/** Wants with their edges. */
const WISHES_SQL = `
  with given as (
    select taker, owner, nextval(pg_get_serial_sequence('wants', 'id'))::integer as want_id
    from (select distinct * from unnest($1::integer[], $2::integer[])) as wish (taker, owner)
  ), asked as (
    insert into wants (id, user_id, search, gives, looked_at, created_at, updated_at)
    overriding system value
    select want_id, taker, 'coupon of ' || owner, 'any', $3, $3, $3 from given
  )
  insert into match_edges (taker_id, owner_id, coupon_id, want_id, gives_some)
  select taker, owner, coupons.id, want_id, false from given join coupons on coupons.owner_id = owner`;

/** So many wishes a person on average, between random people. */
export function randomWishes(random: Random, people: number, each: number): Wish[] {
  const wishes = new Map<string, Wish>();
  while (wishes.size < people * each) {
    const [taker, owner] = [random(people), random(people)];
    if (taker !== owner) wishes.set(`${taker} ${owner}`, [taker, owner]);
  }
  return [...wishes.values()];
}
