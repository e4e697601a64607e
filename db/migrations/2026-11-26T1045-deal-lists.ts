import { type Kysely, sql } from 'kysely';

/** A person's deals in one list: what waits for them, then what waits for others, then what has ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table exchange_parties add column consent_by timestamptz, add column accepted_at timestamptz;
    comment on column exchange_parties.consent_by is 'like accepted_at: copied from the exchange by triggers, for the indexes';
    update exchange_parties as party set consent_by = exchanges.consent_by, accepted_at = exchanges.accepted_at
      from exchanges where exchanges.id = party.exchange_id
      and num_nonnulls(exchanges.consent_by, exchanges.accepted_at) > 0;

    create or replace function fill_exchange_party() returns trigger language plpgsql as $$
    begin
      select new.user_id = requester_id, status, created_at, updated_at, consent_by, accepted_at
        into new.is_author, new.status, new.created_at, new.updated_at, new.consent_by, new.accepted_at
        from exchanges where id = new.exchange_id;
      return new;
    end $$;

    create or replace function copy_exchange_state() returns trigger language plpgsql as $$
    begin
      update exchange_parties set status = new.status, updated_at = new.updated_at, accepted_at = new.accepted_at
        where exchange_id = new.id;
      if new.status <> old.status then
        update exchange_legs set status = new.status where exchange_id = new.id;
      end if;
      return null;
    end $$;

    -- The second column is the step that a deal has reached, the third since when: deals/listing-store.ts reads both.
    create index bids_owner_step on bids (owner_id,
      (case status when 'pending' then case when answer_by is null then 1 else 2 + round % 2 end
        when 'accepted' then 4 else 5 end),
      (case status when 'pending' then coalesce(answer_by, created_at) when 'accepted' then accepted_at
        else updated_at end), id);
    create index bids_bidder_step on bids (bidder_id,
      (case status when 'pending' then case when answer_by is null then 1 else 2 + round % 2 end
        when 'accepted' then 4 else 5 end),
      (case status when 'pending' then coalesce(answer_by, created_at) when 'accepted' then accepted_at
        else updated_at end), id);
    create index exchange_parties_step on exchange_parties (user_id,
      (case status when 'pending' then case when consent_by is null then 1 else 2 end
        + case when consented_at is null then 0 else 2 end when 'accepted' then 5 else 6 end),
      (case status when 'pending' then coalesce(consent_by, created_at) when 'accepted' then accepted_at
        else updated_at end), exchange_id);

    create index coupons_floor on coupons (owner_id) where price_floor is not null;

    alter table claims add column claimant_id integer references users (id),
      add column giver_id integer references users (id);
    comment on column claims.claimant_id is 'like giver_id: filled by a trigger, for the indexes';
    update claims set claimant_id = bidder_id, giver_id = owner_id from bids where bids.id = claims.bid_id;
    update claims set claimant_id = receiver_id, giver_id = leg.giver_id from exchange_legs as leg
      where leg.exchange_id = claims.exchange_id and leg.coupon_id = claims.coupon_id;
    alter table claims alter column claimant_id set not null, alter column claimant_id set default 0,
      alter column giver_id set not null, alter column giver_id set default 0;
    create index claims_claimant on claims (claimant_id);
    create index claims_giver on claims (giver_id);

    create function fill_claim_sides() returns trigger language plpgsql as $$
    begin
      if new.bid_id is not null then
        select bidder_id, owner_id into new.claimant_id, new.giver_id from bids where id = new.bid_id;
      else
        select receiver_id, giver_id into new.claimant_id, new.giver_id from exchange_legs
          where exchange_id = new.exchange_id and coupon_id = new.coupon_id;
      end if;
      return new;
    end $$;
    create trigger claims_fill_sides before insert on claims
      for each row execute function fill_claim_sides()`.execute(db);
}
