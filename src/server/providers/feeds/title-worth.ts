import { PERCENTAGE_MAX } from '#contract/coupon-facts.ts';
import type { Currency } from '#contract/money.ts';
import { currencyOf, dollarOf, fixedWorth, type Worth } from './money.ts';

/** A sign or code of a currency, in the languages of feeds. */
const SIGN =
  'CA\\$|C\\$|US\\$|AU\\$|A\\$|MX\\$|R\\$|\\$|€|£|¥|₹|zł|kr\\.?|CHF|EUR|GBP|USD|CAD|AUD|JPY|INR|CNY|BRL|MXN|ZAR|SEK|DKK|NOK|PLN|euros?';
const DOLLARS: Record<string, string> = {
  ...{ CA$: 'CAD', C$: 'CAD', US$: 'USD', AU$: 'AUD', A$: 'AUD', MX$: 'MXN', R$: 'BRL' },
};
const NUMBER = '\\d+(?:[.,]\\d+)*';
const PERCENT = '(?:%|percent\\b|per cent\\b|prozent\\b|pour ?cent\\b|por ciento\\b|procent\\b)';

const PERCENTAGES = new RegExp(`(?<![\\d.,])(${NUMBER})\\s?${PERCENT}`, 'giu');
const AMOUNTS = new RegExp(
  `(?<![\\p{L}\\d])(${SIGN})\\s?(${NUMBER})|(?<![\\d.,])(${NUMBER})(?:,-|\\.-)?\\s?(${SIGN})(?![\\p{L}\\d])`,
  'giu',
);

/** What makes a number the most, the least, or the value of another thing. */
const DOUBT = new RegExp(
  [
    'up to|upto|as much as|from|starting|between|at least|or more|bis zu|bis|ab|mindestens|mind|zwischen',
    'jusqu.?[àa]|dès|à partir|au moins|entre|hasta|desde|a partir|al menos|fino a[l]?|a partire|da|almeno|tra',
    'tot|vanaf|minstens|tussen|do|od|upp till|från|op til|fra|opp til|até',
    'over|more than|max(?:imum|imal)?|über|mehr als|plus de|más de|oltre|meer dan',
    // The second of two things, a prize, or something other than a lower price.
    'buy one|bogo|second|2nd|zweite[rns]?|deuxième|2e|segund[ao]|second[ao]|tweede|win|gewinne|gagnez|gana|vinci',
    'cash ?back|back|apr|interest|zinsen|intérêts?|points|punkte|credit|refer|more|mehr|extra free',
  ]
    .map((words) => `(?<![\\p{L}\\d])(?:${words})(?![\\p{L}\\d])`)
    .join('|'),
  'iu',
);

/** The end of a range: '10 to 20%'. */
const RANGE = new RegExp(
  `\\d\\s?%?\\s?(?:[-–/]|to|à|a|y|e|or|oder|und|et)\\s?${NUMBER}\\s?(?:${PERCENT}|${SIGN})`,
  'iu',
);

/** Words for less to pay. */
const OFF = [
  'off|discount|rabatt\\p{L}*|nachlass|ermäßigung|reduziert|günstiger|gutschein\\p{L}*|de réduction|de remise|de rabais|réduction|remise',
  'offerts?|de descuento|descuento|dto\\.?|di sconto|sconto|korting|rabat\\p{L}*|zniżki|rabais|voucher|de desconto|desconto',
].join('|');
const SAVE = 'save|spare|sparen(?: sie)?|économisez|ahorra|risparmia|bespaar|minus';

/** "20% auf alles": a share of something that is bought. */
const ON_SOMETHING = new RegExp(`${PERCENT}\\s+(?:on|auf|sur|su|op|en|sobre|på|na)\\s`, 'iu');
const BEFORE_NUMBER = new RegExp(
  `(?<![\\p{L}])(?:${SAVE}|${OFF})(?:\\s?[:=]\\s?|\\s)(?:an\\s)?(?:extra\\s)?$|(?:^|\\s)[-−]$`,
  'iu',
);
const BEHIND_NUMBER = new RegExp(`^\\s?[-–]?\\s?(?:extra\\s)?(?:\\p{L}*rabatt|${OFF})(?![\\p{L}])`, 'iu');

/**
 * The value in a title that has exactly one percentage or one amount, in words that leave no doubt that it is the
 * discount; else null. "Up to 20% off" and "Save on orders over $50" have none.
 * @param fallback the currency of amounts without one, if it is a dollar: the one of `$`
 */
export function readTitleWorth(title: string, fallback: Currency | null): Worth | null {
  const percentages = [...title.matchAll(PERCENTAGES)];
  const amounts = [...title.matchAll(AMOUNTS)];
  if (percentages.length + amounts.length !== 1 || DOUBT.test(title) || RANGE.test(title)) return null;
  const [percentage] = percentages;
  const [match] = percentage ? percentages : amounts;
  if (!match) return null;
  const [before, behind] = [title.slice(0, match.index), title.slice(match.index + match[0].length)];
  const isDiscount = BEFORE_NUMBER.test(before) || BEHIND_NUMBER.test(behind);
  if (percentage) {
    const value = Math.round(decimalOf(percentage[1] ?? '') * 100);
    const isRead = (isDiscount || ON_SOMETHING.test(title)) && value > 0 && value < PERCENTAGE_MAX;
    return isRead ? { value, discountType: 'percentage' } : null;
  }
  if (!isDiscount) return null;
  const sign = (match[1] ?? match[4] ?? '').toUpperCase();
  const currency =
    sign === '$' ? dollarOf(fallback) : currencyOf(DOLLARS[sign] ?? sign.replace(/^EUROS?$/, 'EUR'));
  return currency && fixedWorth(Math.round(decimalOf(match[2] ?? match[3] ?? '') * 100), currency);
}

/** '1.250,50', '1,250.50' and '12,5' as numbers: the last separator before one or two digits is a decimal point. */
function decimalOf(text: string): number {
  const [, units = text, fraction = ''] = /^(.*)[.,](\d{1,2})$/.exec(text) ?? [];
  return Number(`${units.replace(/[.,]/g, '')}.${fraction || '0'}`);
}
