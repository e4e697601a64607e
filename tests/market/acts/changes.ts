import * as fc from 'fast-check';
import { NOTHING, type State } from '../state.ts';
import { couponAt } from './act.ts';
import type { Offer } from './terms.ts';

/** How offers of swaps change, and what they may ask for. */

/** Whether a deposit is asked for together with money, or is more than one side is worth. */
export function isTooMuch(
  state: State,
  { requested = [], offered = [], prices = [], deposit = null }: Partial<Offer>,
): boolean {
  if (deposit === null) return false;
  const worth = (ids: readonly number[]) =>
    ids.reduce((sum, id) => sum + (couponAt(state, id)?.value ?? 0), 0);
  return prices.length > 0 || [requested, offered].some((ids) => worth(ids) < deposit);
}

/** How one side of an offer is to change, and by which of the other coupons of its owner. */
export const changeChoice = fc.record({
  how: fc.constantFrom('same' as const, 'another' as const, 'more' as const, 'fewer' as const),
  nth: fc.nat(30),
});

export function change(
  state: State,
  side: readonly number[],
  { how, nth }: typeof changeChoice extends fc.Arbitrary<infer Choice> ? Choice : never,
): readonly number[] {
  if (how === 'same') return side;
  if (how === 'fewer') return side.length > 1 ? side.slice(1) : side;
  const owner = state.coupons.get(side[0] ?? NOTHING)?.owner;
  const others = [...state.coupons].flatMap(([id, coupon]) =>
    coupon.owner === owner && coupon.isListed && !side.includes(id) ? [id] : [],
  );
  const other = others[nth % Math.max(1, others.length)];
  if (other === undefined) return side;
  return how === 'more' ? [...side, other] : [other];
}
