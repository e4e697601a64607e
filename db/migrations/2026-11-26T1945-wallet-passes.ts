import { type Kysely, sql } from 'kysely';

/** Passes with codes in the wallets of phones. Each belongs to its holder alone, and is void for good after that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table wallet_passes (
      id text primary key check (id ~ '^[A-Za-z0-9_-]{22}$'),
      coupon_id integer not null references coupons (id) on delete cascade,
      holder_id integer not null references users (id),
      wallet text not null check (wallet in ('apple', 'google')),
      added_at timestamptz not null,
      changed_at timestamptz(0) not null default clock_timestamp(),
      voided_at timestamptz,
      due_at timestamptz,
      attempts integer not null default 0
    );
    comment on column wallet_passes.id is 'its serial number in the wallet';
    comment on column wallet_passes.added_at is 'when its holder last asked for it';
    comment on column wallet_passes.changed_at is 'a later second with each change';
    comment on column wallet_passes.voided_at is 'since when its holder has not been the coupon''s';
    comment on column wallet_passes.due_at is 'when the wallet is to be told of a change; null: it was told';
    create unique index wallet_passes_live on wallet_passes (coupon_id, wallet) where voided_at is null;
    create index wallet_passes_coupon on wallet_passes (coupon_id);
    create index wallet_passes_holder on wallet_passes (holder_id);
    create index wallet_passes_due on wallet_passes (due_at) where due_at is not null;

    create table wallet_devices (
      device_id text not null check (length(device_id) between 1 and 128),
      pass_id text not null references wallet_passes (id) on delete cascade,
      push_token text not null check (length(push_token) between 1 and 200),
      registered_at timestamptz not null,
      primary key (device_id, pass_id)
    );
    comment on table wallet_devices is 'the Apple devices that are told of changes of a pass';
    create index wallet_devices_pass on wallet_devices (pass_id)`.execute(db);

  await sql`
    -- Waits for a transfer or a ban that is being written: afterwards it is seen.
    create function check_wallet_pass() returns trigger language plpgsql as $$
    begin
      perform from coupons
        where id = new.coupon_id and owner_id = new.holder_id and deleted_at is null and used_at is null for share;
      if found then
        perform from users where id = new.holder_id and status <> 'banned' and deleted_at is null for key share;
      end if;
      if not found then
        raise check_violation using constraint = 'wallet_passes_holder', message = 'the code is not the holder''s';
      end if;
      return new;
    end $$;
    create trigger wallet_passes_check before insert on wallet_passes
      for each row execute function check_wallet_pass();

    create function stamp_wallet_pass() returns trigger language plpgsql as $$
    begin
      if old.voided_at is not null then
        new.voided_at := old.voided_at;
      end if;
      if new.coupon_id <> old.coupon_id or new.holder_id <> old.holder_id then
        raise check_violation using constraint = 'wallet_passes_holder', message = 'a pass keeps its holder';
      end if;
      return new;
    end $$;
    create trigger wallet_passes_stamp before update on wallet_passes
      for each row execute function stamp_wallet_pass();

    -- Whoever changes a coupon need not know of passes: none is forgotten.
    create function change_wallet_passes() returns trigger language plpgsql as $$
    begin
      update wallet_passes set
        voided_at = case when new.owner_id <> holder_id or new.deleted_at is not null or new.used_at is not null
          then clock_timestamp() end,
        changed_at = greatest(date_trunc('second', clock_timestamp()), changed_at + interval '1 second'),
        due_at = clock_timestamp(),
        attempts = 0
      where coupon_id = new.id and voided_at is null;
      return null;
    end $$;
    create trigger coupons_change_wallet_passes after update of owner_id, deleted_at, used_at, updated_at on coupons
      for each row execute function change_wallet_passes();

    create function void_wallet_passes() returns trigger language plpgsql as $$
    begin
      update wallet_passes set
        voided_at = clock_timestamp(),
        changed_at = greatest(date_trunc('second', clock_timestamp()), changed_at + interval '1 second'),
        due_at = clock_timestamp(),
        attempts = 0
      where holder_id = new.id and voided_at is null;
      return null;
    end $$;
    create trigger users_void_wallet_passes after update of status, deleted_at on users
      for each row when (new.status = 'banned' or new.deleted_at is not null) execute function void_wallet_passes()`.execute(
    db,
  );
}
