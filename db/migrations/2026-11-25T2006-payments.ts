import { type Kysely, sql } from 'kysely';

/** Sellers' accounts, payments, and what is asked of the providers and told by them. Amounts are CAD. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table seller_accounts (
      user_id integer not null references users (id),
      provider text not null check (provider in ('stripe', 'paypal')),
      account_ref text check (length(account_ref) between 1 and 200),
      is_ready boolean not null default false,
      payments_receivable boolean not null default false,
      primary_email_confirmed boolean not null default false,
      is_restricted boolean not null default false,
      requirements jsonb not null default '[]' check (jsonb_typeof(requirements) = 'array'),
      failed_payout jsonb,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (user_id, provider),
      constraint seller_accounts_ready_known check (not is_ready or account_ref is not null)
    );
    comment on column seller_accounts.account_ref is
      'the provider''s id; null: the set-up has begun and the provider has not told it yet';
    comment on column seller_accounts.failed_payout is
      'the latest payout to the bank, if it failed: {ref, amount in cents, reason}';
    create unique index seller_accounts_ref on seller_accounts (provider, account_ref);

    create table payment_customers (
      user_id integer not null references users (id) on delete cascade,
      provider text not null check (provider in ('stripe', 'paypal')),
      customer_ref text not null check (length(customer_ref) between 1 and 200),
      created_at timestamptz not null,
      primary key (user_id, provider)
    );

    create table payment_methods (
      id integer generated always as identity primary key,
      user_id integer not null references users (id) on delete cascade,
      type text not null default 'card' check (type = 'card'),
      tokenized_details text not null unique check (length(tokenized_details) between 1 and 200),
      brand text not null check (length(brand) between 1 and 40),
      last_four text not null check (last_four ~ '^[0-9]{4}$'),
      expiry_month integer not null check (expiry_month between 1 and 12),
      expiry_year integer not null check (expiry_year between 2000 and 2200),
      is_default boolean not null default false,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    comment on column payment_methods.tokenized_details is 'the provider''s token, never a card number';
    create unique index payment_methods_one_default on payment_methods (user_id) where is_default;
    create index payment_methods_user on payment_methods (user_id, id)`.execute(db);

  await sql`
    create table payment_transactions (
      id integer generated always as identity primary key,
      public_id uuid not null default gen_random_uuid() unique,
      bid_id integer not null references bids (id),
      sender_id integer not null references users (id),
      receiver_id integer not null references users (id),
      provider text not null check (provider in ('stripe', 'paypal')),
      receiver_account text not null check (length(receiver_account) between 1 and 200),
      currency text not null default 'CAD' check (currency = 'CAD'),
      amount numeric(10, 2) not null check (amount > 0),
      buyer_fee numeric(10, 2) not null check (buyer_fee >= 0),
      seller_fee numeric(10, 2) not null check (seller_fee >= 0),
      platform_fee numeric(10, 2) not null,
      net_amount numeric(10, 2) not null check (net_amount > 0),
      provider_fee numeric(10, 2) check (provider_fee >= 0),
      status text not null default 'created' check (status in ('created', 'open', 'processing', 'held',
        'releasing', 'completed', 'refunding', 'refunded', 'cancelled', 'failed', 'charged_back')),
      is_disputed boolean not null default false,
      payment_method_id integer references payment_methods (id) on delete set null,
      stripe_payment_intent_id text unique,
      stripe_charge_id text unique,
      stripe_transfer_id text unique,
      paypal_order_id text unique,
      paypal_capture_id text unique,
      paypal_payout_id text unique,
      details text check (length(details) <= 1000),
      hold_until timestamptz,
      next_try_at timestamptz,
      disputed_at timestamptz,
      evidence_due_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      paid_at timestamptz,
      ended_at timestamptz,
      constraint payments_two_people check (sender_id <> receiver_id),
      constraint payments_fees_add_up check (platform_fee = buyer_fee + seller_fee),
      constraint payments_buyer_fee_within check (buyer_fee <= amount),
      constraint payments_net_adds_up check (net_amount = amount - seller_fee),
      constraint payments_paid_dated check (
        (status in ('held', 'releasing', 'completed', 'refunding', 'refunded', 'charged_back'))
          = (paid_at is not null)),
      constraint payments_paid_has_charge check (paid_at is null
        or coalesce(stripe_charge_id, paypal_capture_id) is not null),
      constraint payments_ended_dated check (
        (status in ('completed', 'refunded', 'cancelled', 'failed', 'charged_back')) = (ended_at is not null)),
      constraint payments_own_provider check (case provider
        when 'stripe' then num_nonnulls(paypal_order_id, paypal_capture_id, paypal_payout_id) = 0
        else num_nonnulls(stripe_payment_intent_id, stripe_charge_id, stripe_transfer_id) = 0 end)
    );
    comment on column payment_transactions.public_id is
      'UUIDv7: in idempotency keys, metadata, transfer groups and invoices, because serial ids repeat in a second installation';
    comment on column payment_transactions.next_try_at is
      'when the reconciler looks again at what is under way';
    -- One payment per bid that can still be paid or has been: whatever is clicked twice, nobody pays twice.
    create unique index payments_one_live on payment_transactions (bid_id)
      where status not in ('cancelled', 'failed', 'refunding', 'refunded', 'charged_back');
    create index payments_bid on payment_transactions (bid_id, id desc);
    create index payments_sender on payment_transactions (sender_id);
    create index payments_receiver on payment_transactions (receiver_id);
    create index payments_hold on payment_transactions (hold_until) where status = 'held';
    create index payments_due on payment_transactions (next_try_at) where status in ('created', 'open', 'processing');
    create index payments_disputed on payment_transactions (disputed_at) where is_disputed;
    create index payments_paid on payment_transactions (paid_at desc, id desc) where paid_at is not null;

    -- A payment only moves forward, whatever arrives late: it is under way, held, final or undone. Within each, the
    -- money may still move both ways.
    create function refuse_backward_payment() returns trigger language plpgsql as $$
    begin
      if new.status is distinct from old.status and not (
        (old.status in ('created', 'open', 'processing') and new.status not in ('created', 'releasing', 'completed')) or
        (old.status = 'held' and new.status in
          ('releasing', 'completed', 'refunding', 'refunded', 'charged_back')) or
        (old.status in ('releasing', 'completed') and new.status in
          ('releasing', 'completed', 'refunding', 'refunded', 'charged_back')) or
        (old.status in ('refunding', 'refunded', 'charged_back') and new.status in
          ('refunding', 'refunded', 'charged_back')) or
        -- Money that came although the payment was given up goes straight back.
        (old.status in ('cancelled', 'failed') and new.status in ('refunding', 'refunded', 'charged_back'))
      ) then
        raise exception 'a payment cannot go from % to %', old.status, new.status using errcode = 'check_violation';
      end if;
      if (old.bid_id, old.sender_id, old.receiver_id, old.provider, old.receiver_account, old.amount, old.buyer_fee,
          old.seller_fee, old.public_id) is distinct from (new.bid_id, new.sender_id, new.receiver_id, new.provider,
          new.receiver_account, new.amount, new.buyer_fee, new.seller_fee, new.public_id) then
        raise exception 'what a payment is about cannot change' using errcode = 'check_violation';
      end if;
      return new;
    end $$;
    create trigger payments_forward_only before update on payment_transactions
      for each row execute function refuse_backward_payment();

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

  await sql`
    create table provider_operations (
      payment_id integer not null references payment_transactions (id),
      kind text not null check (kind in ('capture', 'payout', 'refund', 'reversal', 'review')),
      provider text not null check (provider in ('stripe', 'paypal')),
      amount numeric(10, 2) check (amount > 0),
      target numeric(10, 2) check (target > 0),
      attempts integer not null default 0 check (attempts >= 0),
      last_error text check (length(last_error) <= 1000),
      waits_for text check (waits_for in ('dispute', 'refund', 'seller_banned', 'seller_suspended',
        'account_restricted', 'report', 'seller_balance')),
      next_try_at timestamptz,
      given_up_at timestamptz,
      done_at timestamptz,
      opened_at timestamptz not null,
      primary key (payment_id, kind),
      constraint provider_operations_one_state check (num_nonnulls(next_try_at, given_up_at, done_at) = 1),
      constraint provider_operations_person check (kind <> 'review' or next_try_at is null)
    );
    comment on column provider_operations.amount is 'what the provider was last asked for; null where it decides';
    comment on column provider_operations.target is
      'of a refund: how much shall be back with the buyer in the end; null: all';
    comment on column provider_operations.given_up_at is
      'since when a person has to decide; a review is for a person from the start';
    create index provider_operations_due on provider_operations (provider, kind, next_try_at) where next_try_at is not null;
    create index provider_operations_given_up on provider_operations (given_up_at) where given_up_at is not null;
    create index provider_operations_open on provider_operations (opened_at) where done_at is null;

    -- Each event once, exactly as it came.
    create table webhook_events (
      provider text not null check (provider in ('stripe', 'paypal')),
      event_id text not null check (length(event_id) between 1 and 200),
      type text not null,
      payload bytea not null,
      subject jsonb not null,
      attempts integer not null default 0 check (attempts >= 0),
      last_error text check (length(last_error) <= 1000),
      next_try_at timestamptz not null,
      received_at timestamptz not null,
      processed_at timestamptz,
      primary key (provider, event_id)
    );
    create index webhook_events_waiting on webhook_events (next_try_at) where processed_at is null;
    create index webhook_events_received on webhook_events (provider, received_at);
    create index webhook_events_failing on webhook_events (received_at) where last_error is not null;

    -- What waits for an admin is read where it is: acts, payments, events, sellers. Stored are only marks and notes.
    create table payment_issues (
      kind text not null check (kind in ('operation', 'review', 'dispute', 'event', 'seller', 'difference')),
      ref text not null check (length(ref) between 1 and 300),
      handled_at timestamptz,
      handled_by integer references users (id),
      mailed_at timestamptz,
      primary key (kind, ref),
      constraint payment_issues_handled check ((handled_at is null) = (handled_by is null))
    );
    comment on column payment_issues.mailed_at is 'when admins were told; what has begun later is new';
    create index payment_issues_mailed on payment_issues (mailed_at);

    create table payment_issue_notes (
      id integer generated always as identity primary key,
      kind text not null,
      ref text not null,
      author_id integer not null references users (id),
      text text not null check (length(text) between 1 and 1000),
      created_at timestamptz not null,
      foreign key (kind, ref) references payment_issues (kind, ref)
    );
    create index payment_issue_notes_issue on payment_issue_notes (kind, ref, id)`.execute(db);
}
