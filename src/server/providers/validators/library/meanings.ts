import { plural, t } from '@lingui/core/macro';
import { formatDecimal } from '#contract/base/money.ts';
import type { ValidationDetails } from '#contract/coupons/validation.ts';
import type { Coupon8110, Purchase } from './coupon-8110.ts';

/**
 * Describes what an 8110 coupon offers and requires. The texts contain no number that identifies it (maker, offer,
 * product family, serial), so that people who may not see the code may read them. They name no currency.
 */
export function meaningOf(
  coupon: Coupon8110,
): Pick<ValidationDetails, 'value' | 'discountType' | 'description' | 'requirement'> {
  return { ...worthOf(coupon), description: describe(coupon), requirement: requirementOf(coupon) };
}

/** Only an amount or a percentage has a value; that of a free item depends on the shop's price. */
function worthOf({
  saveValue,
  saveValueCode,
}: Coupon8110): Pick<ValidationDetails, 'value' | 'discountType'> {
  if (saveValueCode === '5' && isPercentage(saveValue)) {
    return { value: saveValue * 100, discountType: 'percentage' };
  }
  if ((saveValueCode === '0' || saveValueCode === '6') && saveValue > 0) {
    return { value: saveValue, discountType: 'fixed' };
  }
  return { value: null, discountType: null };
}

const isPercentage = (value: number) => value >= 1 && value <= 100;

function describe(coupon: Coupon8110): string | null {
  const { appliesTo, purchases } = coupon;
  const saving = savingOf(coupon);
  const hasSeveral = purchases.some((purchase, place) => place > 0 && purchase !== null);
  if (saving === null || appliesTo === null || !hasSeveral || coupon.saveValueCode === '6') return saving;
  if (appliesTo === '0') return t`${saving} (on the first product)`;
  return appliesTo === '1' ? t`${saving} (on the second product)` : t`${saving} (on the third product)`;
}

function savingOf({ saveValue, saveValueCode }: Coupon8110): string | null {
  switch (saveValueCode) {
    case '0':
      return saveValue > 0 ? t`${money(saveValue)} off` : null;
    case '1':
      return saveValue > 0 ? t`One item free, worth up to ${money(saveValue)}` : t`One item free`;
    case '2':
      return saveValue > 0 ? plural(saveValue, { one: '# item free', other: '# items free' }) : null;
    case '5':
      return isPercentage(saveValue) ? t`${saveValue}% off` : null;
    case '6':
      return saveValue > 0 ? t`${money(saveValue)} off the whole basket` : null;
  }
}

function requirementOf({ purchases: [first, second, third], rule }: Coupon8110): string {
  const isAlone = !second && !third;
  const [a = '', b = '', c = ''] = [first, second, third].map((purchase, place) =>
    purchase ? purchaseInWords(purchase, isAlone ? null : place) : '',
  );
  switch (rule) {
    case '0':
      return t`Buy ${anyOf(a, b, c)}`;
    case '1':
      return t`Buy ${allOf(a, b, c)}`;
    case '2':
      return c === '' ? t`Buy ${allOf(a, b)}` : t`Buy ${a} and either ${anyOf(b, c)}`;
    case '3':
      return t`Buy ${anyOf(b, c)}`;
    case null:
      return c === '' ? t`Buy ${a}` : t`Buy ${a}; ${c} may be needed too`;
  }
}

/** 'A or B or C'. */
function anyOf(...purchases: readonly string[]): string {
  return purchases.filter(Boolean).reduce((one, other) => t`${one} or ${other}`);
}

/** 'A and B and C'. */
function allOf(...purchases: readonly string[]): string {
  return purchases.filter(Boolean).reduce((one, other) => t`${one} and ${other}`);
}

/** @param place the index among several purchases; null for the only one */
function purchaseInWords({ amount, code }: Purchase, place: number | null): string {
  const product = productAt(place);
  if (amount === 0) return t`the ${product}, as the coupon says`;
  switch (code) {
    case '0':
      return plural(amount, { one: `# item of the ${product}`, other: `# items of the ${product}` });
    case '1':
      return t`${money(amount)} worth of the ${product}`;
    case '2':
      return t`${money(amount)} worth in all`;
    case '3':
      return t`${formatDecimal(amount)} lb of the ${product}`;
    case '4':
      return t`${formatDecimal(amount, 3)} kg of the ${product}`;
    case '9':
      return t`the ${product}, as the coupon says (the cashier looks)`;
  }
}

function productAt(place: number | null): string {
  if (place === null) return t`qualifying product`;
  return place === 0 ? t`first product` : place === 1 ? t`second product` : t`third product`;
}

const money = (cents: number) => formatDecimal(cents);
