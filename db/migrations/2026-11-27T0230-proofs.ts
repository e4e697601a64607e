import { type Kysely, sql } from 'kysely';

/** Chains of who was shown which code, statements of them, and the daily roots that make changes visible. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createChains(db);
  await createTriggers(db);
  await takeOver(db);
  await createProofs(db);
}

async function createChains(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table exposure_chains (
      id uuid primary key default gen_random_uuid(),
      coupon_id integer not null,
      generation integer not null check (generation > 0),
      length integer not null default 0,
      head bytea not null default decode(repeat('00', 32), 'hex') check (octet_length(head) = 32),
      constraint exposure_chains_one unique (coupon_id, generation)
    );
    comment on table exposure_chains is 'one for each code that a coupon has had';
    comment on column exposure_chains.coupon_id is 'no foreign key: a chain outlives its coupon';
    comment on column exposure_chains.generation is 'counts the codes of the coupon from 1';

    create table exposure_entries (
      chain_id uuid not null references exposure_chains (id),
      seq integer not null check (seq > 0),
      kind text not null constraint exposure_entries_kind check (kind in
        ('listed', 'known', 'shown', 'kept', 'handed_over', 'reissued', 'taken_over')),
      person integer check (person > 0),
      at timestamptz(3) not null,
      hash bytea not null check (octet_length(hash) = 32),
      primary key (chain_id, seq),
      constraint exposure_entries_person check ((person is null) = (kind in ('known', 'reissued', 'taken_over')))
    );
    comment on column exposure_entries.person is 'a number within the chain: 1 is the first of its people';
    comment on column exposure_entries.hash is 'of the entry and the hash before it: see exposure_hash';

    create table exposure_people (
      chain_id uuid not null references exposure_chains (id),
      person integer not null,
      user_id integer not null references users (id),
      primary key (chain_id, person),
      constraint exposure_people_once unique (chain_id, user_id)
    );
    create index exposure_people_user on exposure_people (user_id);

    create table exposure_codes (
      code_hash text not null check (length(code_hash) = 64),
      chain_id uuid not null references exposure_chains (id),
      primary key (code_hash, chain_id)
    );
    comment on table exposure_codes is 'by which a code is recognised that was here before, under another coupon too';
    create index exposure_codes_chain on exposure_codes (chain_id);

    create table exposure_statements (
      id uuid primary key,
      chain_id uuid not null references exposure_chains (id),
      length integer not null,
      head bytea not null check (octet_length(head) = 32),
      person integer not null,
      issued_at timestamptz(3) not null
    );
    comment on table exposure_statements is 'what was signed for the owner of a coupon';
    comment on column exposure_statements.person is 'the owner; 0: nobody has shown them the code yet';
    create index exposure_statements_chain on exposure_statements (chain_id)`.execute(db);

  await sql`
    create function exposure_hash(chain uuid, seq integer, kind text, person integer, at timestamptz, previous bytea)
      returns bytea language sql stable return
      sha256(convert_to(concat_ws(chr(10), 'clipswap exposure 1', chain, seq, kind, coalesce(person::text, '-'),
        to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), encode(previous, 'hex')), 'UTF8'));
    comment on function exposure_hash is 'SHA-256 over the lines of an entry; docs/proofs.md describes them';

    -- The lock of the chain puts the entries of simultaneous transactions in a row.
    create function append_exposure(of_chain uuid, of_kind text, of_user integer, happened timestamptz)
      returns void language plpgsql as $$
    declare
      chain exposure_chains;
      number integer;
      hashed bytea;
      moment timestamptz(3) := happened;
    begin
      select * into strict chain from exposure_chains where id = of_chain for no key update;
      if of_user is not null then
        select person into number from exposure_people where chain_id = of_chain and user_id = of_user;
        if number is null then
          select count(*) + 1 into number from exposure_people where chain_id = of_chain;
          insert into exposure_people (chain_id, person, user_id) values (of_chain, number, of_user);
        end if;
      end if;
      hashed := exposure_hash(of_chain, chain.length + 1, of_kind, number, moment, chain.head);
      insert into exposure_entries (chain_id, seq, kind, person, at, hash)
        values (of_chain, chain.length + 1, of_kind, number, moment, hashed);
      update exposure_chains set length = chain.length + 1, head = hashed where id = of_chain;
    end $$;

    create function chain_of(coupon integer) returns uuid language sql stable return (
      select id from exposure_chains where coupon_id = coupon order by generation desc limit 1);

    create function was_code_here(hash text, except_chain uuid) returns boolean language sql stable return (
      exists (select from exposure_codes where code_hash = hash and chain_id is distinct from except_chain)
      or exists (select from code_owners where code_hash = hash));

    -- Public codes are everybody's: they have no chain.
    create function begin_exposures(coupon integer, of_kind text, happened timestamptz) returns void language plpgsql as $$
    declare
      found_coupon coupons;
      chain uuid;
    begin
      select * into found_coupon from coupons where id = coupon;
      if found_coupon.category in ('imported', 'scraped') then return; end if;
      insert into exposure_chains (coupon_id, generation)
        select coupon, coalesce(max(generation), 0) + 1 from exposure_chains where coupon_id = coupon
        returning id into chain;
      if of_kind = 'reissued' then
        perform append_exposure(chain, 'reissued', null, happened);
      else
        perform append_exposure(chain, 'listed', found_coupon.owner_id, happened);
        if was_code_here(found_coupon.code_hash, chain) then
          perform append_exposure(chain, 'known', null, happened);
        end if;
      end if;
      insert into exposure_codes (code_hash, chain_id)
        select found_coupon.code_hash, chain where found_coupon.code_hash is not null;
    end $$`.execute(db);
}

/** Whoever shows, hands over or changes a code need not know of chains: none is forgotten. */
async function createTriggers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function expose_new_code() returns trigger language plpgsql as $$
    declare
      chain uuid := chain_of(new.coupon_id);
      hash text;
    begin
      select code_hash into hash from coupons where id = new.coupon_id;
      if chain is null then
        perform begin_exposures(new.coupon_id, 'listed', updated_at) from coupons where id = new.coupon_id;
      elsif was_code_here(hash, chain) then
        -- The chain began with a picture, before its code was known.
        perform append_exposure(chain, 'known', null, updated_at) from coupons where id = new.coupon_id;
      end if;
      return null;
    end $$;
    create trigger coupon_secrets_expose after insert on coupon_secrets
      for each row execute function expose_new_code();

    -- A transaction says by this setting why it writes a code: 'edited' by its owner, or 'resealed' under another key.
    -- Else the merchant has issued a new one.
    create function expose_changed_code() returns trigger language plpgsql as $$
    declare
      reason text := current_setting('clipswap.code_change', true);
    begin
      if reason is distinct from 'resealed' then
        perform begin_exposures(new.coupon_id, case reason when 'edited' then 'listed' else 'reissued' end, updated_at)
          from coupons where id = new.coupon_id;
      end if;
      return null;
    end $$;
    create trigger coupon_secrets_expose_change after update of code on coupon_secrets
      for each row when (new.code <> old.code) execute function expose_changed_code();

    create function expose_picture() returns trigger language plpgsql as $$
    begin
      if chain_of(new.coupon_id) is null then
        perform begin_exposures(new.coupon_id, 'listed', greatest(updated_at, new.created_at))
          from coupons where id = new.coupon_id;
      end if;
      return null;
    end $$;
    create trigger images_expose after insert or update of coupon_id on images
      for each row when (new.coupon_id is not null) execute function expose_picture();

    -- At the end of the transaction the code, its merchant and its chain belong together.
    create function note_exposed_code() returns trigger language plpgsql as $$
    begin
      insert into exposure_codes (code_hash, chain_id)
        select code_hash, chain_of(id) from coupons
        where id = new.id and code_hash is not null and chain_of(id) is not null
        on conflict do nothing;
      return null;
    end $$;
    create constraint trigger coupons_note_exposed_code after insert or update of code_hash on coupons
      deferrable initially deferred for each row when (new.code_hash is not null)
      execute function note_exposed_code();

    create function expose_transfer() returns trigger language plpgsql as $$
    begin
      perform append_exposure(chain, 'handed_over', new.to_user_id, new.created_at)
        from chain_of(new.coupon_id) as chain where chain is not null;
      return null;
    end $$;
    create trigger coupon_transfers_expose after insert on coupon_transfers
      for each row execute function expose_transfer();

    -- A transfer records that the new owner may see the code: that is the same exposure.
    create function expose_reveal() returns trigger language plpgsql as $$
    begin
      perform append_exposure(chain, 'shown', new.user_id, new.revealed_at)
        from chain_of(new.coupon_id) as chain
        where chain is not null and not exists (
          select from coupon_transfers t
          where t.coupon_id = new.coupon_id and t.to_user_id = new.user_id and t.created_at = new.revealed_at);
      return null;
    end $$;
    create trigger coupon_reveals_expose after insert on coupon_reveals
      for each row execute function expose_reveal();

    create function expose_kept_code() returns trigger language plpgsql as $$
    begin
      perform append_exposure(chain, 'kept', new.user_id, new.kept_at)
        from chain_of(new.coupon_id) as chain where chain is not null;
      return null;
    end $$;
    create trigger kept_codes_expose after insert or update of kept_at on kept_codes
      for each row execute function expose_kept_code()`.execute(db);

  await sql`
    create function refuse_exposure_change() returns trigger language plpgsql as $$
    begin
      raise exception '% only grows: what was shown stays shown', tg_table_name using errcode = 'check_violation';
    end $$;
    create trigger exposure_entries_append_only before update or delete or truncate on exposure_entries
      for each statement execute function refuse_exposure_change();
    create trigger exposure_people_append_only before update or delete or truncate on exposure_people
      for each statement execute function refuse_exposure_change();
    create trigger exposure_statements_append_only before update or delete or truncate on exposure_statements
      for each statement execute function refuse_exposure_change();
    create trigger exposure_chains_stay before delete or truncate on exposure_chains
      for each statement execute function refuse_exposure_change();
    create trigger exposure_chains_grow before update on exposure_chains
      for each row when ((new.id, new.coupon_id, new.generation) is distinct from (old.id, old.coupon_id, old.generation)
        or new.length <> old.length + 1)
      execute function refuse_exposure_change()`.execute(db);
}

/** What was recorded before this release, as what it is: entries that are taken from records, and an entry that says so. */
async function takeOver(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$
    declare
      coupon record;
      entry record;
      chain uuid;
    begin
      for coupon in
        select c.id, c.created_at, c.code_hash, coalesce((
          select t.from_user_id from coupon_transfers t where t.coupon_id = c.id order by t.id limit 1), c.owner_id) as lister
        from coupons c
        where c.category not in ('imported', 'scraped') and (
          exists (select from coupon_secrets s where s.coupon_id = c.id)
          or exists (select from images i where i.coupon_id = c.id)
          or exists (select from coupon_reveals r where r.coupon_id = c.id))
        order by c.id
      loop
        insert into exposure_chains (coupon_id, generation) values (coupon.id, 1) returning id into chain;
        perform append_exposure(chain, 'listed', coupon.lister, coupon.created_at);
        for entry in
          select kind, user_id, at from (
            select 'handed_over' as kind, to_user_id as user_id, created_at as at, 0 as rank, id
              from coupon_transfers where coupon_id = coupon.id
            union all
            select 'shown', user_id, revealed_at, 1, id from coupon_reveals r
              where r.coupon_id = coupon.id and not exists (
                select from coupon_transfers t
                where t.coupon_id = r.coupon_id and t.to_user_id = r.user_id and t.created_at = r.revealed_at)
            union all
            select 'kept', user_id, kept_at, 2, 0 from kept_codes where coupon_id = coupon.id) as happened
          order by at, rank, id
        loop
          perform append_exposure(chain, entry.kind, entry.user_id, entry.at);
        end loop;
        perform append_exposure(chain, 'taken_over', null, clock_timestamp());
        insert into exposure_codes (code_hash, chain_id)
          select coupon.code_hash, chain where coupon.code_hash is not null
          union select code_hash, chain from coupon_earlier_codes where coupon_id = coupon.id;
      end loop;
    end $$`.execute(db);
}

async function createProofs(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table proof_keys (
      id text primary key,
      public_key jsonb not null,
      sealed bytea,
      created_at timestamptz not null,
      retired_at timestamptz,
      constraint proof_keys_retired check ((sealed is null) = (retired_at is not null))
    );
    comment on table proof_keys is 'the keys that sign statements and daily roots';
    comment on column proof_keys.id is 'the thumbprint of the public key (RFC 7638)';
    comment on column proof_keys.public_key is 'a JWK; it is published for good';
    comment on column proof_keys.sealed is 'the private key; null: it signs no more';
    create unique index proof_keys_signing on proof_keys ((true)) where sealed is not null;

    create table proof_roots (
      day date primary key,
      made_at timestamptz(3) not null,
      previous bytea not null check (octet_length(previous) = 32),
      chains integer not null,
      groups bytea not null,
      journals integer not null,
      journals_end integer not null,
      salt bytea not null check (octet_length(salt) = 32),
      ledger bytea not null check (octet_length(ledger) = 32),
      books text not null,
      root bytea not null check (octet_length(root) = 32),
      signature text not null
    );
    comment on column proof_roots.previous is 'the root before it; zeros for the first';
    comment on column proof_roots.chains is 'how many chains have grown since the root before it';
    comment on column proof_roots.groups is 'the hashes of groups of these chains, 32 bytes each';
    comment on column proof_roots.journals is 'how many journals the ledger has up to here';
    comment on column proof_roots.journals_end is 'the id of the last of them';
    comment on column proof_roots.salt is 'never published: nobody can try out what the ledger''s hash says';
    comment on column proof_roots.books is 'the open books of the day, as JSON';
    comment on column proof_roots.signature is 'a JWS of the root';

    create table proof_root_chains (
      day date not null references proof_roots (day) deferrable initially deferred,
      place integer not null,
      chain_id uuid not null references exposure_chains (id),
      length integer not null,
      head bytea not null check (octet_length(head) = 32),
      primary key (day, place)
    );
    comment on column proof_root_chains.place is 'counts from 0, in the order of the ids';
    create unique index proof_root_chains_chain on proof_root_chains (chain_id, length);

    create trigger proof_roots_append_only before update or delete or truncate on proof_roots
      for each statement execute function refuse_exposure_change();
    create trigger proof_root_chains_append_only before update or delete or truncate on proof_root_chains
      for each statement execute function refuse_exposure_change()`.execute(db);
}
