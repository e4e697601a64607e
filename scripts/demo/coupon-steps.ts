import { decimalToCents } from '#contract/base/money.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { centsOf, decimalOf, inMarketCurrency } from './amounts.ts';
import { OFFER_DRAWINGS } from './drawings.ts';
import { uploadDrawing } from './pictures.ts';
import type { PlannedCoupon } from './plan.ts';
import { type DemoState, type DemoStep, lookUp } from './steps.ts';

/** The owner lists a coupon, with its code. */
export function listing(state: DemoState, coupon: PlannedCoupon, present: Date): DemoStep {
  return {
    daysAgo: coupon.listed,
    async run(client) {
      const calls = client.callsOf(lookUp(state.people, coupon.owner));
      const { picture } = coupon.offer;
      const imageUrl = await uploadDrawing(calls, 'offer', picture && OFFER_DRAWINGS[picture]);
      const fields = fieldsOf(coupon, present);
      const { id } = await calls.coupons.create({ ...fields, codeValue: coupon.code, imageUrl });
      state.coupons.set(coupon, id);
    },
  };
}

/** The fields of the form, without the code. */
function fieldsOf({ offer, merchant, expires }: PlannedCoupon, present: Date) {
  return {
    title: inMarketCurrency(offer.title),
    description: inMarketCurrency(offer.description),
    ...worthOf(offer.worth),
    merchant: merchant.name,
    category: merchant.category,
    hasNoExpiry: expires === null,
    expiryDate: expires === null ? null : utcDay(addDays(present, expires)),
    terms: offer.terms === undefined ? null : inMarketCurrency(offer.terms),
    askingPrice: offer.asks === undefined ? null : decimalOf(offer.asks),
    priceFloor: offer.takes === undefined ? null : decimalOf(offer.takes),
  };
}

/** '$12.50' -> 1250 cents; '20%' -> 2000 hundredths of a per cent. */
function worthOf(worth: PlannedCoupon['offer']['worth']) {
  return worth.endsWith('%')
    ? ({ value: decimalToCents(worth.slice(0, -1)), discountType: 'percentage' } as const)
    : ({ value: centsOf(worth), discountType: 'fixed' } as const);
}

/** The owner deletes a coupon. */
export function removal(state: DemoState, coupon: PlannedCoupon, daysAgo: number): DemoStep {
  return {
    daysAgo,
    run: (client) =>
      client
        .callsOf(lookUp(state.people, coupon.owner))
        .coupons.remove({ id: lookUp(state.coupons, coupon) }),
  };
}

/** The owner corrects a coupon's last day. */
export function correction(
  state: DemoState,
  coupon: PlannedCoupon,
  daysAgo: number,
  present: Date,
): DemoStep {
  return {
    daysAgo,
    async run(client) {
      const lastDay = { hasNoExpiry: false, expiryDate: utcDay(addDays(present, 45)) };
      await client
        .callsOf(lookUp(state.people, coupon.owner))
        .coupons.update({ ...fieldsOf(coupon, present), ...lastDay, id: lookUp(state.coupons, coupon) });
    },
  };
}
