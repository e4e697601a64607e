import type { Coupon, RelatedCoupons } from '#contract/coupons/coupons.ts';
import type { Context } from '#server/context/context.ts';
import { couponById, couponsByIds } from '#server/coupons/core/finding.ts';
import { blockedIdsOf } from '#server/people/blocks/service.ts';
import { findRelated } from './related-store.ts';

/** How many coupons a row has. */
const ROW = 4;

/**
 * Other free coupons that fit this one. Each stands in the first row that it belongs to.
 * @throws AppError not_found
 */
export async function relatedCoupons(ctx: Context, id: number): Promise<RelatedCoupons> {
  const { ownerId, category } = await couponById(ctx, id);
  const blockedIds = ctx.actor ? await blockedIdsOf(ctx.db, ctx.actor.id) : [];
  // Each row may lose as many as the rows before it show.
  const ids = await findRelated(ctx.db, { id, ownerId, category, now: ctx.clock(), blockedIds }, 3 * ROW);
  const shown = new Set<number>();
  const rowOf = (found: readonly number[]) => {
    const row = found.filter((other) => !shown.has(other)).slice(0, ROW);
    for (const other of row) shown.add(other);
    return row;
  };
  const [ofMerchant, ofOwner, ofCategory] = [ids.ofMerchant, ids.ofOwner, ids.ofCategory].map(rowOf);
  const byId = new Map((await couponsByIds(ctx, [...shown])).map((coupon) => [coupon.id, coupon]));
  const coupons = (row: readonly number[] = []): Coupon[] => row.flatMap((other) => byId.get(other) ?? []);
  return {
    ofMerchant: coupons(ofMerchant),
    ofOwner: coupons(ofOwner),
    ofCategory: coupons(ofCategory),
  };
}
