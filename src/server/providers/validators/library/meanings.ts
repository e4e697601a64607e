import { plural } from '@lingui/core/macro';
import { centsToDecimal } from '#contract/money.ts';
import type { ValidationDetails } from '#contract/validation.ts';
import type { Coupon8110, Purchase } from './coupon-8110.ts';

const WHICH = ['first', 'second', 'third'] as const;

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

function describe({ saveValue, saveValueCode, appliesTo, purchases }: Coupon8110): string | null {
  const hasSeveral = purchases.some((purchase, place) => place > 0 && purchase !== null);
  const which = appliesTo !== null && hasSeveral ? ` (on the ${WHICH[Number(appliesTo)]} product)` : '';
  switch (saveValueCode) {
    case '0':
      return saveValue > 0 ? `${money(saveValue)} off${which}` : null;
    case '1':
      return `One item free${saveValue > 0 ? `, worth up to ${money(saveValue)}` : ''}${which}`;
    case '2':
      return saveValue > 0 ? `${items(saveValue)} free${which}` : null;
    case '5':
      return isPercentage(saveValue) ? `${saveValue}% off${which}` : null;
    case '6':
      return saveValue > 0 ? `${money(saveValue)} off the whole basket` : null;
  }
}

function requirementOf({ purchases: [first, second, third], rule }: Coupon8110): string {
  const isAlone = !second && !third;
  const [a, b, c] = [first, second, third].map((purchase, place) =>
    purchase ? purchaseInWords(purchase, isAlone ? null : place) : null,
  );
  const list = (word: string, ...parts: (string | null | undefined)[]) =>
    parts.filter((part) => part != null).join(` ${word} `);
  switch (rule) {
    case '0':
      return `Buy ${list('or', a, b, c)}`;
    case '1':
      return `Buy ${list('and', a, b, c)}`;
    case '2':
      return `Buy ${list('and', a, c ? `either ${list('or', b, c)}` : b)}`;
    case '3':
      return `Buy ${list('or', b, c)}`;
    case null:
      return c ? `Buy ${a}; ${c} may be needed too` : `Buy ${a}`;
  }
}

/** @param place the index among several purchases; null for the only one */
function purchaseInWords({ amount, code }: Purchase, place: number | null): string {
  const product = place === null ? 'qualifying product' : `${WHICH[place]} product`;
  if (amount === 0) return `the ${product}, as the coupon says`;
  switch (code) {
    case '0':
      return `${items(amount)} of the ${product}`;
    case '1':
      return `${money(amount)} worth of the ${product}`;
    case '2':
      return `${money(amount)} worth in all`;
    case '3':
      return `${centsToDecimal(amount)} lb of the ${product}`;
    case '4':
      return `${(amount / 1000).toFixed(3)} kg of the ${product}`;
    case '9':
      return `the ${product}, as the coupon says (the cashier looks)`;
  }
}

const items = (count: number) => plural(count, { one: '# item', other: '# items' });
const money = centsToDecimal;
