import { type Kysely, sql } from 'kysely';

/** The fee rates of a sale, which stay with its bid from the acceptance on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The defaults are the rates of all bids until now, and of those that an older process still accepts.
  await sql`
    alter table bids
      add column buyer_fee_percent numeric(4, 2) not null default 5.00
        constraint bids_buyer_fee_percent check (buyer_fee_percent between 0 and 50),
      add column buyer_fee_minimum numeric(10, 2) not null default 0.00
        constraint bids_buyer_fee_minimum check (buyer_fee_minimum between 0 and 2.99),
      add column seller_fee_percent numeric(4, 2) not null default 5.00
        constraint bids_seller_fee_percent check (seller_fee_percent between 0 and 50),
      add column seller_fee_minimum numeric(10, 2) not null default 0.00
        constraint bids_seller_fee_minimum check (seller_fee_minimum between 0 and 2.99);
    comment on column bids.buyer_fee_percent is 'the rates in force when it was accepted; without meaning before';

    create function refuse_other_fee_rates() returns trigger language plpgsql as $$
    begin
      if old.accepted_at is not null and (old.amount, old.buyer_fee_percent, old.buyer_fee_minimum,
          old.seller_fee_percent, old.seller_fee_minimum) is distinct from (new.amount, new.buyer_fee_percent,
          new.buyer_fee_minimum, new.seller_fee_percent, new.seller_fee_minimum) then
        raise exception 'the amount and the fees of an accepted bid cannot change' using errcode = 'check_violation';
      end if;
      return new;
    end $$;
    create trigger bids_fees_fixed before update on bids
      for each row execute function refuse_other_fee_rates();

    alter table payment_transactions alter column fee_percent drop not null;
    comment on column payment_transactions.fee_percent is 'of releases that had one rate for all; see bids';
    alter table payment_transactions
      add constraint payments_buyer_fee_within check (buyer_fee <= amount) not valid;

    -- The same formula as in the program.
    create function fee_of(amount numeric, percent numeric, minimum numeric) returns numeric
      language sql immutable return greatest(minimum, round(amount * percent / 100, 2));

    create function refuse_other_fees() returns trigger language plpgsql as $$
    begin
      if not exists (
        select from bids where id = new.bid_id and amount = new.amount
          and fee_of(amount, buyer_fee_percent, buyer_fee_minimum) = new.buyer_fee
          and fee_of(amount, seller_fee_percent, seller_fee_minimum) = new.seller_fee
      ) then
        raise exception 'a payment has the amount and the fees of its bid' using errcode = 'check_violation';
      end if;
      return new;
    end $$;
    create trigger payments_fees_of_bid before insert on payment_transactions
      for each row execute function refuse_other_fees()`.execute(db);
}
