import { type Kysely, sql } from 'kysely';

/** Bids, and what they hold back and move: a deal of the second kind beside exchanges. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
         'coupon_expired', 'deadline')),
      message text check (length(message) <= 1000),
      created_at timestamptz not null,
      updated_at timestamptz not null,
      accepted_at timestamptz,
      completed_at timestamptz,
      constraint bids_two_people check (bidder_id <> owner_id),
      constraint bids_accepted_dated check (status not in ('accepted', 'completed') or accepted_at is not null),
      constraint bids_completed_dated check ((status = 'completed') = (completed_at is not null)),
      constraint bids_end_explained check ((status in ('rejected', 'cancelled')) = (reason is not null))
    )`.execute(db);
  await sql`comment on column bids.owner_id is 'owner of the coupon when the bid was placed: the seller'`.execute(
    db,
  );
  await sql`comment on column bids.amount is 'CAD'`.execute(db);

  await sql`create unique index bids_one_pending on bids (bidder_id, coupon_id) where status = 'pending'`.execute(
    db,
  );
  await sql`create unique index bids_one_accepted on bids (coupon_id) where status = 'accepted'`.execute(db);
  await sql`create index bids_bidder on bids (bidder_id, created_at desc, id desc)`.execute(db);
  await sql`create index bids_bidder_open on bids (bidder_id, created_at desc, id desc)
    where status in ('pending', 'accepted')`.execute(db);
  await sql`create index bids_owner on bids (owner_id, coupon_id desc, amount desc, id desc)`.execute(db);
  await sql`create index bids_owner_open on bids (owner_id, coupon_id desc, amount desc, id desc)
    where status in ('pending', 'accepted')`.execute(db);
  await sql`create index bids_owner_newest on bids (owner_id, created_at desc, id desc)`.execute(db);
  await sql`create index bids_open_coupon on bids (coupon_id, amount desc) where status in ('pending', 'accepted')`.execute(
    db,
  );
  await sql`create index bids_pending_since on bids (created_at) where status = 'pending'`.execute(db);
  await sql`create index bids_accepted_since on bids (accepted_at) where status = 'accepted'`.execute(db);
  await sql`create trigger bids_forward_only before update of status on bids
    for each row execute function refuse_backward_deal()`.execute(db);

  // What holds a coupon back, and what moved it, is one deal of either kind.
  await sql`
    alter table coupon_reservations
      alter column exchange_id drop not null,
      add column bid_id integer references bids (id),
      add constraint coupon_reservations_one_deal check (num_nonnulls(exchange_id, bid_id) = 1)`.execute(db);
  await sql`create unique index coupon_reservations_bid on coupon_reservations (bid_id)`.execute(db);
  // A sale moves a coupon once, and a refund moves it back once.
  await sql`
    alter table coupon_transfers
      alter column exchange_id drop not null,
      add column bid_id integer references bids (id),
      add column is_return boolean not null default false,
      add constraint coupon_transfers_one_deal check (num_nonnulls(exchange_id, bid_id) = 1),
      add constraint coupon_transfers_only_sales_return check (not is_return or bid_id is not null),
      add constraint coupon_transfers_bid_once unique (bid_id, is_return)`.execute(db);

  await sql`alter table transaction_logs add column bid_id integer references bids (id)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table transaction_logs drop column bid_id`.execute(db);
  await sql`delete from coupon_transfers where bid_id is not null`.execute(db);
  await sql`delete from coupon_reservations where bid_id is not null`.execute(db);
  await sql`
    alter table coupon_transfers drop column bid_id cascade, drop column is_return cascade,
      alter column exchange_id set not null`.execute(db);
  await sql`alter table coupon_reservations drop column bid_id cascade, alter column exchange_id set not null`.execute(
    db,
  );
  await sql`drop table bids`.execute(db);
}
