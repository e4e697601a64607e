import { type Kysely, sql } from 'kysely';

/** Deals (exchanges and bids), the coupons they hold back, and those they have moved. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A deal only moves forward: nothing leaves an ended state, whatever the program believes.
  await sql`
    create function refuse_backward_deal() returns trigger language plpgsql as $$
    begin
      if new.status is distinct from old.status and not (
        (old.status = 'pending' and new.status in ('accepted', 'rejected', 'cancelled')) or
        (old.status = 'accepted' and new.status in ('completed', 'cancelled'))
      ) then
        raise exception 'a deal cannot go from % to %', old.status, new.status using errcode = 'check_violation';
      end if;
      return new;
    end $$`.execute(db);

  await sql`
    create table exchanges (
      id integer generated always as identity primary key,
      requester_id integer not null references users (id),
      owner_id integer not null references users (id),
      requested_coupon_id integer not null references coupons (id),
      offered_coupon_id integer not null references coupons (id),
      status text not null default 'pending' check (status in
        ('pending', 'accepted', 'rejected', 'completed', 'cancelled')),
      reason text check (reason in
        ('by_requester', 'by_owner', 'rival_completed', 'coupon_deleted', 'coupon_changed', 'coupon_expired',
         'deadline', 'party_banned', 'party_left')),
      message text check (length(message) <= 1000),
      created_at timestamptz not null,
      updated_at timestamptz not null,
      accepted_at timestamptz,
      completed_at timestamptz,
      constraint exchanges_two_people check (requester_id <> owner_id),
      constraint exchanges_two_coupons check (requested_coupon_id <> offered_coupon_id),
      constraint exchanges_accepted_dated check (status not in ('accepted', 'completed') or accepted_at is not null),
      constraint exchanges_completed_dated check ((status = 'completed') = (completed_at is not null)),
      constraint exchanges_end_explained check ((status in ('rejected', 'cancelled')) = (reason is not null))
    );
    comment on column exchanges.owner_id is 'owner of the requested coupon when it was asked for';
    create trigger exchanges_forward_only before update of status on exchanges
      for each row execute function refuse_backward_deal();
    create unique index exchanges_one_pending on exchanges (requester_id, requested_coupon_id)
      where status = 'pending';
    create index exchanges_requester on exchanges (requester_id, created_at desc, id desc);
    create index exchanges_owner on exchanges (owner_id, created_at desc, id desc);
    -- Conversations are listed by their last change.
    create index exchanges_requester_updated on exchanges (requester_id, updated_at desc, id desc);
    create index exchanges_owner_updated on exchanges (owner_id, updated_at desc, id desc);
    create index exchanges_open_requested on exchanges (requested_coupon_id)
      where status in ('pending', 'accepted');
    create index exchanges_open_offered on exchanges (offered_coupon_id)
      where status in ('pending', 'accepted');
    -- For the job that ends deals at their deadline.
    create index exchanges_pending_since on exchanges (created_at) where status = 'pending';
    create index exchanges_accepted_since on exchanges (accepted_at) where status = 'accepted'`.execute(db);

  await sql`
    create table bids (
      id integer generated always as identity primary key,
      coupon_id integer not null references coupons (id),
      bidder_id integer not null references users (id),
      owner_id integer not null references users (id),
      amount numeric(10, 2) not null check (amount between 3.00 and 10000.00),
      status text not null default 'pending' check (status in
        ('pending', 'accepted', 'rejected', 'completed', 'cancelled')),
      reason text check (reason in
        ('by_bidder', 'by_owner', 'rival_accepted', 'rival_completed', 'coupon_deleted', 'coupon_changed',
         'coupon_expired', 'deadline', 'party_banned', 'party_left')),
      message text check (length(message) <= 1000),
      created_at timestamptz not null,
      updated_at timestamptz not null,
      accepted_at timestamptz,
      completed_at timestamptz,
      constraint bids_two_people check (bidder_id <> owner_id),
      constraint bids_accepted_dated check (status not in ('accepted', 'completed') or accepted_at is not null),
      constraint bids_completed_dated check ((status = 'completed') = (completed_at is not null)),
      constraint bids_end_explained check ((status in ('rejected', 'cancelled')) = (reason is not null))
    );
    comment on column bids.owner_id is 'owner of the coupon when the bid was placed: the seller';
    comment on column bids.amount is 'CAD';
    create trigger bids_forward_only before update of status on bids
      for each row execute function refuse_backward_deal();
    create unique index bids_one_pending on bids (bidder_id, coupon_id) where status = 'pending';
    create unique index bids_one_accepted on bids (coupon_id) where status = 'accepted';
    create index bids_bidder on bids (bidder_id, created_at desc, id desc);
    create index bids_bidder_open on bids (bidder_id, created_at desc, id desc)
      where status in ('pending', 'accepted');
    -- The seller's list: grouped by coupon, the highest bid first.
    create index bids_owner on bids (owner_id, coupon_id desc, amount desc, id desc);
    create index bids_owner_open on bids (owner_id, coupon_id desc, amount desc, id desc)
      where status in ('pending', 'accepted');
    create index bids_owner_newest on bids (owner_id, created_at desc, id desc);
    create index bids_bidder_updated on bids (bidder_id, updated_at desc, id desc);
    create index bids_owner_updated on bids (owner_id, updated_at desc, id desc);
    create index bids_open_coupon on bids (coupon_id, amount desc) where status in ('pending', 'accepted');
    create index bids_pending_since on bids (created_at) where status = 'pending';
    create index bids_accepted_since on bids (accepted_at) where status = 'accepted'`.execute(db);

  // A coupon held back by a deal: the key makes a second accepted deal impossible (decisions 3.1).
  await sql`
    create table coupon_reservations (
      coupon_id integer primary key references coupons (id),
      exchange_id integer references exchanges (id),
      bid_id integer references bids (id),
      created_at timestamptz not null,
      constraint coupon_reservations_one_deal check (num_nonnulls(exchange_id, bid_id) = 1)
    );
    create index coupon_reservations_exchange on coupon_reservations (exchange_id);
    create unique index coupon_reservations_bid on coupon_reservations (bid_id)`.execute(db);

  // Every change of owner, once a deal and coupon. A sale moves a coupon once, its refund moves it back once.
  await sql`
    create table coupon_transfers (
      id integer generated always as identity primary key,
      coupon_id integer not null references coupons (id),
      from_user_id integer not null references users (id),
      to_user_id integer not null references users (id),
      exchange_id integer references exchanges (id),
      bid_id integer references bids (id),
      is_return boolean not null default false,
      created_at timestamptz not null,
      constraint coupon_transfers_once unique (exchange_id, coupon_id),
      constraint coupon_transfers_bid_once unique (bid_id, is_return),
      constraint coupon_transfers_moves check (from_user_id <> to_user_id),
      constraint coupon_transfers_one_deal check (num_nonnulls(exchange_id, bid_id) = 1),
      constraint coupon_transfers_only_sales_return check (not is_return or bid_id is not null)
    );
    create index coupon_transfers_coupon on coupon_transfers (coupon_id, id);
    -- Who first gave a coupon away had listed it: points are counted for one person, too.
    create index coupon_transfers_from on coupon_transfers (from_user_id, coupon_id)`.execute(db);
}
