import { type Kysely, sql } from 'kysely';

/** What the sitemap asks: the last change in each part of 50,000 ids, at a few rows a part however many coupons. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index coupons_sitemap on coupons (((id - 1) / 50000), updated_at) where is_active`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index coupons_sitemap`.execute(db);
}
