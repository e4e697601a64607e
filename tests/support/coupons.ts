import { type Coupon, createCouponInputSchema } from '#contract/coupons/coupons.ts';
import type { Actor } from '#server/context/context.ts';
import { revealCode } from '#server/coupons/codes/reveals.ts';
import { createCoupon } from '#server/coupons/publishing/service.ts';
import { actingAs, type TestContext } from './builders.ts';

let counter = 0;

/** The input for listing a coupon, with a code that is not listed. */
export function anOffer() {
  counter += 1;
  return {
    title: 'Two coffees for one',
    description: 'Valid at every branch, weekdays only.',
    value: 450,
    merchant: 'Corner Coffee',
    category: 'food' as const,
    expiryDate: '2035-12-31',
    codeValue: `LATTE-${counter}-KQZ-SECRET` as string | null,
  };
}

/** Lists a coupon through the service; fields that are not given are those of `anOffer`. */
export function listCoupon(
  ctx: TestContext,
  owner: Actor,
  fields: Record<string, unknown> = {},
): Promise<Coupon> {
  return createCoupon(actingAs(ctx, owner), createCouponInputSchema.parse({ ...anOffer(), ...fields }));
}

/** The whole code, as revealed to its owner. */
export async function codeOf(ctx: TestContext, owner: Actor, id: number): Promise<string | null> {
  return (await revealCode(actingAs(ctx, owner), id)).codeValue;
}

/** A person's history with coupons, oldest first. */
export function couponHistoryOf(ctx: TestContext, { id }: Actor) {
  return ctx.db
    .selectFrom('transactionLogs')
    .select(['action', 'details', 'actorId', 'couponId'])
    .where('userId', '=', id)
    .orderBy('id')
    .execute();
}
