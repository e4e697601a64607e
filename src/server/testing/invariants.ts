import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#server/database/client.ts';

/** Each rule as a query for what breaks it. They look at the data alone and share no code with the product. */
const RULES: Record<string, RawBuilder<unknown>> = {
  'every reservation belongs to an accepted deal, or to a sale under protection, on a coupon of that deal': sql`
    select r.* from coupon_reservations r
    left join exchanges e on e.id = r.exchange_id left join bids b on b.id = r.bid_id
    where not coalesce(
      (e.status = 'accepted' and r.coupon_id in (e.requested_coupon_id, e.offered_coupon_id))
      or (b.coupon_id = r.coupon_id and (b.status = 'accepted' or b.status = 'completed' and exists (
        select from payment_transactions p where p.bid_id = b.id and p.status in ('held', 'refunding')))), false)`,

  'every accepted exchange holds exactly its two coupons': sql`
    select e.id, count(r.coupon_id) as held
    from exchanges e left join coupon_reservations r on r.exchange_id = e.id
    where e.status = 'accepted' group by e.id having count(r.coupon_id) <> 2`,

  'every accepted bid, and every sale whose money is held, holds its coupon': sql`
    select b.id, b.status from bids b
    where (b.status = 'accepted' or exists (
        select from payment_transactions p where p.bid_id = b.id and p.status = 'held'))
      and not exists (select from coupon_reservations r where r.bid_id = b.id and r.coupon_id = b.coupon_id)`,

  'no coupon is part of two accepted deals': sql`
    select coupon_id, count(*) from (
      select part.coupon_id from exchanges,
        lateral (values (requested_coupon_id), (offered_coupon_id)) as part (coupon_id)
        where status = 'accepted'
      union all select coupon_id from bids where status = 'accepted') as accepted
    group by coupon_id having count(*) > 1`,

  'the coupons of an open exchange are still those of its parties': sql`
    select e.id, e.status from exchanges e
    join coupons requested on requested.id = e.requested_coupon_id
    join coupons offered on offered.id = e.offered_coupon_id
    where e.status in ('pending', 'accepted')
      and (requested.owner_id <> e.owner_id or offered.owner_id <> e.requester_id)`,

  'the coupon of an open bid is still its seller’s': sql`
    select b.id, b.status from bids b join coupons c on c.id = b.coupon_id
    where b.status in ('pending', 'accepted') and c.owner_id <> b.owner_id`,

  'nobody waits for an answer to a bid on a coupon that another bid has won': sql`
    select rival.id from bids b join bids rival on rival.coupon_id = b.coupon_id
    where b.status = 'accepted' and rival.status = 'pending'`,

  'the coupon of a sale whose money is held is its buyer’s': sql`
    select b.id from bids b join coupons c on c.id = b.coupon_id
    join payment_transactions p on p.bid_id = b.id and p.status = 'held'
    where b.status <> 'completed' or c.owner_id <> b.bidder_id`,

  'a completed exchange has moved each of its coupons to the other party, and nothing else': sql`
    select e.id, e.status, count(t.id) as moved from exchanges e left join coupon_transfers t on t.exchange_id = e.id
    group by e.id having (e.status = 'completed') <> coalesce(
      count(t.id) = 2
      and count(*) filter (where t.coupon_id = e.requested_coupon_id
        and t.from_user_id = e.owner_id and t.to_user_id = e.requester_id) = 1
      and count(*) filter (where t.coupon_id = e.offered_coupon_id
        and t.from_user_id = e.requester_id and t.to_user_id = e.owner_id) = 1, false)`,

  'a completed bid has moved its coupon to the bidder, and back at most once': sql`
    select b.id, b.status, count(t.id) as moved from bids b left join coupon_transfers t on t.bid_id = b.id
    group by b.id having b.status = 'completed' and not (
      count(*) filter (where not t.is_return and t.coupon_id = b.coupon_id
        and t.from_user_id = b.owner_id and t.to_user_id = b.bidder_id) = 1
      and count(t.id) = 1 + count(*) filter (where t.is_return and t.coupon_id = b.coupon_id
        and t.from_user_id = b.bidder_id and t.to_user_id = b.owner_id))`,

  'a coupon has gone back only where the money has': sql`
    select t.* from coupon_transfers t where t.is_return and not exists (
      select from payment_transactions p where p.bid_id = t.bid_id and p.status in ('refunded', 'charged_back'))`,

  'only completed deals have transfers': sql`
    select t.* from coupon_transfers t
    left join exchanges e on e.id = t.exchange_id left join bids b on b.id = t.bid_id
    where coalesce(e.status, b.status) <> 'completed'`,

  'each transfer starts at the owner whom the one before it made': sql`
    select * from (
      select coupon_id, id, from_user_id, lag(to_user_id) over (partition by coupon_id order by id) as owner_before
      from coupon_transfers) as chain
    where owner_before <> from_user_id`,

  'the last transfer made the present owner': sql`
    select c.id, c.owner_id, last.to_user_id from coupons c
    join lateral (
      select to_user_id from coupon_transfers t where t.coupon_id = c.id order by t.id desc limit 1) as last on true
    where last.to_user_id <> c.owner_id`,

  'whoever received a coupon with a code has a record of seeing it': sql`
    select t.* from coupon_transfers t join coupon_secrets s on s.coupon_id = t.coupon_id
    where not exists (
      select from coupon_reveals r
      where r.coupon_id = t.coupon_id and r.user_id = t.to_user_id and r.revealed_at = t.created_at)`,

  'no deal is open on a deleted coupon': sql`
    select e.id, e.status from exchanges e
    join coupons c on c.id in (e.requested_coupon_id, e.offered_coupon_id)
    where e.status in ('pending', 'accepted') and c.deleted_at is not null
    union all
    select b.id, b.status from bids b join coupons c on c.id = b.coupon_id
    where b.status in ('pending', 'accepted') and c.deleted_at is not null`,

  'rejected and cancelled deals, and no others, have a reason': sql`
    select id, status, reason from (
      select id, status, reason from exchanges union all select id, status, reason from bids) as deals
    where (status in ('rejected', 'cancelled')) <> (reason is not null)`,

  'no code is listed twice': sql`
    select code_hash, count(*) from coupons
    where is_active and category not in ('imported', 'scraped') and code_hash is not null
    group by code_hash having count(*) > 1`,

  'everybody’s successful exchanges are counted': sql`
    select u.id, u.successful_exchanges, count(e.id) as completed
    from users u left join exchanges e on e.status = 'completed' and u.id in (e.requester_id, e.owner_id)
    group by u.id having u.successful_exchanges <> count(e.id)`,

  'everybody’s completed sales are counted, without those that were undone': sql`
    select u.id, u.accepted_bids, count(b.id) as completed
    from users u left join bids b on b.status = 'completed' and u.id in (b.bidder_id, b.owner_id)
      and not exists (select from coupon_transfers t where t.bid_id = b.id and t.is_return)
    group by u.id having u.accepted_bids <> count(b.id)`,

  'every deal is told of in both histories': sql`
    select e.id, e.status from exchanges e
    where 2 <> (select count(distinct l.user_id) from transaction_logs l where l.exchange_id = e.id)
    union all
    select b.id, b.status from bids b
    where 2 <> (select count(distinct l.user_id) from transaction_logs l where l.bid_id = b.id)`,

  'every notification has its mail': sql`
    select n.id from notifications n left join mail_outbox m on m.notification_id = n.id and m.user_id = n.user_id
    where m.id is null`,
};

/** What is broken, rule by rule, with the rows that prove it; empty when nobody could cheat. */
export async function checkInvariants(db: Database): Promise<{ rule: string; rows: unknown[] }[]> {
  const broken = [];
  for (const [rule, query] of Object.entries(RULES)) {
    const { rows } = await query.execute(db);
    if (rows.length > 0) broken.push({ rule, rows });
  }
  return broken;
}
