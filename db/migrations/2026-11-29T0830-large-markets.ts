import { type Kysely, sql } from 'kysely';

/** What a market of a million coupons needs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The sitemap wants the last change in each part of 25,000 ids: SITEMAP_MAX_URLS, as a test sees.
    drop index coupons_sitemap;
    create index coupons_sitemap on coupons (((id - 1) / 25000), updated_at) where is_active;

    -- A root copies its chains from the table itself, which keeps them, and is stored with them in one transaction:
    -- a million checks would take longer than a statement may.
    alter table proof_root_chains
      drop constraint proof_root_chains_chain_id_fkey, drop constraint proof_root_chains_day_fkey`.execute(
    db,
  );
}
