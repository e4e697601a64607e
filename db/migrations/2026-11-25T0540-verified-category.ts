import { type Kysely, sql } from 'kysely';

/** Only coupons that are verified stand in the category of verified ones, whatever is asked for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function leave_verified_category() returns trigger language plpgsql as $$
    begin
      new.category := 'other';
      return new;
    end $$;
    create trigger coupons_verified_category before insert or update of category, is_verified on coupons
      for each row when (new.category = 'verified' and not new.is_verified)
      execute function leave_verified_category();
    update coupons set category = 'other' where category = 'verified' and not is_verified;
    alter table coupons add constraint coupons_verified_category check (category <> 'verified' or is_verified)`.execute(
    db,
  );
}
