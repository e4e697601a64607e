import pg from 'pg';
import { sha256 } from '#server/core/crypto.ts';
import type { Request } from './load.ts';

/** A statement as the product sends it. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Deal n has these ids plus n: found again in any statement, as nothing else has them. */
const FIRST = {
  exchange: 2_000_000,
  requester: 3_000_000,
  owner: 3_500_000,
  requested: 4_000_000,
  offered: 4_500_000,
};

/** What is measured of each deal, in this order. */
export const ACTS = ['accepted', 'completed'] as const;
export type Act = (typeof ACTS)[number];

/** Deals from the next one on are free to be measured. */
export const RECORDED_DEAL = 2;

const tokenOf = (person: 'requester' | 'owner', deal: number) => `bench-${person}-${deal}`;

const PEOPLE_SQL = `
  insert into users (id, username, email, password_hash, terms_accepted_at, adult_confirmed_at, created_at, updated_at,
      email_verified_at, established_at)
  overriding system value
  select id, 'bench-' || id, 'bench-' || id || '@example.com', 'none', now(), now(), now(), now(), now(), now()
  from unnest($1::integer[]) as id`;

const SESSIONS_SQL = `
  insert into sessions (id, user_id, expires_at, created_at, last_seen_at)
  select hash, user_id, now() + interval '29 days', now(), now()
  from unnest($1::text[], $2::integer[]) as session (hash, user_id)`;

const COUPONS_SQL = `
  insert into coupons (id, owner_id, title, description, value, discount_type, merchant, category, has_no_expiry,
    is_active, created_at, updated_at) overriding system value
  select id, owner_id, 'Swapped deal', 'At every branch', 500, 'fixed', 'Shop 1', 'food', true, true, now(), now()
  from unnest($1::integer[], $2::integer[]) as coupon (id, owner_id)`;

const EXCHANGES_SQL = `
  insert into exchanges (id, kind, requester_id, created_at, updated_at) overriding system value
  select id, 'swap', requester_id, now(), now() from unnest($1::integer[], $2::integer[]) as deal (id, requester_id)`;

const PARTIES_SQL = `
  insert into exchange_parties (exchange_id, user_id, consented_at)
  select exchange_id, user_id, case when is_author then now() end
  from unnest($1::integer[], $2::integer[], $3::boolean[]) as party (exchange_id, user_id, is_author)`;

const LEGS_SQL = `
  insert into exchange_legs (exchange_id, place, coupon_id, giver_id, receiver_id)
  select * from unnest($1::integer[], $2::integer[], $3::integer[], $4::integer[], $5::integer[])`;

/** Adds pending exchanges, from deal 1 to deal `count`, each of two people with a coupon each. */
export async function fillDeals(url: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const deals = Array.from({ length: count }, (_, at) => at + 1);
  const each = (one: keyof typeof FIRST, other: keyof typeof FIRST) =>
    deals.flatMap((deal) => [FIRST[one] + deal, FIRST[other] + deal]);
  const [people, exchanges] = [each('requester', 'owner'), each('exchange', 'exchange')];
  const places = <Value>(...values: Value[]) => deals.flatMap(() => values);
  try {
    await client.query('begin');
    await client.query(PEOPLE_SQL, [people]);
    const hashes = deals.flatMap((deal) => [
      sha256(tokenOf('requester', deal)),
      sha256(tokenOf('owner', deal)),
    ]);
    await client.query(SESSIONS_SQL, [hashes, people]);
    const coupons = each('requested', 'offered');
    await client.query(COUPONS_SQL, [coupons, each('owner', 'requester')]);
    await client.query(EXCHANGES_SQL, [
      deals.map((deal) => FIRST.exchange + deal),
      deals.map((deal) => FIRST.requester + deal),
    ]);
    await client.query(PARTIES_SQL, [exchanges, people, places(true, false)]);
    const legs = [exchanges, places(1, 2), coupons, each('owner', 'requester'), people];
    await client.query(LEGS_SQL, legs);
    await client.query('commit');
    await client.query('truncate match_queue, want_queue');
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

/** How one of the two people of a deal is signed in. */
export function personOf(person: 'requester' | 'owner', deal: number) {
  const token = tokenOf(person, deal);
  // The name of the cookie depends on whether the address is https.
  return { cookie: `clipswap=${token}; __Host-clipswap=${token}`, exchangeId: FIRST.exchange + deal };
}

/** The call that moves a deal: its owner accepts it, its requester completes it. */
export function requestOf(act: Act, deal: number): Request {
  const { cookie, exchangeId } = personOf(act === 'accepted' ? 'owner' : 'requester', deal);
  return {
    url: '/api/trpc/exchanges.setStatus',
    body: JSON.stringify({ id: exchangeId, status: act }),
    cookie,
  };
}

/** What was recorded of one deal, as the product would send it for another. */
export function statementsFor(recorded: readonly Statement[], from: number, to: number): Statement[] {
  let text = JSON.stringify(recorded);
  for (const first of Object.values(FIRST)) text = text.replaceAll(String(first + from), String(first + to));
  for (const person of ['requester', 'owner'] as const)
    text = text.replaceAll(sha256(tokenOf(person, from)), sha256(tokenOf(person, to)));
  return JSON.parse(text);
}
