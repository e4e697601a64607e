import { sql } from 'kysely';
import type { World } from './world.ts';

/** What there is to act on, as the database has it when a moment begins. People are their places in the cast. */
export interface Sight {
  readonly coupons: readonly {
    readonly id: number;
    readonly owner: number;
    readonly isListed: boolean;
    /** No deal holds it, and it has not expired. */
    readonly isFree: boolean;
    readonly asking: string | null;
  }[];
  readonly bids: readonly {
    readonly id: number;
    readonly status: string;
    readonly bidder: number;
    readonly seller: number;
    /** What the round is about, a decimal text. */
    readonly standing: string;
    readonly round: number;
    readonly payment: string | null;
    readonly claim: number | null;
  }[];
  readonly exchanges: readonly {
    readonly id: number;
    readonly status: string;
    readonly isRing: boolean;
    readonly parties: readonly number[];
    /** Who has not agreed to it yet. */
    readonly undecided: readonly number[];
    readonly prices: { couponId: number; amount: string }[];
    readonly legs: readonly { readonly coupon: number; readonly giver: number; readonly receiver: number }[];
    readonly claims: readonly number[];
  }[];
  /** Who has suggested swaps to look at. */
  readonly matched: readonly number[];
  readonly banned: readonly number[];
  readonly gone: readonly number[];
}

export async function look({ direct, people }: World): Promise<Sight> {
  const placeOf = new Map(people.map(({ id }, place) => [id, place]));
  const place = (id: number) => placeOf.get(id) ?? 0;
  const coupons = await sql<{
    id: number;
    ownerId: number;
    isActive: boolean;
    isFree: boolean;
    askingPrice: string | null;
  }>`
    select id, owner_id, is_active, asking_price,
      not exists (select from coupon_reservations r where r.coupon_id = coupons.id)
        and coalesce(expires_at > ${direct.clock()}, true) as is_free
    from coupons where deleted_at is null order by id`.execute(direct.db);
  const bids = await sql<{
    id: number;
    status: string;
    bidderId: number;
    ownerId: number;
    standing: string;
    round: number;
    payment: string | null;
    claim: number | null;
  }>`
    select b.id, b.status, b.bidder_id, b.owner_id, coalesce(b.counter_amount, b.amount)::text as standing, b.round,
      (select p.status from payment_transactions p where p.bid_id = b.id order by p.id desc limit 1) as payment,
      (select c.id from claims c where c.bid_id = b.id and c.status = 'open') as claim
    from bids b order by b.id`.execute(direct.db);
  const exchanges = await sql<{
    id: number;
    status: string;
    isRing: boolean;
    parties: number[];
    undecided: number[];
    prices: { couponId: number; amount: string }[] | null;
    legs: { coupon: number; giver: number; receiver: number }[];
    claims: number[];
  }>`
    select e.id, e.status, e.kind = 'ring' as is_ring,
      array(select p.user_id from exchange_parties p where p.exchange_id = e.id order by 1) as parties,
      array(select p.user_id from exchange_parties p
        where p.exchange_id = e.id and p.consented_at is null order by 1) as undecided,
      (select json_agg(json_build_object('couponId', l.coupon_id, 'amount', l.price::text) order by l.coupon_id)
        from exchange_legs l where l.exchange_id = e.id and l.price is not null) as prices,
      (select json_agg(json_build_object('coupon', l.coupon_id, 'giver', l.giver_id, 'receiver', l.receiver_id)
        order by l.coupon_id) from exchange_legs l where l.exchange_id = e.id) as legs,
      array(select c.id from claims c where c.exchange_id = e.id and c.status = 'open' order by 1) as claims
    from exchanges e order by e.id`.execute(direct.db);
  const matched = await sql<{ giverId: number }>`
    select distinct l.giver_id from match_legs l join matches m on m.id = l.match_id
    where m.state = 'open' and l.slot is not null order by 1`.execute(direct.db);
  const out = await sql<{ id: number; isGone: boolean }>`
    select id, deleted_at is not null as is_gone from users
    where status = 'banned' or deleted_at is not null order by 1`.execute(direct.db);
  return {
    matched: matched.rows.map(({ giverId }) => place(giverId)),
    banned: out.rows.flatMap(({ id, isGone }) => (isGone ? [] : place(id))),
    gone: out.rows.flatMap(({ id, isGone }) => (isGone ? place(id) : [])),
    coupons: coupons.rows.map(({ id, ownerId, isActive, isFree, askingPrice }) => ({
      ...{ id, isFree },
      owner: place(ownerId),
      isListed: isActive,
      asking: askingPrice,
    })),
    bids: bids.rows.map(({ bidderId, ownerId, ...bid }) => ({
      ...bid,
      bidder: place(bidderId),
      seller: place(ownerId),
    })),
    exchanges: exchanges.rows.map(({ parties, undecided, prices, legs, ...exchange }) => ({
      ...exchange,
      parties: parties.map(place),
      undecided: undecided.map(place),
      prices: prices ?? [],
      legs: legs.map(({ coupon, giver, receiver }) => ({
        coupon,
        giver: place(giver),
        receiver: place(receiver),
      })),
    })),
  };
}
