import pg from 'pg';

/** What trade fills; nothing of it looks back at what it is filled with. */
const TABLES = [
  ...['exchanges', 'exchange_parties', 'exchange_legs', 'bids', 'coupon_transfers', 'payment_transactions'],
  ...['ledger_accounts', 'ledger_journals', 'ledger_entries', 'wants'],
];

/**
 * Coupon n, of the coupons in the order of their ids, with its owner and the next owner of a coupon. Of a hundred coupons, the
 * first sixty have been swapped two by two, ten were sold, and ten were bid on in vain.
 */
const COUPONS = `
  create temporary table numbered as
    select row_number() over (order by id)::integer as n, id as coupon_id, owner_id,
      now() - (1 + id::bigint * 7919 % 700) * interval '1 day' as at from coupons;
  create unique index on numbered (n);
  analyze numbered`;

/*
 * What has been filled in the same transaction is analyzed before it is joined: nobody would know its size.
 */

/** Ids begin where nothing else has them. */
const FIRST = 10_000_000;

const SWAPS = `
  insert into exchanges (id, thread_id, kind, requester_id, status, created_at, updated_at, accepted_at, completed_at) overriding system value
  select ${FIRST} + one.n, ${FIRST} + one.n, 'swap', one.owner_id, 'completed', one.at, one.at, one.at, one.at
  from numbered one where n % 100 between 1 and 60 and n % 2 = 1;
  insert into exchange_parties (exchange_id, user_id, consented_at, is_author, status, created_at, updated_at, accepted_at)
  select ${FIRST} + one.n, side.owner_id, one.at, side.n = one.n, 'completed', one.at, one.at, one.at
  from numbered one join numbered side on side.n in (one.n, one.n + 1) where one.n % 100 between 1 and 60 and one.n % 2 = 1;
  insert into exchange_legs (exchange_id, place, coupon_id, giver_id, receiver_id, is_asked, status)
  select ${FIRST} + one.n, leg.place, leg.coupon_id, leg.giver_id, leg.receiver_id, leg.place = 1, 'completed'
  from numbered one join numbered other on other.n = one.n + 1
  cross join lateral (values (1, one.coupon_id, other.owner_id, one.owner_id),
    (2, other.coupon_id, one.owner_id, other.owner_id)) as leg (place, coupon_id, giver_id, receiver_id)
  where one.n % 100 between 1 and 60 and one.n % 2 = 1;
  analyze exchanges, exchange_legs;
  insert into coupon_transfers (coupon_id, from_user_id, to_user_id, exchange_id, created_at)
  select coupon_id, giver_id, receiver_id, exchange_id, completed_at
  from exchange_legs join exchanges on exchanges.id = exchange_id where exchange_id > ${FIRST} order by exchange_id;
  insert into user_ratings (rater_id, rated_user_id, rating, related_entity_type, related_entity_id, is_verified, is_counted,
    visible_at, created_at, updated_at)
  select giver_id, receiver_id, 1 + (giver_id + receiver_id) % 10, 'exchange', exchange_id, true, true, now(), now(), now()
  from exchange_legs where exchange_id > ${FIRST} and place = 1`;

const BIDS = `
  insert into bids (id, coupon_id, bidder_id, owner_id, amount, status, reason, created_at, updated_at, accepted_at, completed_at)
    overriding system value
  select ${FIRST} + one.n, one.coupon_id, case when is_sold then one.owner_id else other.owner_id end,
    case when is_sold then other.owner_id else one.owner_id end, 20, case when is_sold then 'completed' else 'rejected' end,
    case when not is_sold then 'by_owner' end, one.at, one.at, case when is_sold then one.at end, case when is_sold then one.at end
  from numbered one join numbered other on other.n = one.n + 1 cross join lateral (select one.n % 100 <= 70 as is_sold)
  where one.n % 100 between 61 and 80 and other.owner_id <> one.owner_id;
  analyze bids;
  insert into coupon_transfers (coupon_id, from_user_id, to_user_id, bid_id, created_at)
  select coupon_id, owner_id, bidder_id, id, completed_at from bids where status = 'completed' and id > ${FIRST} order by id;
  insert into payment_transactions (id, bid_id, sender_id, receiver_id, provider, receiver_account, amount, buyer_fee, seller_fee,
    platform_fee, net_amount, status, stripe_payment_intent_id, stripe_charge_id, stripe_transfer_id, created_at, updated_at, paid_at, ended_at)
    overriding system value
  select id, id, bidder_id, owner_id, 'stripe', 'acct_' || owner_id, 20, 1, 1, 2, 19, 'completed', 'pi_' || id, 'ch_' || id, 'tr_' || id,
    completed_at, completed_at, completed_at, completed_at
  from bids where status = 'completed' and id > ${FIRST}`;

const BOOKS = `
  insert into ledger_accounts (kind, provider, user_id)
  select kind, provider, user_id from (
    values ('provider_clearing', 'stripe', null::integer), ('platform_fees', null, null)) as one (kind, provider, user_id)
  where not exists (select from ledger_accounts where kind = one.kind and provider is not distinct from one.provider)
  union all select distinct 'seller_payable', null, receiver_id from payment_transactions;
  analyze payment_transactions, ledger_accounts;
  insert into ledger_journals (kind, payment_id, amount, sequence, created_at)
  select one.kind, payment.id, one.amount, one.sequence, paid_at from payment_transactions payment
  cross join (values ('capture', 21, 1), ('payout', 19, 2)) as one (kind, amount, sequence);
  analyze ledger_journals;
  insert into ledger_entries (journal_id, account_id, amount)
  select journal.id, account.id, entry.amount from ledger_journals journal
  join (values ('capture', 'provider_clearing', 21), ('capture', 'platform_fees', -2), ('payout', 'provider_clearing', -19))
    as entry (journal, kind, amount) on entry.journal = journal.kind
  join ledger_accounts account on account.kind = entry.kind and coalesce(account.provider, 'stripe') = 'stripe'
  union all select journal.id, account.id, case journal.kind when 'capture' then -19 else 19 end
  from ledger_journals journal join payment_transactions payment on payment.id = payment_id
  join ledger_accounts account on account.kind = 'seller_payable' and account.user_id = payment.receiver_id`;

/** One of ten people looks for something. */
const WANTS = `
  insert into wants (user_id, category, min_value, max_value, gives, looked_at, created_at, updated_at)
  select owner_id, 'food', min(value), min(value), 'any', now(), now(), now()
  from coupons where owner_id % 10 = 0 group by owner_id`;

/**
 * Fills a market that has coupons with what a market of their number would have: of a hundred coupons, 30 swaps, 10 sales with
 * their books, 10 bids in vain, ratings and wants.
 */
export async function fillTrade(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const triggers = (how: 'disable' | 'enable') =>
    client.query(TABLES.map((table) => `alter table ${table} ${how} trigger user`).join(';'));
  try {
    await client.query('begin');
    await triggers('disable');
    for (const statements of [COUPONS, SWAPS, BIDS, BOOKS, WANTS]) await client.query(statements);
    await triggers('enable');
    await client.query('commit');
    // As triggers would.
    await client.query('insert into leaderboard_queue (user_id) select id from users');
    await client.query('truncate match_queue, want_queue, health_queue');
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}
