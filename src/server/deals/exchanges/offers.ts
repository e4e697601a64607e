import { t } from '@lingui/core/macro';
import { centsToDecimal, decimalToCents } from '#contract/base/money.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { Money, ProposeExchangeInput, ReviseExchangeInput } from '#contract/deals/exchanges.ts';
import { fieldError } from '#server/core/errors.ts';
import type { LockedCoupon } from '#server/coupons/core/reservations.ts';
import { checkOpenToOffers, findOfferable } from '#server/deals/lifecycle/service.ts';
import type { ExchangeRow, LegPlan } from './store.ts';

/** The coupons of one side of a swap, and the input field that named them. */
interface Side {
  readonly ids: readonly number[];
  readonly path: string;
}

type SideName = 'requested' | 'offered';

/** The coupons that an input names for a side; undefined when it names none. */
export function changeOfInput(
  input: Partial<Omit<ProposeExchangeInput | ReviseExchangeInput, 'id' | 'message' | 'money'>> & {
    readonly requestedCouponId?: number | undefined;
  },
  side: SideName,
): Side | undefined {
  const [one, several] = [input[`${side}CouponId`], input[`${side}CouponIds`]];
  if (several !== undefined) return { ids: several, path: `${side}CouponIds` };
  return one === undefined ? undefined : { ids: [one], path: `${side}CouponId` };
}

/** @throws AppError bad_input when the input names no coupon for the side */
export function sideOfInput(input: ProposeExchangeInput, side: SideName): Side {
  const given = changeOfInput(input, side);
  if (!given) throw fieldError('bad_input', `${side}CouponId`, TEXTS.exchanges.chooseCoupon());
  return given;
}

/**
 * Checks the coupons that somebody asks for. All must have one owner.
 * @param only.ownerId the only owner allowed; by default the first coupon's
 * @param only.offeredIds coupons that their owner has offered in this deal, open to offers or not
 * @throws AppError not_found; forbidden, coupon_unavailable or coupon_reserved on the side's field
 */
export function checkRequested(
  coupons: readonly LockedCoupon[],
  { ids, path }: Side,
  actorId: number,
  at: Date,
  { ownerId, offeredIds = [] }: { ownerId?: number; offeredIds?: readonly number[] } = {},
): readonly [LockedCoupon, ...LockedCoupon[]] {
  let only = ownerId;
  const wrongOwner = (id: number) => {
    if (id === actorId) return t`You cannot ask for your own coupon`;
    only ??= id;
    return id === only ? null : t`You can ask only one person at a time`;
  };
  const [first, ...others] = ids.map((id) => findOfferable(coupons, { id, path, at, wrongOwner }));
  if (!first) throw fieldError('bad_input', path, TEXTS.exchanges.chooseCoupon());
  for (const coupon of [first, ...others]) {
    if (!offeredIds.includes(coupon.id)) checkOpenToOffers(coupon, path);
  }
  return [first, ...others];
}

/** @throws AppError not_found; forbidden, coupon_unavailable or coupon_reserved on the side's field */
export function checkOffered(
  coupons: readonly LockedCoupon[],
  { ids, path }: Side,
  actorId: number,
  at: Date,
): void {
  const wrongOwner = (ownerId: number) =>
    ownerId === actorId ? null : t`You can offer only coupons of your own`;
  for (const id of ids) findOfferable(coupons, { id, path, at, wrongOwner });
}

/** What the author gets, then what they give. The payer pays for the first coupon that they get. */
export function swapLegs(
  swap: { requested: readonly number[]; offered: readonly number[]; money: Money | null },
  authorId: number,
  ownerId: number,
): LegPlan[] {
  const { requested, offered, money } = swap;
  const priceFor = (payer: Money['payer'], place: number) =>
    money?.payer === payer && place === 0 ? centsToDecimal(decimalToCents(money.amount)) : null;
  return [
    ...requested.map((couponId, place) => ({
      ...{ couponId, giverId: ownerId, receiverId: authorId },
      price: priceFor('author', place),
    })),
    ...offered.map((couponId, place) => ({
      ...{ couponId, giverId: authorId, receiverId: ownerId },
      price: priceFor('other', place),
    })),
  ];
}

/** The coupons and the money of a swap, as its author sees them. */
export function swapOf({ legs, requesterId }: Pick<ExchangeRow, 'legs' | 'requesterId'>) {
  const priced = legs.find(({ price }) => price !== null);
  const money: Money | null = priced?.price
    ? { payer: priced.receiverId === requesterId ? 'author' : 'other', amount: priced.price.amount }
    : null;
  const idsOf = (isOffered: boolean) =>
    legs.filter(({ giverId }) => (giverId === requesterId) === isOffered).map(({ coupon }) => coupon.id);
  return { requested: idsOf(false), offered: idsOf(true), money };
}

/** Whether two swaps with the same author and the same other person have the same money. */
export function isSameMoney(one: Money | null, other: Money | null): boolean {
  if (one === null || other === null) return one === other;
  return one.payer === other.payer && decimalToCents(one.amount) === decimalToCents(other.amount);
}
