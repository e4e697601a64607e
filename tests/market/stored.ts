import { sql } from 'kysely';
import type { PaymentStatus } from '#contract/money/payments.ts';
import type { Database } from '#server/database/client.ts';
import { type Bid, type Coupon, type Exchange, type Payment, type Person, stateOf } from './state.ts';

/** What is stored, as the acts know it. */
export interface Stored {
  readonly people: Person[];
  readonly coupons: Map<number, Coupon>;
  readonly deals: Map<number, Bid | Exchange>;
}

/** By which numbers the acts know what is stored. */
export interface Numbers {
  /** The ids of the cast, in order. */
  readonly people: readonly number[];
  coupon(id: number): number;
  exchange(id: number): number;
  bid(id: number): number;
}

type Or<Stored, Facts> = Omit<Stored, keyof Facts> & Facts;

type Row =
  | { kind: 'person'; id: number; facts: Person }
  | { kind: 'coupon'; id: number; facts: Or<Coupon, { exchange: number | null; bid: number | null }> }
  | { kind: 'exchange'; id: number; facts: Exchange }
  | { kind: 'bid'; id: number; facts: Or<Bid, { payment: StoredPayment | null }> };

type StoredPayment = Or<Payment, { state: PaymentStatus }>;

const milliseconds = (column: string) => sql.raw(`coalesce(extract(epoch from ${column}) * 1000, 0)::bigint`);
const cents = (column: string) => sql.raw(`(${column} * 100)::integer`);

/** Reads all of it by one query. Codes, how coupons have come to their owners, and the stops of clocks are left empty. */
export async function readStored(db: Database, numbers: Numbers): Promise<Stored> {
  const { rows } = await sql<Row>`
    with cast_of as (select * from unnest(${numbers.people}::integer[]) with ordinality as c (id, nth))
    select 'person' as kind, id, json_build_object('status', status, 'hasLeft', deleted_at is not null,
      'isSignedIn', exists (select from sessions where user_id = users.id), 'failedCodes', failed_codes,
      'isSaleStopped', sales_stopped_at is not null, 'stops', '{}'::text[],
      'blocked', array(
        select nth - 1 from user_blocks b join cast_of c on c.id = blocked_id where blocker_id = users.id order by 1),
      'wants', array(select lower(coalesce(search, '')) from wants where user_id = users.id order by 1)) as facts
    from users
    union all
    select 'coupon', c.id, json_build_object('owner', o.nth - 1, 'code', '', 'value', value, 'lastDay', expiry_date,
      'isListed', is_active, 'isHidden', is_withheld, 'isDeleted', deleted_at is not null, 'cameBy', null,
      'exchange', exchange_id, 'bid', bid_id, 'asking', ${cents('asking_price')}, 'floor', ${cents('price_floor')})
    from coupons c left join coupon_reservations r on r.coupon_id = c.id join cast_of o on o.id = owner_id
    union all
    select 'exchange', e.id, json_build_object('kind', kind, 'status', status, 'reason', reason, 'round', round,
      'replaces', replaces_id, 'createdAt', ${milliseconds('created_at')}, 'acceptedAt', ${milliseconds('accepted_at')},
      'completedAt', ${milliseconds('completed_at')},
      'parties', array(select nth - 1 from exchange_parties p join cast_of c on c.id = user_id
        where p.exchange_id = e.id order by user_id <> requester_id, (
          select min(place) from exchange_legs l where l.exchange_id = e.id and giver_id = user_id)),
      'consents', array(select nth - 1 from exchange_parties p join cast_of c on c.id = user_id
        where p.exchange_id = e.id and consented_at is not null order by 1),
      'legs', (select json_agg(json_build_object('coupon', coupon_id, 'giver', g.nth - 1, 'receiver', r.nth - 1) order by place)
        from exchange_legs l join cast_of g on g.id = giver_id join cast_of r on r.id = receiver_id where l.exchange_id = e.id),
      'deposit', ${cents('deposit')},
      'deposits', array(select json_build_object('who', c.nth - 1, 'at', ${milliseconds('d.authorised_at')},
          'state', case when d.status in ('authorised', 'captured') then d.status else 'over' end, 'receiver', r.nth - 1)
        from deposits d join cast_of c on c.id = d.user_id left join cast_of r on r.id = d.receiver_id
        where d.exchange_id = e.id and d.authorised_at is not null order by c.nth),
      'prices', array(select json_build_object('coupon', coupon_id, 'amount', ${cents('price')})
        from exchange_legs l where l.exchange_id = e.id and price is not null),
      'claims', array(select json_build_object('coupon', coupon_id, 'status', c.status, 'isAnswered', answer is not null,
        'at', ${milliseconds('c.created_at')}) from claims c where c.exchange_id = e.id))
    from exchanges e
    union all
    select 'bid', b.id, json_build_object('kind', 'bid', 'status', b.status, 'reason', reason, 'round', round, 'of', exchange_id,
      'parties', array[bidder.nth - 1, owner.nth - 1], 'coupon', coupon_id, 'isPaid', price_paid_at is not null,
      'amount', ${cents('b.amount')}, 'counter', ${cents('counter_amount')}, 'roundAt', 0,
      'createdAt', ${milliseconds('b.created_at')}, 'acceptedAt', ${milliseconds('b.accepted_at')},
      'payment', (select json_build_object('by', provider, 'state', p.status, 'isPaidThere', false, 'paidAt', 0,
          'holdUntil', ${milliseconds('hold_until')},
          'claim', case when c.status is null or c.status = 'open' then c.status else 'ended' end,
          'claimedAt', ${milliseconds('c.created_at')}, 'isAnswered', c.answer is not null)
        from payment_transactions p left join claims c on c.bid_id = p.bid_id where p.bid_id = b.id order by p.id desc limit 1))
    from bids b join cast_of bidder on bidder.id = bidder_id join cast_of owner on owner.id = owner_id
    order by kind, id`.execute(db);
  const people: Person[] = [];
  const coupons = new Map<number, Coupon>();
  const deals = new Map<number, Bid | Exchange>();
  const numbered = <Item extends { coupon: number }>(items: readonly Item[]) =>
    items.map((item) => ({ ...item, coupon: numbers.coupon(item.coupon) }));
  for (const { kind, id, facts } of rows) {
    if (kind === 'person') people[numbers.people.indexOf(id)] = facts;
    else if (kind === 'coupon') {
      const { exchange, bid, ...coupon } = facts;
      const heldBy = (exchange && numbers.exchange(exchange)) ?? (bid && numbers.bid(bid));
      coupons.set(numbers.coupon(id), { ...coupon, heldBy });
    } else if (kind === 'exchange') {
      deals.set(numbers.exchange(id), {
        ...facts,
        replaces: facts.replaces && numbers.exchange(facts.replaces),
        legs: numbered(facts.legs),
        prices: numbered(facts.prices),
        claims: numbered(facts.claims),
      });
    } else {
      deals.set(numbers.bid(id), {
        ...facts,
        coupon: numbers.coupon(facts.coupon),
        of: facts.of && numbers.exchange(facts.of),
        payment: facts.payment && { ...facts.payment, state: stateOf({ status: facts.payment.state }) },
      });
    }
  }
  return { people, coupons, deals };
}
