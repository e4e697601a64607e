import type { DatabaseHandle } from '#server/database/client.ts';

/** People with a want each. */
const WANTS_SQL = `
  with people as (
    insert into users (username, email, password_hash, terms_accepted_at, adult_confirmed_at, created_at, updated_at,
      email_verified_at)
    select 'seeker-' || n, 'seeker-' || n || '@example.org', '', $3, $3, $3, $3, $3
    from generate_series($1::integer, $2::integer) as n returning id, substr(username, 8)::integer as n
  ), asked as (
    select people.*, case when $4::text is not null then $4 when n % 3 = 0 then left(md5(n::text), 4 + n % 9) end as search,
      case when $4::text is null and n % 3 = 1 then 'Shop ' || left(md5(n::text), 6) end as merchant,
      case when $4::text is null and n % 3 = 2 then '{retail,travel,services}'::text[] end as categories
    from people
  )
  insert into wants (user_id, search, merchant, category, min_value, max_value, gives,
    looked_at, created_at, updated_at)
  select id, search, merchant, categories[1 + n / 3 % 3],
    case when n % 2 = 0 and $4::text is null then n % 9000 end, case when n % 2 = 0 and $4::text is null then n % 9000 + 500 end,
    'nothing', $3, $3, $3
  from asked`;

/** Stores people by number, each with a want: of different kinds, or all of them for `search`. */
export async function insertSeekers(
  { pool }: Pick<DatabaseHandle, 'pool'>,
  given: { from: number; to: number; search: string | null },
): Promise<void> {
  const at = '2035-06-15T12:00:00Z';
  await pool.query(WANTS_SQL, [given.from, given.to, at, given.search]);
  await pool.query('vacuum analyze wants, users');
}
