import { type Kysely, sql } from 'kysely';

/** How likely codes are to work, and when their merchants' own programmes last answered about them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table coupons
      add column health integer constraint coupons_health_bounded check (health between 0 and 100),
      add column checked_at timestamptz;
    comment on column coupons.health is 'how likely the code is to work, of 100; null: nothing is known of it';
    comment on column coupons.checked_at is 'when the programme of the merchant last answered about the code';

    -- What is not known comes last.
    create index coupons_reliable on coupons ((coalesce(health, -1)) desc, id desc) where is_active;
    create index coupons_category_reliable on coupons (category, (coalesce(health, -1)) desc, id desc)
      where is_active;
    create index coupons_merchant_reliable on coupons (merchant_text, (coalesce(health, -1)) desc, id desc)
      where is_active;
    -- Few are checked: a walk through all coupons would be long.
    create index coupons_checked on coupons (checked_at) where is_active and is_verified and checked_at is not null;
    create index coupons_checked_newest on coupons (created_at desc, id desc) include (checked_at)
      where is_active and is_verified and checked_at is not null;
    create statistics coupons_health_rank on (coalesce(health, -1)) from coupons;
    -- A person's deals, to see with whom they deal.
    create index coupon_transfers_to on coupon_transfers (to_user_id);

    -- Only the merchants' own programmes and moderators say who was right.
    create table reporter_records (
      user_id integer primary key references users (id),
      agreed integer not null check (agreed >= 0),
      disagreed integer not null check (disagreed >= 0)
    );
    comment on table reporter_records is
      'how often what a person said of codes was what a programme or a moderator said, too';

    create table merchant_health (
      merchant text primary key,
      health integer not null check (health between 0 and 100),
      checked integer not null check (checked >= valid),
      valid integer not null check (valid >= 0),
      worked integer not null check (worked >= 0),
      failed integer not null check (failed >= 0),
      computed_at timestamptz not null
    );
    comment on column merchant_health.merchant is 'folded';
    comment on column merchant_health.checked is 'codes that its programme answered about';
    comment on column merchant_health.worked is 'people for whom its codes mostly worked';

    -- The budget of a day is taken here before a question is asked: a restart does not spend it twice.
    create table validator_budgets (
      account text not null,
      day date not null,
      asked integer not null check (asked > 0),
      primary key (account, day)
    );
    comment on column validator_budgets.account is 'a hash of what tells an account of VALIDATORS_FILE from the others';
    create table coupon_checks (
      coupon_id integer primary key references coupons (id) on delete cascade,
      asked_at timestamptz not null
    );
    comment on table coupon_checks is 'when a job last asked about the code of a coupon, whatever the answer'`.execute(
    db,
  );

  await sql`
    -- A row for each change: one more waits for nobody.
    create table health_queue (
      id bigint generated always as identity primary key,
      coupon_id integer not null references coupons (id) on delete cascade
    );
    comment on table health_queue is 'coupons whose health is to be computed again';

    -- Another code, or another seller: until it is computed again, nothing is known.
    create function forget_health() returns trigger language plpgsql as $$
    begin
      new.health := null;
      if new.code_hash is distinct from old.code_hash then
        new.checked_at := null;
      end if;
      return new;
    end $$;
    create trigger coupons_forget_health before update of owner_id, code_hash on coupons for each row
      when (new.owner_id <> old.owner_id or new.code_hash is distinct from old.code_hash)
      execute function forget_health();

    create function queue_for_health() returns trigger language plpgsql as $$
    begin
      if tg_table_name = 'code_feedback' then
        insert into health_queue (coupon_id) values (new.coupon_id);
      elsif tg_table_name = 'validations' then
        insert into health_queue (coupon_id) select id from coupons
          where code_hash = new.code_hash and is_active and category not in ('imported', 'scraped');
      elsif tg_table_name = 'claims' then
        insert into health_queue (coupon_id) select id from coupons
          where owner_id = new.giver_id and is_active and health is not null;
      else
        insert into health_queue (coupon_id) values (new.id);
      end if;
      return null;
    end $$;
    create trigger coupons_queue_new_for_health after insert on coupons for each row
      when (new.is_active and new.code_hash is not null) execute function queue_for_health();
    create trigger coupons_queue_for_health after update of owner_id, code_hash, is_active, reissued_at on coupons
      for each row when (new.is_active and new.code_hash is not null and (not old.is_active or new.owner_id <> old.owner_id
        or new.code_hash is distinct from old.code_hash or new.reissued_at is distinct from old.reissued_at))
      execute function queue_for_health();
    create trigger code_feedback_queue_for_health after insert or update on code_feedback for each row
      when (new.coupon_id is not null) execute function queue_for_health();
    create trigger validations_queue_for_health after insert on validations for each row
      when (new.is_confirmed or new.verdict ->> 'confirmed' = 'true') execute function queue_for_health();
    create trigger claims_queue_for_health after update of status on claims for each row
      when (new.status <> old.status) execute function queue_for_health();

    -- A kept search may ask for what was checked lately.
    alter table wants add column checked_days integer constraint wants_checked_days check (checked_days > 0);
    drop index wants_one_of_a_kind;
    create unique index wants_one_of_a_kind on wants
      (user_id, fold_text(search), fold_text(merchant), category, low, high, expiry_days, checked_days, region)
      nulls not distinct;
    create or replace function queue_for_wants() returns trigger language plpgsql as $$
    begin
      if tg_table_name = 'coupon_reservations' then
        insert into want_queue (coupon_id)
          select past.coupon_id from past join coupons on coupons.id = past.coupon_id where coupons.is_active;
      elsif tg_op = 'INSERT' then
        insert into want_queue (coupon_id) select id from present where is_active;
      else
        insert into want_queue (coupon_id)
          select present.id from present join past using (id)
          where present.is_active and (not past.is_active or
            (present.title, present.description, present.merchant, present.value, present.discount_type, present.category,
              present.expiry_date, present.regions, present.checked_at) is distinct from
            (past.title, past.description, past.merchant, past.value, past.discount_type, past.category,
              past.expiry_date, past.regions, past.checked_at));
      end if;
      return null;
    end $$;

    insert into health_queue (coupon_id)
      select id from coupons where is_active and code_hash is not null and (
        exists (select from code_feedback where code_feedback.coupon_id = coupons.id) or exists (
          select from validations where validations.code_hash = coupons.code_hash
            and (is_confirmed or verdict ->> 'confirmed' = 'true')))`.execute(db);
}
