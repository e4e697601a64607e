import { t } from '@lingui/core/macro';
import type { Coupon } from '#contract/coupons/coupons.ts';
import type { Context } from '#server/context/context.ts';
import { notFound } from '#server/core/errors.ts';
import type { Trx } from '#server/database/client.ts';
import { isPersonal } from './rules.ts';
import * as store from './store.ts';
import { toCoupon } from './view.ts';

/** A row as the caller may see it. */
export function present(ctx: Context, row: store.CouponRow): Coupon {
  return toCoupon(row, ctx.actor?.id ?? null, ctx);
}

/** These coupons in the same order, without those that are deleted or hidden. */
export async function couponsByIds(ctx: Context, ids: readonly number[]): Promise<Coupon[]> {
  const rows = await store.findCoupons(ctx.db, ids, ctx.actor?.id ?? null);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [present(ctx, row)] : [];
  });
}

/**
 * One coupon, live or expired. An imported public code is visible only to its owner. The parts of a page ask for it once.
 * @throws AppError not_found, also for deleted coupons
 */
export function couponById(ctx: Context, id: number): Promise<Coupon> {
  const found = ctx.coupons?.get(id) ?? visibleCoupon(ctx, id);
  ctx.coupons?.set(id, found);
  return found;
}

async function visibleCoupon(ctx: Context, id: number): Promise<Coupon> {
  const row = await findCoupon(ctx, ctx.db, id);
  if (isPersonal(row.category) && row.ownerId !== ctx.actor?.id) throw notFound(t`Coupon not found`);
  return present(ctx, row);
}

/** A coupon's row for the caller. @throws AppError not_found */
export async function findCoupon(
  ctx: Context,
  db: Context['db'] | Trx,
  id: number,
): Promise<store.CouponRow> {
  const row = await store.findCoupon(db, id, ctx.actor?.id ?? null);
  if (!row) throw notFound(t`Coupon not found`);
  return row;
}
