import { CURRENCIES, type Currency } from '#contract/base/money.ts';

/** What a number counts: a part of a hundred, a currency with a rate, or one that has no rate or is not known. */
type Unit = '%' | Currency | 'other';

/** A number of a text, with its unit in front or behind. */
export interface Amount {
  /** Where it begins and ends, with its unit. */
  readonly start: number;
  readonly end: number;
  /** Null where the text names none. */
  readonly unit: Unit | null;
  /** In hundredths of the unit; null where nobody can tell the number: '1.2.3', '2 x 500'. */
  readonly hundredths: number | null;
}

/** Signs in front of or behind a number. `$` and `¥` belong to several currencies. */
const SIGNS: Record<string, Unit | '$'> = {
  ...{ '%': '%', '％': '%', '٪': '%', $: '$', '＄': '$', '€': 'EUR', '£': 'GBP', '₹': 'INR' },
  ...{ CA$: 'CAD', C$: 'CAD', CAD$: 'CAD', $CA: 'CAD', '$ CA': 'CAD', $CAD: 'CAD', '$ CAD': 'CAD' },
  ...{ US$: 'USD', USD$: 'USD', $US: 'USD', '$ US': 'USD', $USD: 'USD', '$ USD': 'USD' },
  ...{ AU$: 'AUD', A$: 'AUD', $AU: 'AUD', $AUD: 'AUD', MX$: 'MXN', $MX: 'MXN', R$: 'BRL' },
  // "20 $ AU" may be French for "$20 at the".
  ...{ '$ AU': 'other', '$ MX': 'MXN', NZ$: 'other', HK$: 'other', S$: 'other', NT$: 'other' },
  ...{ '$ NZ': 'other', '$ HK': 'other', '$ SG': 'other', '$ TW': 'other', Bds$: 'other' },
  ...{ 'JP¥': 'JPY', 'CN¥': 'CNY', '¥': 'other', '￥': 'other', '₺': 'other', '₽': 'other', '₩': 'other' },
  ...{ '₪': 'other', '₫': 'other', '฿': 'other', '₴': 'other', '₱': 'other', '₦': 'other' },
};

/** Words for units, in capitals, small letters, or with one capital. */
const WORDS: Record<string, Unit> = {
  ...Object.fromEntries(CURRENCIES.map((currency) => [currency, currency])),
  ...{ euro: 'EUR', euros: 'EUR', zł: 'other', kč: 'other', kr: 'other', 'kr.': 'other' },
  ...Object.fromEntries(
    'CHF SEK DKK NOK PLN CZK HUF NZD HKD SGD ILS KRW THB AED SAR RUB UAH BGN'
      .split(' ')
      .map((code) => [code, 'other'] as const),
  ),
  ...Object.fromEntries(
    ['percent', 'per cent', 'prozent', 'pour cent', 'pourcent', 'por ciento', 'por cento', 'procent']
      .concat('per cento')
      .map((word) => [word, '%'] as const),
  ),
};

const UNITS = new Map<string, Unit | '$'>([
  ...Object.entries(SIGNS),
  ...Object.entries(WORDS).flatMap(([word, unit]) =>
    [
      word.toLowerCase(),
      word.toUpperCase(),
      `${word.slice(0, 1).toUpperCase()}${word.slice(1).toLowerCase()}`,
    ].map((form) => [form, unit] as const),
  ),
]);

/** The longest unit first: none is read as the beginning of another one. */
const UNIT = [...UNITS.keys()]
  .toSorted((a, b) => b.length - a.length)
  .map((unit) => unit.replace(/[$.]/g, '\\$&').replaceAll(' ', '\\s'))
  .join('|');

/** Digits, and what may group them: one sign between two digits. Digits of other scripts are seen, and not read. */
const DIGITS = /\p{Nd}+(?:[ \u00a0\u202f\u2009'’.,٫٬]\p{Nd}+)*/gu;
/** '20,- €' */
const NO_CENTS = /^[.,][-–—]{1,2}/u;
const FRONT = new RegExp(`(?<![\\p{L}\\p{Nd}])(${UNIT})\\s?$`, 'u');
const BEHIND = new RegExp(`^\\s?(${UNIT})(?:(?<!\\p{L}\\.?)|(?![\\p{L}\\p{Nd}]))`, 'u');
/** How far units and neighbours are looked for, in characters. */
const WITHIN = 16;

/** The number in front is one of several, or a factor: '10 to 20%', '2 x 500 $', '3 for $10'. */
const BEHIND_ANOTHER =
  /\p{Nd}\s?[%$€£]?\s?(?:[-–—/x×*&+~]|to|à|a|y|e|or|oder|und|et|ou|o|for|pour|für|por|bis|\s)\s?$/iu;
/** The same of the number behind; 'at least', thousands and millions. */
const BEFORE_ANOTHER =
  /^(?:\s?[%$€£]?\s?(?:[-–—/x×*~]\s?[$€£]?\s?\p{Nd}|(?:to|à|or|oder|ou|bis)\s[$€£]?\s?\p{Nd}|\+)|\s?(?:k|m|mio|mrd|millions?|thousand|mille|mil|tausend|tys|lakh|crore)(?!\p{L}))/iu;
/** No number begins behind these: 'A20', '1:20', '...50'. A point may begin one: '.50'. */
const BROKEN_START = /[\p{L}\p{M}\p{Nd}_][.,]?$|\p{Nd}:$|[.,:]{2}$|,$/u;

/** A currency whose own sign is `$`; null for any other. */
function dollarOf(currency: Currency | null): Currency | null {
  return currency && ['CAD', 'USD', 'AUD', 'MXN'].includes(currency) ? currency : null;
}

/** The currency of a sign or an ISO code; null if we have no rate for it. */
export function currencyOf(text: string): Currency | null {
  const unit = UNITS.get(text.trim());
  return CURRENCIES.find((currency) => currency === unit) ?? null;
}

/**
 * The numbers of a text, in their order. A number is read whole or not at all: digits that a blank divides are one
 * number, and what can be read in two ways has no value.
 * @param fallback the currency of amounts without one; the one of `$`, if it is a dollar
 */
export function amountsIn(text: string, fallback: Currency | null): Amount[] {
  const amounts: Amount[] = [];
  for (const { 0: digits, index } of text.matchAll(DIGITS)) {
    const taken = amounts.at(-1)?.end ?? 0;
    const before = text.slice(Math.max(taken, index - WITHIN), index);
    const point = /(?<![\p{L}\p{Nd}.,:])\.$/u.exec(before)?.[0] ?? '';
    const lead = before.slice(0, before.length - point.length);
    const digitsEnd = index + digits.length;
    const cents = NO_CENTS.exec(text.slice(digitsEnd, digitsEnd + 3))?.[0] ?? '';
    const numberEnd = digitsEnd + cents.length;
    const behind = text.slice(numberEnd, numberEnd + WITHIN);
    const [frontText = '', front] = FRONT.exec(lead) ?? [];
    const [behindText = '', named] = BEHIND.exec(behind) ?? [];
    // In '10 $20' the sign belongs to the second number.
    const isNext = behindText !== '' && /^\p{Nd}/u.test(behind.slice(behindText.length));
    const [sign, behindSign] = [UNITS.get(front ?? ''), isNext ? undefined : UNITS.get(named ?? '')];
    const unit = unitOf(sign, behindSign, fallback);
    const end = numberEnd + (behindSign ? behindText.length : 0);
    const around = {
      before: text.slice(Math.max(0, index - WITHIN), index - point.length - frontText.length),
      after: text.slice(end, end + WITHIN),
    };
    const isAlone =
      !(front === undefined && BROKEN_START.test(lead)) &&
      !BEHIND_ANOTHER.test(around.before) &&
      !BEFORE_ANOTHER.test(text.slice(numberEnd, numberEnd + WITHIN)) &&
      !BEFORE_ANOTHER.test(around.after) &&
      !(unit !== '%' && behindSign && /^\s?\p{Nd}/u.test(around.after)) &&
      !(behindSign === undefined && /^(?!off)[\p{L}\p{M}_]/iu.test(around.after)) &&
      // '$5 200 points' may be two numbers.
      !(sign && / \d{3}$/.test(digits) && /^\s\p{L}/u.test(around.after));
    amounts.push({
      start: index - point.length - frontText.length,
      end,
      unit,
      hundredths: isAlone
        ? hundredthsOf(point + digits, unit ?? fallback, isAttached(front, frontText))
        : null,
    });
  }
  return amounts;
}

/** The amount that a text consists of, with or without a currency; null if it says anything else. */
export function readAmount(text: string, fallback: Currency | null): Amount | null {
  const [amount, another] = amountsIn(text, fallback);
  return amount && !another && amount.start === 0 && amount.end === text.length ? amount : null;
}

function unitOf(
  front: Unit | '$' | undefined,
  behind: Unit | '$' | undefined,
  fallback: Currency | null,
): Unit | null {
  if (front === undefined && behind === undefined) return null;
  const known = [front, behind].filter((unit) => unit !== undefined && unit !== '$') as Unit[];
  const [unit] = known;
  // '$5 USD' says once more which dollar it is.
  if (front === '$' || behind === '$') {
    if (unit === undefined) return dollarOf(fallback) ?? 'other';
    return unit !== '%' && unit !== 'other' && dollarOf(unit) ? unit : 'other';
  }
  return known.every((each) => each === unit) ? (unit ?? null) : 'other';
}

const isAttached = (sign: string | undefined, text: string) => sign !== undefined && text === sign;

const PLAIN = /^\d{1,9}$/;
/** '1 234 567', "1'234'567"; groups of two as in India: '12,34,567'. */
const GROUPED = /^(?:[1-9]\d{0,2}(?:([ '.,])\d{3})(?:\1\d{3}){0,2}|[1-9]\d?(?:,\d\d){1,2},\d{3})$/;
/**
 * A number in hundredths; null for what is none or can be read in two ways: '1,500' may be one and a half.
 * @param isSignFirst '$1,500': who writes the sign right in front groups by commas
 */
function hundredthsOf(digits: string, unit: Unit | null, isSignFirst: boolean): number | null {
  const text = digits.replace(/[\u00a0\u202f\u2009]/g, ' ').replaceAll('’', "'");
  if (text.length > 24) return null;
  const whole = wholeOf(text);
  if (whole === null || !/^\d+[.,]\d{3}$/.test(text)) return whole ?? decimalOf(text);
  // A hundred per cent are all there are, and a yen has no cents.
  if (unit === '%') return decimalOf(text);
  return unit === 'JPY' || (isSignFirst && text.includes(',')) ? whole : null;
}

function wholeOf(text: string): number | null {
  return PLAIN.test(text) || GROUPED.test(text) ? Number(text.replace(/[ '.,]/g, '')) * 100 : null;
}

function decimalOf(text: string): number | null {
  const [, units = '', sign = '', fraction = ''] = /^(.*)([.,])(\d+)$/.exec(text) ?? [];
  const isDecimal = sign !== '' && !units.includes(sign) && (units === '' || wholeOf(units) !== null);
  if (!isDecimal) return null;
  const exact = Number(`${units.replace(/[ '.,]/g, '')}.${fraction}`) * 100;
  const hundredths = Math.round(exact);
  // 10.100000000000001 is what a binary fraction makes of 10.10.
  return Math.abs(exact - hundredths) < 1e-6 ? hundredths : null;
}

/** A part of one in hundredths of a per cent, as spreadsheets store 20 %: '0.2'; null for another text. */
export function readShare(text: string): number | null {
  const [, digits] = /^0?[.,](\d{1,20})$/.exec(text) ?? [];
  if (digits === undefined) return null;
  const exact = Number(`0.${digits}`) * 10_000;
  return Math.abs(exact - Math.round(exact)) < 1e-6 ? Math.round(exact) : null;
}
