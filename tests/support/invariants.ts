import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#server/database/client.ts';

/**
 * Each rule as a query for the rows that break it. The queries use only the data and share no code with the product.
 */
const RULES: Record<string, RawBuilder<unknown>> = {
  'every reservation belongs to an accepted deal on its coupon, or protects a completed one of which money may go back': sql`
    select r.* from coupon_reservations r
    left join exchanges e on e.id = r.exchange_id
    left join bids b on b.id = r.bid_id or b.exchange_id = e.id and b.coupon_id = r.coupon_id
    where not coalesce(
      (e.status = 'accepted' and exists (
        select from exchange_legs l where l.exchange_id = e.id and l.coupon_id = r.coupon_id))
      or (b.coupon_id = r.coupon_id and (r.bid_id is not null and b.status = 'accepted' or b.status = 'completed' and (
        exists (select from claims c where c.paid_bid_id = b.id and c.status = 'open')
        or exists (select from payment_transactions p where p.bid_id = b.id
          and (p.status = 'refunding' or p.status = 'held' and b.exchange_id is null))))), false)`,

  'an open claim about money holds its coupon, unless that is back': sql`
    select c.id from claims c join bids b on b.id = c.paid_bid_id
    where c.status = 'open'
      and not exists (select from coupon_reservations r where r.coupon_id = b.coupon_id
        and (r.bid_id = b.id or r.exchange_id = b.exchange_id))
      and not exists (select from coupon_transfers t where t.bid_id = b.id and t.is_return)`,

  'nobody has both a refund and the coupon of it': sql`
    select b.id, p.status from bids b
    join payment_transactions p on p.bid_id = b.id and p.status in ('refunded', 'charged_back')
    join coupons c on c.id = b.coupon_id and c.deleted_at is null
    join lateral (
      select * from coupon_transfers t where t.coupon_id = c.id order by t.id desc limit 1) as last on true
    where not last.is_return and (last.bid_id = b.id or last.exchange_id = b.exchange_id)
      and not exists (select from payment_transactions again where again.bid_id = b.id and again.id <> p.id
        and again.paid_at is not null and again.status not in ('refunding', 'refunded', 'charged_back'))`,

  'every accepted exchange has every consent and holds exactly its coupons': sql`
    select e.id from exchanges e where e.status = 'accepted' and (
      exists (select from exchange_parties p where p.exchange_id = e.id and p.consented_at is null)
      or (select array_agg(r.coupon_id order by r.coupon_id) from coupon_reservations r where r.exchange_id = e.id)
        is distinct from
        (select array_agg(l.coupon_id order by l.coupon_id) from exchange_legs l where l.exchange_id = e.id))`,

  'nobody gives in an exchange without getting, and nobody gets without giving': sql`
    select e.id from exchanges e where
      (select array_agg(distinct l.giver_id order by l.giver_id) from exchange_legs l where l.exchange_id = e.id)
        is distinct from
        (select array_agg(p.user_id order by p.user_id) from exchange_parties p where p.exchange_id = e.id)
      or (select array_agg(distinct l.receiver_id order by l.receiver_id) from exchange_legs l where l.exchange_id = e.id)
        is distinct from
        (select array_agg(p.user_id order by p.user_id) from exchange_parties p where p.exchange_id = e.id)`,

  'the prices of an agreed exchange, and no others, are bids between giver and receiver in its state': sql`
    select e.id, e.status, l.price, b.id as bid from exchanges e
    join exchange_legs l on l.exchange_id = e.id
    left join bids b on b.exchange_id = e.id and b.coupon_id = l.coupon_id
    where case when e.accepted_at is null or l.price is null then b.id is not null
      else (b.owner_id, b.bidder_id, b.amount, b.status) is distinct from (l.giver_id, l.receiver_id, l.price, e.status) end`,

  'money for an exchange is held until it is completed, and no exchange is completed without its money': sql`
    select b.id, b.status, b.price_paid_at, p.status as payment, p.hold_until from bids b
    left join lateral (
      select * from payment_transactions p where p.bid_id = b.id order by p.id desc limit 1) as p on true
    where b.exchange_id is not null and not case b.status
      when 'accepted' then (p.status = 'held' and b.price_paid_at is not null and p.hold_until is null)
        or (coalesce(p.status, 'none') <> 'held' and (b.price_paid_at is null or p.status = 'refunding'))
      when 'completed' then b.price_paid_at is not null and p.hold_until is not null
      else coalesce(p.status, 'none') not in ('releasing', 'completed') and p.hold_until is null end`,

  'a counter-offer is the next round of a countered swap of the same two people': sql`
    select e.id, e.round, before.reason from exchanges e join exchanges before on before.id = e.replaces_id
    where e.round <> before.round + 1 or e.thread_id <> before.thread_id or e.kind <> 'swap'
      or e.requester_id = before.requester_id or before.status <> 'cancelled' or before.reason <> 'countered'
      or before.ended_by_id <> e.requester_id
      or (select array_agg(user_id order by user_id) from exchange_parties where exchange_id = e.id)
        is distinct from
        (select array_agg(user_id order by user_id) from exchange_parties where exchange_id = before.id)
    union all
    select e.id, e.round, e.reason from exchanges e
    where (e.reason is not distinct from 'countered') <> exists (select from exchanges next where next.replaces_id = e.id)`,

  'at most one round of a negotiation is open, and messages belong to the first one': sql`
    select thread_id, array_agg(id) as rounds from exchanges
    where status in ('pending', 'accepted') group by thread_id having count(*) > 1
    union all
    select m.id, array[m.exchange_id] from messages m join exchanges e on e.id = m.exchange_id
    where e.thread_id <> e.id`,

  'what parties and legs know of their exchange is true': sql`
    select p.exchange_id, p.user_id from exchange_parties p join exchanges e on e.id = p.exchange_id
    where (p.is_author, p.status, p.created_at, p.updated_at, p.consent_by, p.accepted_at) is distinct from
      (p.user_id = e.requester_id, e.status, e.created_at, e.updated_at, e.consent_by, e.accepted_at)
    union all
    select e.id, l.giver_id
    from exchange_legs l join exchanges e on e.id = l.exchange_id
    where (l.is_asked, l.status) is distinct from (e.kind = 'swap' and l.receiver_id = e.requester_id, e.status)`,

  'every accepted bid, and every sale whose money is held, holds its coupon': sql`
    select b.id, b.status from bids b
    where b.exchange_id is null and (b.status = 'accepted' or exists (
        select from payment_transactions p where p.bid_id = b.id and p.status = 'held'))
      and not exists (select from coupon_reservations r where r.bid_id = b.id and r.coupon_id = b.coupon_id)`,

  'the rounds of a bid follow each other, and the last one is where it stands': sql`
    select b.id from bids b
    where (select count(*) from bid_counters c where c.bid_id = b.id) <> b.round - 1
      or exists (
        select from bid_counters c join bid_counters n on n.bid_id = c.bid_id and n.round = c.round + 1
        where c.bid_id = b.id and n.from_amount <> c.to_amount)
      or b.round > 1 and coalesce(b.counter_amount, b.amount) is distinct from
        (select c.to_amount from bid_counters c where c.bid_id = b.id and c.round = b.round)
      or b.counter_amount is not null and b.accepted_at is not null and b.amount <> b.counter_amount`,

  'no coupon is part of two accepted deals': sql`
    select coupon_id, count(*) from (
      select l.coupon_id from exchanges e join exchange_legs l on l.exchange_id = e.id where e.status = 'accepted'
      union all select coupon_id from bids where status = 'accepted' and exchange_id is null) as accepted
    group by coupon_id having count(*) > 1`,

  'the coupons of an open exchange are still those of its parties': sql`
    select e.id, e.status, l.coupon_id from exchanges e
    join exchange_legs l on l.exchange_id = e.id join coupons c on c.id = l.coupon_id
    where e.status in ('pending', 'accepted') and c.owner_id <> l.giver_id`,

  'the coupon of an open bid is still its seller’s': sql`
    select b.id, b.status from bids b join coupons c on c.id = b.coupon_id
    where b.status in ('pending', 'accepted') and c.owner_id <> b.owner_id`,

  'no deal is pending between people of whom one has blocked the other': sql`
    select deal.*, b.blocker_id from user_blocks b join (
      select 'exchange' as kind, e.id, one.user_id as one_id, other.user_id as other_id from exchanges e
        join exchange_parties one on one.exchange_id = e.id
        join exchange_parties other on other.exchange_id = e.id and other.user_id > one.user_id
        where e.status = 'pending'
      union all select 'bid', id, bidder_id, owner_id from bids where status = 'pending') as deal
    on (b.blocker_id, b.blocked_id) in ((one_id, other_id), (other_id, one_id))`,

  'nobody waits for an answer to a bid on a coupon that another bid has won': sql`
    select rival.id from bids b join bids rival on rival.coupon_id = b.coupon_id
    where b.status = 'accepted' and b.exchange_id is null and rival.status = 'pending'`,

  'the coupon of a sale whose money is held is its buyer’s': sql`
    select b.id from bids b join coupons c on c.id = b.coupon_id
    join payment_transactions p on p.bid_id = b.id and p.status = 'held'
    where b.exchange_id is null and (b.status <> 'completed' or c.owner_id <> b.bidder_id)`,

  'a completed exchange has moved each of its coupons once, from giver to receiver, and nothing else': sql`
    select e.id, e.status from exchanges e
    where case when e.status = 'completed' then
      (select array_agg((t.coupon_id, t.from_user_id, t.to_user_id)::text order by t.coupon_id)
        from coupon_transfers t where t.exchange_id = e.id)
      is distinct from
      (select array_agg((l.coupon_id, l.giver_id, l.receiver_id)::text order by l.coupon_id)
        from exchange_legs l where l.exchange_id = e.id)
    else exists (select from coupon_transfers t where t.exchange_id = e.id) end`,

  'a completed bid has moved its coupon to the bidder, and back at most once': sql`
    select b.id, b.status, count(t.id) as moved from bids b left join coupon_transfers t on t.bid_id = b.id
    where b.exchange_id is null group by b.id having b.status = 'completed' and not (
      count(*) filter (where not t.is_return and t.coupon_id = b.coupon_id
        and t.from_user_id = b.owner_id and t.to_user_id = b.bidder_id) = 1
      and count(t.id) = 1 + count(*) filter (where t.is_return and t.coupon_id = b.coupon_id
        and t.from_user_id = b.bidder_id and t.to_user_id = b.owner_id))`,

  'a coupon has gone back only where the money has': sql`
    select t.* from coupon_transfers t where t.is_return and not exists (
      select from payment_transactions p where p.bid_id = t.bid_id and p.status in ('refunding', 'refunded', 'charged_back'))`,

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

  'a code that is being made is for who gets the coupon, or has got it': sql`
    select r.id, r.timing, c.owner_id from reissues r join coupons c on c.id = r.coupon_id
    where r.next_try_at is not null and (
      r.timing = 'after' and r.receiver_id <> c.owner_id
      or r.timing = 'before' and not exists (
        select from exchange_legs l where l.exchange_id = r.exchange_id and l.coupon_id = r.coupon_id
          and l.receiver_id = r.receiver_id))`,

  'a coupon whose code is said to be new got it from its programme, for its owner': sql`
    select c.id from coupons c where c.reissued_at is not null and not exists (
      select from reissues r where r.coupon_id = c.id and r.receiver_id = c.owner_id and r.state = 'done')`,

  'no deal is open on a deleted coupon': sql`
    select e.id, e.status from exchanges e
    join exchange_legs l on l.exchange_id = e.id join coupons c on c.id = l.coupon_id
    where e.status in ('pending', 'accepted') and c.deleted_at is not null
    union all
    select b.id, b.status from bids b join coupons c on c.id = b.coupon_id
    where b.status in ('pending', 'accepted') and c.deleted_at is not null`,

  'nobody banned or without a confirmed address has a coupon on the lists': sql`
    select c.id, c.owner_id from coupons c join users u on u.id = c.owner_id
    where c.is_active and (u.status = 'banned' or u.deleted_at is not null or u.email_verified_at is null)`,

  'only a ban, an unconfirmed address and the wait for a moderator hide coupons': sql`
    select c.id, c.owner_id from coupons c join users u on u.id = c.owner_id
    where c.is_withheld and c.waiting_since is null and u.status <> 'banned' and u.deleted_at is null and u.email_verified_at is not null`,

  'nobody banned or gone is part of an open deal, but for a bid that is being paid': sql`
    select 'exchange' as kind, e.id from exchanges e
    join exchange_parties p on p.exchange_id = e.id
    join users u on u.id = p.user_id and (u.status = 'banned' or u.deleted_at is not null)
    where e.status in ('pending', 'accepted')
    union all
    select 'bid', b.id from bids b
    join users u on u.id in (b.bidder_id, b.owner_id) and (u.status = 'banned' or u.deleted_at is not null)
    where b.status in ('pending', 'accepted') and not exists (
      select from payment_transactions p where p.bid_id = b.id and p.status = 'processing')`,

  'nobody who has left has a session, a coupon, or a code': sql`
    select u.id from users u where u.deleted_at is not null and (
      exists (select from sessions s where s.user_id = u.id)
      or exists (select from coupons c where c.owner_id = u.id and c.deleted_at is null)
      or exists (select from coupon_secrets s join coupons c on c.id = s.coupon_id where c.owner_id = u.id))`,

  'nobody banned is signed in': sql`
    select s.user_id from sessions s join users u on u.id = s.user_id where u.status = 'banned'`,

  'rejected and cancelled deals, and no others, have a reason': sql`
    select id, status, reason from (
      select id, status, reason from exchanges union all select id, status, reason from bids) as deals
    where (status in ('rejected', 'cancelled')) <> (reason is not null)`,

  'no code is listed twice': sql`
    select code_hash, count(*) from coupons
    where is_active and category not in ('imported', 'scraped') and code_hash is not null
    group by code_hash having count(*) > 1`,

  'a code that has changed hands is listed by its last owner alone': sql`
    select c.id from coupons c join code_owners o on o.code_hash = c.code_hash
    where c.is_active and c.category not in ('imported', 'scraped') and c.owner_id <> o.owner_id`,

  'everybody’s successful exchanges are counted': sql`
    select u.id, u.successful_exchanges, count(e.id) as completed
    from users u left join exchange_parties p on p.user_id = u.id
    left join exchanges e on e.id = p.exchange_id and e.status = 'completed'
    group by u.id having u.successful_exchanges <> count(e.id)`,

  'what claims know of their two sides is true': sql`
    select c.id from claims c left join bids b on b.id = c.bid_id
    left join exchange_legs l on l.exchange_id = c.exchange_id and l.coupon_id = c.coupon_id
    where (c.claimant_id, c.giver_id) is distinct from
      (coalesce(b.bidder_id, l.receiver_id), coalesce(b.owner_id, l.giver_id))`,

  'claims about exchanges are about coupons that were handed over': sql`
    select c.id from claims c where c.exchange_id is not null and not exists (
      select from coupon_transfers t join exchange_legs l on l.exchange_id = t.exchange_id
        and l.coupon_id = t.coupon_id and (l.giver_id, l.receiver_id) = (t.from_user_id, t.to_user_id)
      where t.exchange_id = c.exchange_id and t.coupon_id = c.coupon_id)`,

  'everybody’s failed codes are counted': sql`
    select u.id, u.failed_codes, count(c.id) as upheld
    from users u left join claims c on c.giver_id = u.id and (c.decided_by is not null or c.is_default)
      and c.status in ('upheld', 'refunded')
    group by u.id having u.failed_codes <> count(c.id)`,

  'everybody’s completed sales are counted, without those that were undone': sql`
    select u.id, u.accepted_bids, count(b.id) as completed
    from users u left join bids b on b.status = 'completed' and b.exchange_id is null and u.id in (b.bidder_id, b.owner_id)
      and not exists (select from coupon_transfers t where t.bid_id = b.id and t.is_return)
    group by u.id having u.accepted_bids <> count(b.id)`,

  // Who is one person is found out later, and the totals follow with the leaderboard: these people have all or fewer.
  'everybody has the ratings that people have given them': sql`
    select u.id, u.rating_count, u.total_rating, count(distinct r.rater_id) as raters
    from users u left join user_ratings r on r.rated_user_id = u.id left join users rater on rater.id = r.rater_id
    group by u.id having u.rating_count > count(distinct r.rater_id) or u.total_rating > coalesce(sum(r.rating), 0)
      or u.email_verified_at is not null
        and not exists (select from uncounted_pairs pair where u.id in (pair.lower_id, pair.higher_id))
        and u.rating_count < count(distinct r.rater_id) filter (
          where r.is_counted and (rater.email_verified_at is not null or rater.deleted_at is not null))`,

  'the ratings of a deal that both sides have rated are counted': sql`
    select related_entity_type, related_entity_id from user_ratings
    group by related_entity_type, related_entity_id, least(rater_id, rated_user_id), greatest(rater_id, rated_user_id)
    having count(*) = 2 and count(*) filter (where is_counted) < 2`,

  'every rating is of somebody whom the rater gave to or got from, after a deal that was completed': sql`
    select r.id from user_ratings r
    left join exchanges e on r.related_entity_type = 'exchange' and e.id = r.related_entity_id
    left join bids b on r.related_entity_type = 'bid' and b.id = r.related_entity_id
    where not coalesce(coalesce(e.status, b.status) = 'completed'
      and ((r.rater_id, r.rated_user_id) in ((b.bidder_id, b.owner_id), (b.owner_id, b.bidder_id))
        or exists (select from exchange_legs l where l.exchange_id = e.id
          and (r.rater_id, r.rated_user_id) in ((l.giver_id, l.receiver_id), (l.receiver_id, l.giver_id)))), false)`,

  'every deal is told of in the history of everybody in it': sql`
    with told as (select exchange_id, bid_id, count(distinct user_id) as people from transaction_logs group by 1, 2)
    select e.id, e.status from exchanges e left join told on told.exchange_id = e.id
    where (select count(*) from exchange_parties p where p.exchange_id = e.id) is distinct from told.people
    union all
    select b.id, b.status from bids b left join told on told.bid_id = b.id
    where b.exchange_id is null and told.people is distinct from 2`,

  'every notification has its mail, save where none is wanted, or one a day, or the account’s own tells it': sql`
    select n.id from notifications n left join mail_outbox m on m.notification_id = n.id and m.user_id = n.user_id
    where m.id is null and not exists (select from notification_preferences p
      where p.user_id = n.user_id and p.type = n.type and not p.mail)
    and not (n.type = 'want' and not exists (select from notification_preferences p
      where p.user_id = n.user_id and p.type = 'want' and not p.daily))
    and not exists (select from mail_outbox o
      where o.user_id = n.user_id and o.kind = 'status_changed' and o.body = n.content)`,
};

/** The broken rules, each with the rows that break it; empty if all hold. */
export async function checkInvariants(db: Database): Promise<{ rule: string; rows: unknown[] }[]> {
  const broken = [];
  for (const [rule, query] of Object.entries(RULES)) {
    const { rows } = await query.execute(db);
    if (rows.length > 0) broken.push({ rule, rows });
  }
  return broken;
}
