import { type Kysely, sql } from 'kysely';

/**
 * A leg of an exchange may have a price, which its receiver pays to its giver. An accepted exchange has an accepted bid for
 * each price, through which it is paid like a sale.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table exchange_legs add column price numeric(10, 2)
      constraint exchange_legs_price check (price between 3.00 and 10000.00);
    comment on column exchange_legs.price is 'CAD: what the receiver pays the giver besides; null: nothing';
    drop trigger exchange_legs_stay on exchange_legs;
    create trigger exchange_legs_stay before update of coupon_id, giver_id, receiver_id, price or delete on exchange_legs
      for each row execute function refuse_leg_change();

    alter table bids add column exchange_id integer references exchanges (id),
      add column price_paid_at timestamptz,
      drop constraint bids_reason_check,
      add constraint bids_reason_check check (reason in
        ('by_bidder', 'by_owner', 'rival_accepted', 'rival_completed', 'coupon_deleted', 'coupon_changed',
         'coupon_expired', 'code_refused', 'deadline', 'party_banned', 'party_left', 'exchange_ended')),
      add constraint bids_paid_for_exchange check (price_paid_at is null or exchange_id is not null),
      add constraint bids_ended_with_exchange
        check (exchange_id is null or reason is null or reason = 'exchange_ended');
    comment on column bids.exchange_id is 'the bid is the price of the leg that moves its coupon in this exchange';
    comment on column bids.price_paid_at is 'of a price: since when we hold the money; null: not paid, or returned before the end';
    create unique index bids_exchange on bids (exchange_id, coupon_id) where exchange_id is not null;

    alter table claims add column paid_bid_id integer references bids (id);
    comment on column claims.paid_bid_id is 'filled by a trigger: the bid whose payment the claim is about; null: nothing was paid';
    update claims set paid_bid_id = bid_id where bid_id is not null;
    create unique index claims_paid_bid on claims (paid_bid_id);
    create or replace function fill_claim_sides() returns trigger language plpgsql as $$
    begin
      if new.bid_id is not null then
        new.paid_bid_id := new.bid_id;
        select bidder_id, owner_id into new.claimant_id, new.giver_id from bids where id = new.bid_id;
      else
        select id into new.paid_bid_id from bids where exchange_id = new.exchange_id and coupon_id = new.coupon_id;
        select receiver_id, giver_id into new.claimant_id, new.giver_id from exchange_legs
          where exchange_id = new.exchange_id and coupon_id = new.coupon_id;
      end if;
      return new;
    end $$`.execute(db);

  await sql`
    -- However an exchange ends, its prices end with it. Completed ones are completed by the program.
    create function end_exchange_prices() returns trigger language plpgsql as $$
    begin
      update bids set status = 'cancelled', reason = 'exchange_ended', updated_at = new.updated_at
        where exchange_id = new.id and status = 'accepted';
      return null;
    end $$;
    create trigger exchanges_end_prices after update of status on exchanges
      for each row when (old.status = 'accepted' and new.status = 'cancelled') execute function end_exchange_prices();

    -- At the end of each transaction: an agreed exchange has one bid for each price, in its own state; all are paid before
    -- the coupons move; and in a swap only one side pays, once.
    create function check_exchange_prices() returns trigger language plpgsql as $$
    declare
      checked exchanges;
    begin
      if tg_table_name = 'exchanges' then
        select * into checked from exchanges where id = new.id;
      else
        select * into checked from exchanges where id = new.exchange_id;
      end if;
      if checked.id is null then return null; end if;
      if checked.kind = 'swap' and
        (select count(price) from exchange_legs where exchange_id = checked.id) > 1 then
        raise exception 'more than one leg of swap % has a price', checked.id using errcode = 'check_violation';
      end if;
      if exists (
        select from (select * from bids where exchange_id = checked.id) as bid
        full join (select * from exchange_legs where exchange_id = checked.id and price is not null) as leg
          on leg.coupon_id = bid.coupon_id
        where case when checked.accepted_at is null then bid.id is not null
          else bid.id is null or leg.coupon_id is null
            or (bid.owner_id, bid.bidder_id, bid.amount, bid.status)
              is distinct from (leg.giver_id, leg.receiver_id, leg.price, checked.status)
            or bid.status = 'completed' and bid.price_paid_at is null end) then
        raise exception 'the prices of exchange % and their bids differ', checked.id using errcode = 'check_violation';
      end if;
      return null;
    end $$;
    create constraint trigger exchanges_prices_sound after insert or update of status on exchanges
      deferrable initially deferred for each row execute function check_exchange_prices();
    create constraint trigger exchange_legs_prices_sound after insert or update of price on exchange_legs
      deferrable initially deferred for each row when (new.price is not null) execute function check_exchange_prices();
    create constraint trigger bids_prices_sound after insert or update of status, price_paid_at on bids
      deferrable initially deferred for each row when (new.exchange_id is not null)
      execute function check_exchange_prices()`.execute(db);
}
