import { type Kysely, sql } from 'kysely';

/** Claims that a code does not work are about sales or about legs of exchanges, and the giver can answer them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payment_claims rename to claims;
    alter index payment_claims_open rename to claims_open;
    alter table claims rename constraint payment_claims_payment_id_key to claims_payment_id_key;
    alter table claims rename constraint payment_claims_note_check to claims_note_check;
    alter table claims rename constraint payment_claims_reason_check to claims_reason_check;
    alter table claims
      alter column payment_id drop not null,
      add column exchange_id integer,
      add column coupon_id integer,
      add column answer text check (length(answer) between 1 and 1000),
      add column answered_at timestamptz,
      add constraint claims_leg foreign key (exchange_id, coupon_id) references exchange_legs (exchange_id, coupon_id),
      add constraint claims_leg_once unique (exchange_id, coupon_id),
      add constraint claims_about_one_deal check (
        num_nonnulls(payment_id, exchange_id) = 1 and (exchange_id is null) = (coupon_id is null)),
      add constraint claims_answer_dated check ((answer is null) = (answered_at is null)),
      drop constraint payment_claims_status_check,
      add constraint claims_status check (status in ('open', 'withdrawn')
        or status in ('refunded', 'released') and payment_id is not null
        or status in ('upheld', 'refused') and exchange_id is not null),
      drop constraint payment_claims_decision_explained,
      add constraint claims_decision_explained check (status in ('open', 'withdrawn') or note is not null),
      drop constraint payment_claims_released_by_somebody,
      add constraint claims_decided_by_somebody check (
        status not in ('released', 'upheld', 'refused') or decided_by is not null);

    -- Nothing has changed hands before.
    create function refuse_early_claim() returns trigger language plpgsql as $$
    begin
      if new.exchange_id is not null and not exists (
        select from exchanges where id = new.exchange_id and status = 'completed') then
        raise exception 'exchange % is not completed', new.exchange_id using errcode = 'check_violation';
      end if;
      return new;
    end $$;
    create trigger claims_after_completion before insert on claims
      for each row execute function refuse_early_claim();

    alter table users add column failed_codes integer not null default 0 check (failed_codes >= 0);
    comment on column users.failed_codes is 'codes given in exchanges that did not work, by upheld claims'`.execute(
    db,
  );
}
