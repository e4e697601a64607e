import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#server/database/client.ts';

/** Each rule as a query for what breaks it. They look at the data alone and share no code with the product. */
const RULES: Record<string, RawBuilder<unknown>> = {
  'every reservation belongs to an accepted exchange, on a coupon of that exchange': sql`
    select r.* from coupon_reservations r join exchanges e on e.id = r.exchange_id
    where e.status <> 'accepted' or r.coupon_id not in (e.requested_coupon_id, e.offered_coupon_id)`,

  'every accepted exchange holds exactly its two coupons': sql`
    select e.id, count(r.coupon_id) as held
    from exchanges e left join coupon_reservations r on r.exchange_id = e.id
    where e.status = 'accepted' group by e.id having count(r.coupon_id) <> 2`,

  'no coupon is part of two accepted exchanges': sql`
    select coupon_id, count(*) from exchanges,
      lateral (values (requested_coupon_id), (offered_coupon_id)) as part (coupon_id)
    where status = 'accepted' group by coupon_id having count(*) > 1`,

  'the coupons of an open exchange are still those of its parties': sql`
    select e.id, e.status from exchanges e
    join coupons requested on requested.id = e.requested_coupon_id
    join coupons offered on offered.id = e.offered_coupon_id
    where e.status in ('pending', 'accepted')
      and (requested.owner_id <> e.owner_id or offered.owner_id <> e.requester_id)`,

  'a completed exchange has moved each of its coupons to the other party, and nothing else': sql`
    select e.id, e.status, count(t.id) as moved from exchanges e left join coupon_transfers t on t.exchange_id = e.id
    group by e.id having (e.status = 'completed') <> coalesce(
      count(t.id) = 2
      and count(*) filter (where t.coupon_id = e.requested_coupon_id
        and t.from_user_id = e.owner_id and t.to_user_id = e.requester_id) = 1
      and count(*) filter (where t.coupon_id = e.offered_coupon_id
        and t.from_user_id = e.requester_id and t.to_user_id = e.owner_id) = 1, false)`,

  'only completed exchanges have transfers': sql`
    select t.* from coupon_transfers t join exchanges e on e.id = t.exchange_id where e.status <> 'completed'`,

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

  'no exchange is open on a deleted coupon': sql`
    select e.id, e.status from exchanges e
    join coupons c on c.id in (e.requested_coupon_id, e.offered_coupon_id)
    where e.status in ('pending', 'accepted') and c.deleted_at is not null`,

  'rejected and cancelled exchanges, and no others, have a reason': sql`
    select id, status, reason from exchanges where (status in ('rejected', 'cancelled')) <> (reason is not null)`,

  'no code is listed twice': sql`
    select code_hash, count(*) from coupons
    where is_active and category not in ('imported', 'scraped') and code_hash is not null
    group by code_hash having count(*) > 1`,

  'everybody’s successful exchanges are counted': sql`
    select u.id, u.successful_exchanges, count(e.id) as completed
    from users u left join exchanges e on e.status = 'completed' and u.id in (e.requester_id, e.owner_id)
    group by u.id having u.successful_exchanges <> count(e.id)`,

  'every exchange is told of in both histories': sql`
    select e.id, e.status from exchanges e
    where 2 <> (select count(distinct l.user_id) from transaction_logs l where l.exchange_id = e.id)`,

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
