import { type Kysely, sql } from 'kysely';

/** Owners state a price, and a floor that only they know; bids are answered by both at once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table coupons
      add column asking_price numeric(10, 2)
        constraint coupons_asking_price check (asking_price between 3.00 and 10000.00),
      add column price_floor numeric(10, 2)
        constraint coupons_price_floor check (
          price_floor is null or (asking_price is not null and price_floor between 3.00 and asking_price));
    comment on column coupons.asking_price is 'CAD: bids of it or more are accepted at once';
    comment on column coupons.price_floor is 'CAD: bids below it are declined at once; for the eyes of the owner alone';

    -- Both belong to the owner, not to the coupon.
    create function forget_price() returns trigger language plpgsql as $$
    begin
      new.asking_price := null;
      new.price_floor := null;
      return new;
    end $$;
    create trigger coupons_forget_price before update of owner_id on coupons
      for each row when (new.owner_id <> old.owner_id) execute function forget_price();

    alter table bids
      drop constraint bids_reason_check,
      add constraint bids_reason_check check (reason in
        ('by_bidder', 'by_owner', 'below_floor', 'rival_accepted', 'rival_completed', 'coupon_deleted',
         'coupon_changed', 'coupon_expired', 'deadline', 'party_banned', 'party_left')),
      add column is_automatic boolean not null default false,
      add constraint bids_automatic check (
        case when reason = 'below_floor' then is_automatic and status = 'rejected' and accepted_at is null
          else not is_automatic or accepted_at is not null end);
    comment on column bids.is_automatic is 'answered at once by the price or the floor that the owner had set'`.execute(
    db,
  );
}
