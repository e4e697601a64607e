import { type Kysely, sql } from 'kysely';

/** Claims that a code does not work: about a sale or about a leg of an exchange. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table claims (
      id integer generated always as identity primary key,
      bid_id integer references bids (id) constraint claims_bid_id_key unique,
      exchange_id integer,
      coupon_id integer,
      reason text not null check (length(reason) between 10 and 1000),
      answer text check (length(answer) between 1 and 1000),
      status text not null default 'open',
      note text check (length(note) between 1 and 1000),
      decided_by integer references users (id),
      created_at timestamptz not null,
      answered_at timestamptz,
      reminded_at timestamptz,
      decided_at timestamptz,
      constraint claims_leg foreign key (exchange_id, coupon_id) references exchange_legs (exchange_id, coupon_id),
      constraint claims_leg_once unique (exchange_id, coupon_id),
      constraint claims_about_one_deal check (
        num_nonnulls(bid_id, exchange_id) = 1 and (exchange_id is null) = (coupon_id is null)),
      constraint claims_status check (status in ('open', 'withdrawn')
        or status in ('refunded', 'released') and bid_id is not null
        or status in ('upheld', 'refused') and exchange_id is not null),
      constraint claims_answer_dated check ((answer is null) = (answered_at is null)),
      constraint claims_end_dated check ((status = 'open') = (decided_at is null)),
      constraint claims_decision_explained check (status in ('open', 'withdrawn') or note is not null),
      -- A refund may have nobody who decided it: the buyer's bank can give the money back as well.
      constraint claims_decided_by_somebody check (
        status not in ('released', 'upheld', 'refused') or decided_by is not null)
    );
    comment on column claims.answer is 'what the giver of the code says';
    comment on column claims.reminded_at is 'when moderators were reminded of it; they are once';
    create index claims_open on claims (id) where status = 'open';

    -- Nothing has changed hands before an exchange is completed.
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

    -- Evidence; the table of private pictures is older than claims.
    alter table images add foreign key (claim_id) references claims (id) on delete cascade`.execute(db);
}
