import { type Kysely, sql } from 'kysely';

/** Exchanges, what they hold back, and what they have moved. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
         'deadline')),
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
    )`.execute(db);
  await sql`comment on column exchanges.owner_id is 'owner of the requested coupon when it was asked for'`.execute(
    db,
  );

  await sql`create unique index exchanges_one_pending on exchanges (requester_id, requested_coupon_id)
    where status = 'pending'`.execute(db);
  await sql`create index exchanges_requester on exchanges (requester_id, created_at desc, id desc)`.execute(
    db,
  );
  await sql`create index exchanges_owner on exchanges (owner_id, created_at desc, id desc)`.execute(db);
  await sql`create index exchanges_open_requested on exchanges (requested_coupon_id)
    where status in ('pending', 'accepted')`.execute(db);
  await sql`create index exchanges_open_offered on exchanges (offered_coupon_id)
    where status in ('pending', 'accepted')`.execute(db);
  await sql`create index exchanges_pending_since on exchanges (created_at) where status = 'pending'`.execute(
    db,
  );
  await sql`create index exchanges_accepted_since on exchanges (accepted_at) where status = 'accepted'`.execute(
    db,
  );

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
  await sql`create trigger exchanges_forward_only before update of status on exchanges
    for each row execute function refuse_backward_deal()`.execute(db);

  // A committed coupon: its key is what makes a second accepted deal impossible (decisions 3.1).
  await sql`
    create table coupon_reservations (
      coupon_id integer primary key references coupons (id),
      exchange_id integer not null references exchanges (id),
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index coupon_reservations_exchange on coupon_reservations (exchange_id)`.execute(db);

  // Every change of owner, once per deal and coupon.
  await sql`
    create table coupon_transfers (
      id integer generated always as identity primary key,
      coupon_id integer not null references coupons (id),
      from_user_id integer not null references users (id),
      to_user_id integer not null references users (id),
      exchange_id integer not null references exchanges (id),
      created_at timestamptz not null,
      constraint coupon_transfers_once unique (exchange_id, coupon_id),
      constraint coupon_transfers_moves check (from_user_id <> to_user_id)
    )`.execute(db);
  await sql`create index coupon_transfers_coupon on coupon_transfers (coupon_id, id)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table coupon_transfers, coupon_reservations, exchanges`.execute(db);
  await sql`drop function refuse_backward_deal`.execute(db);
}
