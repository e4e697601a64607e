import type { DiscoverCoupon, DiscoverGroup } from '#contract/discover.ts';
import type { GroupedOfferRow, OfferRow } from './store.ts';

/** An offer as members see it: its code is public. Nobody has confirmed it. */
export function toDiscoverCoupon(row: OfferRow): DiscoverCoupon {
  return {
    id: row.id,
    code: row.code,
    title: row.title,
    description: row.description,
    value: row.value,
    discountType: row.discountType,
    expiryDate: row.expiryDate,
    terms: row.terms,
    sourceUrl: row.sourceUrl,
    isVerified: false,
    merchant: row.merchant,
    isImported: row.isImported,
  };
}

/** Rows in the order of their merchants as groups. */
export function toGroups(rows: readonly GroupedOfferRow[]): DiscoverGroup[] {
  const groups = new Map<string, DiscoverGroup>();
  for (const row of rows) {
    const group = groups.get(row.merchantKey) ?? {
      merchant: row.merchantName,
      total: row.offers,
      coupons: [],
    };
    group.coupons.push(toDiscoverCoupon(row));
    groups.set(row.merchantKey, group);
  }
  return [...groups.values()];
}
