import { type Kysely, sql } from 'kysely';

/** Sellers' accounts, payments, claims, kept cards, the providers' events, and the ledger. Amounts are CAD. */
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
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (user_id, provider),
      constraint seller_accounts_ready_known check (not is_ready or account_ref is not null)
    );
    comment on column seller_accounts.account_ref is
      'the id there; null while a set-up was begun and the provider has not told';
    create unique index seller_accounts_ref on seller_accounts (provider, account_ref);

    -- The sandbox's memory: what a provider would know. Empty where real providers are set up.
    create table sandbox_objects (
      kind text not null,
      id text not null,
      value jsonb not null,
      position bigint generated always as identity,
      primary key (kind, id)
    );
    create index sandbox_objects_order on sandbox_objects (kind, position)`.execute(db);

  await sql`
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
    comment on column payment_methods.tokenized_details is 'the provider''s token, never a number';
    create unique index payment_methods_one_default on payment_methods (user_id) where is_default;
    create index payment_methods_user on payment_methods (user_id, id)`.execute(db);

  await sql`
    create table payment_transactions (
      id integer generated always as identity primary key,
      bid_id integer not null references bids (id),
      sender_id integer not null references users (id),
      receiver_id integer not null references users (id),
      provider text not null check (provider in ('stripe', 'paypal')),
      receiver_account text not null check (length(receiver_account) between 1 and 200),
      currency text not null default 'CAD' check (currency = 'CAD'),
      fee_percent integer not null check (fee_percent between 0 and 50),
      amount numeric(10, 2) not null check (amount > 0),
      buyer_fee numeric(10, 2) not null check (buyer_fee >= 0),
      seller_fee numeric(10, 2) not null check (seller_fee >= 0),
      platform_fee numeric(10, 2) not null,
      net_amount numeric(10, 2) not null check (net_amount > 0),
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
      provider_fee numeric(10, 2) check (provider_fee >= 0),
      payout_attempts integer not null default 0 check (payout_attempts >= 0),
      refund_attempts integer not null default 0 check (refund_attempts >= 0),
      details text check (length(details) <= 1000),
      hold_until timestamptz,
      next_try_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      paid_at timestamptz,
      ended_at timestamptz,
      constraint payments_two_people check (sender_id <> receiver_id),
      constraint payments_fees_add_up check (platform_fee = buyer_fee + seller_fee),
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
    comment on column payment_transactions.next_try_at is
      'when the reconciler looks again at what is under way';
    -- One payment per bid that can still be paid or has been: whatever is clicked twice, nobody pays twice.
    create unique index payments_one_live on payment_transactions (bid_id)
      where status not in ('cancelled', 'failed', 'refunding', 'refunded', 'charged_back');
    create index payments_bid on payment_transactions (bid_id, id desc);
    create index payments_sender on payment_transactions (sender_id);
    create index payments_receiver on payment_transactions (receiver_id);
    create index payments_hold on payment_transactions (hold_until) where status = 'held';
    create index payments_due on payment_transactions (next_try_at)
      where status in ('created', 'open', 'processing', 'releasing', 'refunding');
    create index payments_paid on payment_transactions (paid_at desc, id desc) where paid_at is not null;

    -- A payment only moves forward, whatever arrives late.
    create function refuse_backward_payment() returns trigger language plpgsql as $$
    begin
      if new.status is distinct from old.status and not (
        (old.status = 'created' and new.status in ('open', 'processing', 'held', 'cancelled', 'failed', 'refunding')) or
        (old.status = 'open' and new.status in ('processing', 'held', 'cancelled', 'failed', 'refunding')) or
        (old.status = 'processing' and new.status in ('open', 'held', 'cancelled', 'failed', 'refunding')) or
        (old.status = 'held' and new.status in ('releasing', 'refunding', 'charged_back')) or
        (old.status = 'releasing' and new.status in ('completed', 'charged_back')) or
        (old.status = 'completed' and new.status = 'charged_back') or
        (old.status = 'refunding' and new.status in ('refunded', 'charged_back')) or
        -- Money that came although the payment was given up goes straight back.
        (old.status in ('cancelled', 'failed') and new.status = 'refunding')
      ) then
        raise exception 'a payment cannot go from % to %', old.status, new.status using errcode = 'check_violation';
      end if;
      if (old.bid_id, old.sender_id, old.receiver_id, old.provider, old.receiver_account, old.amount, old.buyer_fee,
          old.seller_fee) is distinct from (new.bid_id, new.sender_id, new.receiver_id, new.provider,
          new.receiver_account, new.amount, new.buyer_fee, new.seller_fee) then
        raise exception 'what a payment is about cannot change' using errcode = 'check_violation';
      end if;
      return new;
    end $$;
    create trigger payments_forward_only before update on payment_transactions
      for each row execute function refuse_backward_payment()`.execute(db);

  await sql`
    create table payment_claims (
      id integer generated always as identity primary key,
      payment_id integer not null unique references payment_transactions (id),
      reason text not null check (length(reason) between 10 and 1000),
      status text not null default 'open' check (status in ('open', 'refunded', 'released', 'withdrawn')),
      note text check (length(note) between 1 and 1000),
      decided_by integer references users (id),
      created_at timestamptz not null,
      decided_at timestamptz,
      constraint payment_claims_end_dated check ((status = 'open') = (decided_at is null)),
      constraint payment_claims_decision_explained check (status not in ('refunded', 'released') or note is not null),
      -- A refund may have nobody who decided it: the buyer's bank can give the money back as well.
      constraint payment_claims_released_by_somebody check (status <> 'released' or decided_by is not null)
    );
    create index payment_claims_open on payment_claims (id) where status = 'open';

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
    create index webhook_events_received on webhook_events (provider, received_at)`.execute(db);

  // The double-entry ledger: every cent that moved, append-only, each journal adding up to nothing.
  await sql`
    create table ledger_accounts (
      id integer generated always as identity primary key,
      kind text not null check (kind in
        ('provider_clearing', 'seller_payable', 'platform_fees', 'provider_fees', 'disputes')),
      provider text check (provider in ('stripe', 'paypal')),
      user_id integer references users (id),
      constraint ledger_accounts_owner check ((kind = 'seller_payable') = (user_id is not null)),
      constraint ledger_accounts_provider check ((kind = 'provider_clearing') = (provider is not null)),
      constraint ledger_accounts_one unique nulls not distinct (kind, provider, user_id)
    );

    create table ledger_journals (
      id integer generated always as identity primary key,
      kind text not null check (kind in ('capture', 'provider_fee', 'payout', 'payout_reversal', 'refund',
        'dispute_opened', 'dispute_won', 'dispute_lost')),
      payment_id integer not null references payment_transactions (id),
      source_ref text not null check (length(source_ref) between 1 and 200),
      created_at timestamptz not null,
      -- What a provider tells twice is booked once.
      constraint ledger_journals_once unique (kind, source_ref)
    );
    create index ledger_journals_payment on ledger_journals (payment_id, id);
    create index ledger_journals_newest on ledger_journals (created_at);

    create table ledger_entries (
      id bigint generated always as identity primary key,
      journal_id integer not null references ledger_journals (id),
      account_id integer not null references ledger_accounts (id),
      amount numeric(10, 2) not null check (amount <> 0)
    );
    comment on column ledger_entries.amount is 'CAD; positive is debit, negative is credit';
    create index ledger_entries_journal on ledger_entries (journal_id);
    create index ledger_entries_account on ledger_entries (account_id, id);

    create function refuse_ledger_change() returns trigger language plpgsql as $$
    begin
      raise exception 'the ledger is append-only: book a journal that corrects it' using errcode = 'check_violation';
    end $$;
    create trigger ledger_accounts_append_only before update or delete or truncate on ledger_accounts
      for each statement execute function refuse_ledger_change();
    create trigger ledger_journals_append_only before update or delete or truncate on ledger_journals
      for each statement execute function refuse_ledger_change();
    create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
      for each statement execute function refuse_ledger_change();

    -- Checked when the transaction ends and the journal is whole. A journal without entries is none either.
    create function refuse_unbalanced_journal() returns trigger language plpgsql as $$
    declare
      journal integer;
    begin
      if tg_table_name = 'ledger_entries' then journal := new.journal_id; else journal := new.id; end if;
      if (select count(*) < 2 or sum(amount) <> 0 from ledger_entries where journal_id = journal) then
        raise exception 'journal % does not balance', journal using errcode = 'check_violation';
      end if;
      return null;
    end $$;
    create constraint trigger ledger_entries_balance after insert on ledger_entries
      deferrable initially deferred for each row execute function refuse_unbalanced_journal();
    create constraint trigger ledger_journals_balance after insert on ledger_journals
      deferrable initially deferred for each row execute function refuse_unbalanced_journal()`.execute(db);
}
