import { sql } from 'kysely';
import type { World } from './world.ts';

/** What there is to act on, as the database has it when a moment begins. People are their places in the cast. */
export interface Sight {
  readonly coupons: readonly {
    readonly id: number;
    readonly owner: number;
    readonly isListed: boolean;
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
    readonly legs: readonly { readonly coupon: number; readonly giver: number; readonly receiver: number }[];
    readonly claims: readonly number[];
  }[];
}

export async function look({ direct, people }: World): Promise<Sight> {
  const placeOf = new Map(people.map(({ id }, place) => [id, place]));
  const place = (id: number) => placeOf.get(id) ?? 0;
  const coupons = await sql<{ id: number; ownerId: number; isActive: boolean; askingPrice: string | null }>`
    select id, owner_id, is_active, asking_price from coupons where deleted_at is null order by id`.execute(
    direct.db,
  );
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
    legs: { coupon: number; giver: number; receiver: number }[];
    claims: number[];
  }>`
    select e.id, e.status, e.kind = 'ring' as is_ring,
      array(select p.user_id from exchange_parties p where p.exchange_id = e.id order by 1) as parties,
      (select json_agg(json_build_object('coupon', l.coupon_id, 'giver', l.giver_id, 'receiver', l.receiver_id)
        order by l.coupon_id) from exchange_legs l where l.exchange_id = e.id) as legs,
      array(select c.id from claims c where c.exchange_id = e.id and c.status = 'open' order by 1) as claims
    from exchanges e order by e.id`.execute(direct.db);
  return {
    coupons: coupons.rows.map(({ id, ownerId, isActive, askingPrice }) => ({
      id,
      owner: place(ownerId),
      isListed: isActive,
      asking: askingPrice,
    })),
    bids: bids.rows.map(({ bidderId, ownerId, ...bid }) => ({
      ...bid,
      bidder: place(bidderId),
      seller: place(ownerId),
    })),
    exchanges: exchanges.rows.map(({ parties, legs, ...exchange }) => ({
      ...exchange,
      parties: parties.map(place),
      legs: legs.map(({ coupon, giver, receiver }) => ({
        coupon,
        giver: place(giver),
        receiver: place(receiver),
      })),
    })),
  };
}
