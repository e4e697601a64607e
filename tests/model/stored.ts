import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Database } from '#server/database/client.ts';

/** What is stored about people, coupons and deals, by the numbers of the model. */
export interface Stored {
  readonly people: Record<string, unknown>;
  readonly coupons: Record<string, unknown>;
  readonly deals: Record<string, unknown>;
}

/** The ids of what the model knows by number. */
interface Ids {
  /** By their place in the cast. */
  readonly people: readonly number[];
  readonly coupons: ReadonlyMap<number, number>;
  readonly exchanges: ReadonlyMap<number, number>;
  readonly bids: ReadonlyMap<number, number>;
}

interface Row {
  readonly kind: 'person' | 'coupon' | 'exchange' | 'ring' | 'bid';
  readonly id: number;
  readonly facts: Record<string, unknown>;
}

function numberOf(known: ReadonlyMap<number, number>, id: unknown): number | string | null {
  if (id === null) return null;
  return [...known].find(([, other]) => other === id)?.[0] ?? `unknown ${id}`;
}

const numbersOf = (known: ReadonlyMap<number, number>, found: unknown) =>
  (Array.isArray(found) ? found : [])
    .map((id) => numberOf(known, id))
    .sort((one, other) => Number(one) - Number(other));

const PRICES = sql`array(select json_build_array(coupon_id, (price * 100)::integer) from exchange_legs
  where exchange_id = exchanges.id and price is not null)`;

/** Reads all of it by one query. */
export async function readStored(db: Database, { people, ...ids }: Ids): Promise<Stored> {
  const { rows } = await sql<Row>`
    select 'person' as kind, id, json_build_object('status', status, 'hasLeft', deleted_at is not null,
      'isSignedIn', exists (select from sessions where user_id = users.id), 'failedCodes', failed_codes,
      'blocked', array(
        select array_position(${people}::integer[], blocked_id) - 1 from user_blocks where blocker_id = users.id order by 1),
      'wants', array(select lower(search) from wants where user_id = users.id order by 1)) as facts
    from users
    union all
    select 'coupon', c.id, json_build_object('owner', owner_id, 'isListed', is_active,
      'isHidden', is_withheld, 'isDeleted', deleted_at is not null, 'exchange', exchange_id, 'bid', bid_id,
      'asking', (asking_price * 100)::integer, 'floor', (price_floor * 100)::integer)
    from coupons c left join coupon_reservations r on r.coupon_id = c.id
    union all
    select 'exchange', id, json_build_object('status', status, 'reason', reason, 'round', round, 'replaces', replaces_id,
      'offered', array(select coupon_id from exchange_legs where exchange_id = exchanges.id and giver_id = requester_id),
      'requested', array(select coupon_id from exchange_legs where exchange_id = exchanges.id and receiver_id = requester_id),
      'prices', ${PRICES}, 'claims', array(select json_build_array(coupon_id, status, answer is not null) from claims where exchange_id = exchanges.id))
    from exchanges where kind = 'swap'
    union all
    select 'ring', id, json_build_object('status', status, 'reason', reason, 'round', round,
      'coupons', array(select coupon_id from exchange_legs where exchange_id = exchanges.id order by place), 'prices', ${PRICES},
      'consents', array(select array_position(${people}::integer[], user_id) - 1 from exchange_parties
        where exchange_id = exchanges.id and consented_at is not null order by 1))
    from exchanges where kind = 'ring'
    union all
    select 'bid', id, json_build_object('status', status, 'reason', reason, 'round', round,
      'amount', (amount * 100)::integer, 'counter', (counter_amount * 100)::integer, 'of', exchange_id,
      'isPaid', price_paid_at is not null) from bids`.execute(db);
  /** Lists that begin with a coupon. */
  const byCoupon = (found: unknown) =>
    (Array.isArray(found) ? found : [])
      .map(([coupon, ...facts]) => [numberOf(ids.coupons, coupon), ...facts])
      .sort(([one], [other]) => Number(one) - Number(other));
  const stored: Stored = { people: {}, coupons: {}, deals: {} };
  for (const { kind, id, facts } of rows) {
    if (kind === 'person') stored.people[`${people.indexOf(id)}`] = facts;
    else if (kind === 'coupon') {
      const { owner, exchange, bid, ...rest } = facts;
      const heldBy = numberOf(ids.exchanges, exchange) ?? numberOf(ids.bids, bid);
      stored.coupons[`${numberOf(ids.coupons, id)}`] = {
        owner: people.indexOf(Number(owner)),
        ...rest,
        heldBy,
      };
    } else if (kind === 'exchange') {
      const { offered, requested, replaces, claims, prices, ...rest } = facts;
      stored.deals[`${numberOf(ids.exchanges, id)}`] = {
        ...rest,
        replaces: numberOf(ids.exchanges, replaces),
        offered: numbersOf(ids.coupons, offered),
        requested: numbersOf(ids.coupons, requested),
        prices: byCoupon(prices),
        claims: byCoupon(claims),
      };
    } else if (kind === 'ring') {
      const { coupons, prices, ...rest } = facts;
      const found = Array.isArray(coupons) ? coupons : [];
      stored.deals[`${numberOf(ids.exchanges, id)}`] = {
        ...rest,
        coupons: found.map((couponId) => numberOf(ids.coupons, couponId)),
        prices: byCoupon(prices),
      };
    } else {
      const { of, ...rest } = facts;
      stored.deals[`${numberOf(ids.bids, id)}`] = { ...rest, of: numberOf(ids.exchanges, of) };
    }
  }
  return stored;
}

/** What differs, for people to read. */
export function differences(expected: Stored, stored: Stored): string[] {
  return (['people', 'coupons', 'deals'] as const).flatMap((kind) => {
    const [left, right] = [expected[kind], stored[kind]];
    const ids = [...new Set([...Object.keys(left), ...Object.keys(right)])];
    return ids
      .filter((id) => !isDeepStrictEqual(left[id], right[id]))
      .map((id) => `${kind} ${id}: model ${JSON.stringify(left[id])}, stored ${JSON.stringify(right[id])}`);
  });
}
