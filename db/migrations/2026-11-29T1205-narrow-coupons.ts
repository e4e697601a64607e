import { type Kysely, sql } from 'kysely';

/** What writing a coupon costs in a market of a million. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A text of twenty words has some hundred trigrams: nine tenths of what a listed coupon wrote. New ones wait in a list of at
    -- most 128 kB, which each search reads, too, and go into the index together.
    alter index coupons_search set (fastupdate = on, gin_pending_list_limit = 128);
    alter index coupons_merchant set (fastupdate = on, gin_pending_list_limit = 64);

    -- All that is asked of one person's coupons, listed ones apart from the others; with what counts them without their rows.
    create index coupons_owner on coupons (owner_id, is_active, created_at desc, id desc) include (deleted_at);
    drop index coupons_owner_newest, coupons_owner_listed;
    -- Searches walk the newest coupons where enough of them were checked lately, else they sort those of coupons_checked.
    drop index coupons_checked_newest;

    comment on column coupons.health is
      'how likely the code is to work, of 100, in steps of five for lists; null: nothing is known of it'`.execute(
    db,
  );
}
