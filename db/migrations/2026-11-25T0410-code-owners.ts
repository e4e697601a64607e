import { type Kysely, sql } from 'kysely';

/** A code that has changed hands belongs to its last owner for good, however often coupons with it come and go. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table code_owners (
      code_hash text primary key check (length(code_hash) = 64),
      owner_id integer not null references users (id)
    );
    create index code_owners_owner on code_owners (owner_id);
    comment on table code_owners is 'who got a code last; others cannot list it, even when its coupon is gone';
    insert into code_owners (code_hash, owner_id)
      select distinct on (code_hash) code_hash, owner_id
      from coupons join coupon_transfers on coupon_transfers.coupon_id = coupons.id
      where code_hash is not null order by code_hash, coupon_transfers.id desc;

    -- After the row is stored, so that a transfer that it has waited for is seen.
    create function keep_code_owner() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and new.owner_id <> old.owner_id then
        insert into code_owners (code_hash, owner_id) values (new.code_hash, new.owner_id)
          on conflict (code_hash) do update set owner_id = excluded.owner_id;
      elsif new.is_active and new.category not in ('imported', 'scraped') and exists (
          select from code_owners where code_hash = new.code_hash and owner_id <> new.owner_id) then
        raise unique_violation using constraint = 'coupons_code_key', message = 'this code belongs to somebody else';
      end if;
      return null;
    end $$;
    create trigger coupons_keep_code_owner after insert or update of owner_id, code_hash, is_active, category on coupons
      for each row when (new.code_hash is not null) execute function keep_code_owner();

    create table code_forms (
      kind text primary key check (kind in ('coupons', 'offers')),
      form integer not null,
      after_id integer
    );
    comment on table code_forms is 'in which form of merchants and codes the fingerprints are made';
    comment on column code_forms.after_id is 'up to here they are made in this form; null: all are';
    insert into code_forms (kind, form, after_id) values ('coupons', 1, null), ('offers', 1, null)`.execute(
    db,
  );
}
