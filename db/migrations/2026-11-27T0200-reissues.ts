import { type Kysely, sql } from 'kysely';

/** New codes that merchants' programmes mint when coupons change hands. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reissues (
      id integer primary key generated always as identity,
      coupon_id integer not null references coupons (id) on delete cascade,
      exchange_id integer references exchanges (id),
      bid_id integer references bids (id),
      -- 'before': the coupon moves once all codes of its deal are minted. 'after': it has moved, the code follows.
      timing text not null check (timing in ('before', 'after')),
      state text not null default 'minting' check (state in
        ('minting', 'minted', 'restoring', 'done', 'refused', 'restored', 'given_up')),
      key uuid not null unique,
      new_code bytea,
      receiver_id integer not null references users (id),
      actor_id integer references users (id),
      attempts integer not null default 0,
      next_try_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint reissues_deal check (num_nonnulls(exchange_id, bid_id) = 1),
      constraint reissues_open check ((state in ('minting', 'minted', 'restoring')) = (next_try_at is not null)),
      constraint reissues_code check ((state in ('minting', 'minted', 'restoring', 'given_up')) = (new_code is not null))
    );
    comment on table reissues is 'new codes by merchants'' programmes: written before the first call, settled after each answer';
    comment on column reissues.key is 'the same in each call to the programme about this code';
    comment on column reissues.new_code is 'sealed as a code of the coupon; null once it is that, or is nobody''s';
    comment on column reissues.receiver_id is 'for whom the code is minted';
    comment on column reissues.actor_id is 'who completes the deal; null: a payment or a refund does';
    comment on column reissues.next_try_at is 'when somebody else may go on with it; null: it has ended';
    create unique index reissues_open_once on reissues (coupon_id) where next_try_at is not null;
    create index reissues_due on reissues (next_try_at) where next_try_at is not null;
    create index reissues_coupon on reissues (coupon_id);
    create index reissues_exchange on reissues (exchange_id);
    create index reissues_bid on reissues (bid_id);
    create index reissues_receiver on reissues (receiver_id);
    create index reissues_actor on reissues (actor_id);
    create index reissues_given_up on reissues (updated_at) where state = 'given_up';

    alter table coupons add column reissued_at timestamptz;
    comment on column coupons.reissued_at is 'when its code was newly minted for its present owner; null: it was not'`.execute(
    db,
  );

  await sql`
    -- Whoever moves a coupon need not know of it.
    create function forget_reissue() returns trigger language plpgsql as $$
    begin
      new.reissued_at := null;
      return new;
    end $$;
    create trigger coupons_forget_reissue before update of owner_id on coupons
      for each row when (new.owner_id <> old.owner_id and old.reissued_at is not null)
      execute function forget_reissue()`.execute(db);
}
