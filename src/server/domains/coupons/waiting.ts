import { notFound } from '#server/core/errors.ts';
import type { Trx } from '#server/database/client.ts';
import type { MemberContext } from '../context.ts';
import { deleteCoupon } from './owner-effects.ts';
import { lockCoupons } from './reservations.ts';
import * as store from './waiting-store.ts';

/** Coupons that wait for a moderator, because codes of their merchants were being guessed when they were listed. */

/** How many a moderator sees at a time. */
const SHOWN = 100;

type WaitingRow = Awaited<ReturnType<typeof store.listWaiting>>[number];

/** Those that wait for this moderator, the oldest first. */
export function listWaiting(ctx: MemberContext): Promise<WaitingRow[]> {
  return store.listWaiting(ctx.db, { moderatorId: ctx.actor.id, now: ctx.clock(), limit: SHOWN });
}

/** A coupon that does not wait any more. */
export interface Decided {
  readonly id: number;
  readonly ownerId: number;
  readonly title: string;
}

/**
 * Lists a waiting coupon.
 * @throws AppError not_found if it does not wait; a unique violation of coupons_code_key if its code is listed already
 */
export async function listWaited(trx: Trx, ctx: MemberContext, id: number): Promise<Decided> {
  const coupon = await lockWaiting(trx, ctx, id);
  await store.endWaiting(trx, { id, at: ctx.clock() });
  return coupon;
}

/** Removes a waiting coupon. @throws AppError not_found if it does not wait */
export async function removeWaited(trx: Trx, ctx: MemberContext, id: number): Promise<Decided> {
  const coupon = await lockWaiting(trx, ctx, id);
  await deleteCoupon(trx, ctx, id);
  return coupon;
}

async function lockWaiting(trx: Trx, ctx: MemberContext, id: number): Promise<Decided> {
  await lockCoupons(trx, [id]);
  const coupon = await store.findWaiting(trx, { id, moderatorId: ctx.actor.id, now: ctx.clock() });
  if (!coupon) throw notFound('Coupon');
  return coupon;
}
