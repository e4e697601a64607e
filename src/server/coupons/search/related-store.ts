import { type RawBuilder, sql } from 'kysely';
import { PERSONAL_CATEGORIES, type StoredCategory } from '#contract/coupons/choices.ts';
import { ENDS_AT } from '#server/coupons/core/coupon-filter-sql.ts';
import type { Database } from '#server/database/client.ts';

/** What related coupons are found by. */
interface Origin {
  readonly id: number;
  readonly ownerId: number;
  readonly category: StoredCategory;
  readonly now: Date;
  /** The people whose coupons are left out. */
  readonly blockedIds: readonly number[];
}

export interface RelatedIds {
  readonly ofMerchant: number[];
  readonly ofOwner: number[];
  readonly ofCategory: number[];
}

/** The newest free coupons of the same merchant, of the same owner, and in the same category, up to `limit` each. */
export async function findRelated(db: Database, origin: Origin, limit: number): Promise<RelatedIds> {
  const { id, ownerId, category, now, blockedIds } = origin;
  const newest = (condition: RawBuilder<boolean>) => sql<number[]>`array(
    select id from coupons
    where is_active and ${condition} and id <> ${id} and ${ENDS_AT} >= ${now}
      and not exists (select from coupon_reservations as taken where taken.coupon_id = coupons.id)
      and owner_id <> all(${[...blockedIds]}::integer[]) and category <> all(${[...PERSONAL_CATEGORIES]}::text[])
    order by created_at desc, id desc limit ${sql.lit(limit)})`;
  const { rows } = await sql<RelatedIds>`
    select ${newest(sql`merchant_text = (select merchant_text from coupons where id = ${id})`)} as of_merchant,
      ${newest(sql`owner_id = ${ownerId}`)} as of_owner,
      ${newest(sql`category = ${category}`)} as of_category`.execute(db);
  return rows[0] ?? { ofMerchant: [], ofOwner: [], ofCategory: [] };
}
