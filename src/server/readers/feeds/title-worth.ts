import type { Currency } from '#contract/base/money.ts';
import { PERCENTAGE_MAX } from '#contract/coupons/limits.ts';
import { amountsIn } from './amounts.ts';
import { fixedWorth, type Worth } from './money.ts';

/** What makes a number the most, the least, or the value of another thing. */
const DOUBT = new RegExp(
  [
    'up to|upto|as much as|from|starting|between|at least|or more|bis zu|bis|ab|mindestens|mind|zwischen',
    'jusqu.?[àa]|dès|à partir|au moins|entre|hasta|desde|a partir|al menos|fino a[l]?|a partire|da|almeno|tra',
    'tot|vanaf|minstens|tussen|do|od|upp till|från|op til|fra|opp til|até',
    'over|more than|max(?:imum|imal)?|über|mehr als|plus de|más de|oltre|meer dan',
    // The second of two things, a prize, or something other than a lower price.
    'buy one|bogo|second|2nd|zweite[rns]?|deuxième|2e|segund[ao]|second[ao]|tweede|win|gewinne|gagnez|gana|vinci',
    'cash ?back|back|apr|interest|zinsen|intérêts?|points?|pts|punkte|puntos|punti|punten|credit|refer|more|mehr|extra free',
  ]
    .map((words) => `(?<![\\p{L}\\d])(?:${words})(?![\\p{L}\\d])`)
    .join('|'),
  'iu',
);

/** Words for less to pay. */
const OFF = [
  'off|discount|rabatt\\p{L}*|nachlass|ermäßigung|reduziert|günstiger|gutschein\\p{L}*|de réduction|de remise|de rabais|réduction|remise',
  'offerts?|de descuento|descuento|dto\\.?|di sconto|sconto|korting|rabat\\p{L}*|zniżki|rabais|escompte|moins cher|voucher|de desconto|desconto',
].join('|');
const SAVE = 'save|spare|sparen(?: sie)?|économisez|épargnez|ahorra|risparmia|bespaar|minus';

/** "20% auf alles": a share of something that is bought. */
const ON_SOMETHING = /^\s+(?:on|auf|sur|su|op|en|sobre|på|na)\s/iu;
const BEFORE_NUMBER = new RegExp(
  `(?<![\\p{L}])(?:${SAVE}|${OFF})(?:\\s?[:=]\\s?|\\s)(?:(?:an|de|of|von|di|van)\\s)?(?:extra\\s)?$|(?:^|\\s)[-−]$`,
  'iu',
);
const BEHIND_NUMBER = new RegExp(`^\\s?[-–]?\\s?(?:extra\\s)?(?:\\p{L}*rabatt|${OFF})(?![\\p{L}])`, 'iu');

/**
 * The value in a title that has exactly one percentage or one amount, in words that leave no doubt that it is the
 * discount; else null. "Up to 20% off" and "Save on orders over $50" have none.
 * @param fallback the currency of amounts without one, if it is a dollar: the one of `$`
 */
export function readTitleWorth(title: string, fallback: Currency | null): Worth | null {
  const [amount, another] = amountsIn(title, fallback).filter(({ unit }) => unit !== null);
  if (!amount || another || amount.hundredths === null || DOUBT.test(title)) return null;
  const { start, end, unit, hundredths } = amount;
  const behind = title.slice(end);
  const isDiscount = BEFORE_NUMBER.test(title.slice(0, start)) || BEHIND_NUMBER.test(behind);
  if (unit === '%') {
    const isRead = (isDiscount || ON_SOMETHING.test(behind)) && hundredths > 0 && hundredths < PERCENTAGE_MAX;
    return isRead ? { value: hundredths, discountType: 'percentage' } : null;
  }
  return isDiscount && unit !== null && unit !== 'other' ? fixedWorth(hundredths, unit) : null;
}
