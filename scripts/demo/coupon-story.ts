import { decimalToCents } from '#contract/money.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { type Act, type Cast, made } from './cast.ts';
import type { PlannedCoupon } from './plan.ts';

/** The owner lists a coupon, with its code. */
export function listing(cast: Cast, coupon: PlannedCoupon, present: Date): Act {
  return {
    daysAgo: coupon.listed,
    async perform(stage) {
      const calls = stage.callsOf(made(cast.people, coupon.owner));
      const { id } = await calls.coupons.create({ ...fieldsOf(coupon, present), codeValue: coupon.code });
      cast.coupons.set(coupon, id);
    },
  };
}

/** What the owner fills in, apart from the code. */
function fieldsOf({ offer, merchant, expires }: PlannedCoupon, present: Date) {
  return {
    title: offer.title,
    description: offer.description,
    ...worthOf(offer.worth),
    merchant: merchant.name,
    category: merchant.category,
    hasNoExpiry: expires === null,
    expiryDate: expires === null ? null : utcDay(addDays(present, expires)),
    terms: offer.terms ?? null,
  };
}

/** '$12.50' -> 1250 cents; '20%' -> 2000 hundredths of a per cent. */
function worthOf(worth: PlannedCoupon['offer']['worth']) {
  return worth.endsWith('%')
    ? ({ value: decimalToCents(worth.slice(0, -1)), discountType: 'percentage' } as const)
    : ({ value: decimalToCents(worth.slice(1)), discountType: 'fixed' } as const);
}

/** The owner takes a coupon away. */
export function removal(cast: Cast, coupon: PlannedCoupon, daysAgo: number): Act {
  return {
    daysAgo,
    perform: (stage) =>
      stage.callsOf(made(cast.people, coupon.owner)).coupons.remove({ id: made(cast.coupons, coupon) }),
  };
}

/** The owner corrects a coupon's last day. */
export function correction(cast: Cast, coupon: PlannedCoupon, daysAgo: number, present: Date): Act {
  return {
    daysAgo,
    async perform(stage) {
      const lastDay = { hasNoExpiry: false, expiryDate: utcDay(addDays(present, 45)) };
      await stage
        .callsOf(made(cast.people, coupon.owner))
        .coupons.update({ ...fieldsOf(coupon, present), ...lastDay, id: made(cast.coupons, coupon) });
    },
  };
}
