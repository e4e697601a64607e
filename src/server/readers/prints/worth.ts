import { baseCurrency, type Currency } from '#contract/base/money.ts';
import { amountsIn, currencyOf, readAmount } from '../feeds/amounts.ts';
import { fixedWorth, type Worth } from '../feeds/money.ts';
import { readTitleWorth } from '../feeds/title-worth.ts';
import { confidenceOf, type Fact } from './last-day.ts';
import { goesOn, type PrintedLine } from './lines.ts';

/** A value that is read worse may be another one: 50% looks like 90%. */
const SURE = 88;

/** An S before digits is the sign of a dollar that is not legible. */
const LIKE_DOLLARS = /(?<![\p{L}\d])S(?=\d)/gu;

/** '$25 gift card', 'Carte-cadeau 25 $': an amount that is the value of the coupon itself. */
const CARD = new RegExp(
  [
    'e?-?gift ?cards?|gift certificates?|cartes?[- ]cadeaux?|ch[eè]ques?[- ]cadeaux?|bons? d\\p{P}?achat|vouchers?|store credit|value of',
    'geschenkkarte|gutschein|tarjeta (?:de )?regalo|carta regalo|buono regalo|cadeaukaart|cadeaubon|cart[aã]o[- ]presente|karta podarunkowa',
    '(?<!\\p{L})(?:bon|coupon(?:-rabais)?|crédit) de (?=\\d)',
    // A label in front of the amount.
    '(?<!\\p{L})(?:(?:card |gift |face )?value|amount|balance|valeur|montant|solde|wert|betrag|guthaben|valor|importe|saldo|valore|importo|waarde|bedrag|tegoed|warto[sś][cć]|kwota)\\s?[:：]',
  ].join('|'),
  'iu',
);
/** '1 250,00 $ de crédit voyage' */
const CREDIT = /(?<!\p{L})(?:de|in|of|travel|store) cr[eé]dits?(?!\p{L})/iu;

/** What the value may be the value of: not the whole offer. */
const OTHER_THING =
  /(?<!\p{L})(?:up to|jusqu\p{P}?à|bis zu|hasta|fino a|buy one|bogo|achetez|2nd|second item|cash ?back|points)(?!\p{L})/iu;

const NAMED = /US\$|AU\$|[€£₹]|\b(?:USD|CAD|EUR|GBP|AUD)\b/gu;
const DOLLARS: Readonly<Record<string, Currency>> = { US$: 'USD', AU$: 'AUD' };

/** Whether it names another currency than the market's: the amount was converted. */
const isForeign = (text: string) =>
  (text.match(NAMED) ?? []).some((sign) => (DOLLARS[sign] ?? currencyOf(sign)) !== baseCurrency());

/** The value of a coupon, with the lines that say so. */
export interface PrintedWorth extends Fact<Worth> {
  readonly lines: readonly PrintedLine[];
}

interface FoundWorth extends PrintedWorth {
  readonly height: number;
}

/** All values that the lines state, each with the lines that say so. */
export function printedWorths(lines: readonly PrintedLine[]): FoundWorth[] {
  return lines.flatMap((line, at) => {
    const below = lines.slice(at + 1);
    const isAmount = readAmount(line.text, baseCurrency())?.unit;
    // '1 250,00 $' in large figures may have its words in small letters below.
    const next = isAmount ? below[0] : below.find((each) => goesOn(line, each));
    for (const parts of [[line], ...(next ? [[line, next]] : [])]) {
      const read = worthOf(parts);
      if (read) return [{ ...read, lines: parts, height: line.height }];
    }
    return [];
  });
}

/** The amount or percentage of a printed coupon, of what is printed largest; null if there is none. */
export function readPrintedWorth(lines: readonly PrintedLine[]): PrintedWorth | null {
  const [largest, ...others] = printedWorths(lines).toSorted((a, b) => b.height - a.height);
  if (!largest) return null;
  const isRivalled = others.some(
    ({ value, height }) => height > largest.height * 0.7 && value.value !== largest.value.value,
  );
  const isOther = lines.some(({ text, height }) => OTHER_THING.test(text) && height > largest.height * 0.5);
  return { ...largest, isDoubtful: largest.isDoubtful || isRivalled || isOther };
}

function worthOf(parts: readonly PrintedLine[]): Fact<Worth> | null {
  const given = parts.map(({ text }) => text).join(' ');
  const text = given.replace(LIKE_DOLLARS, '$');
  const value = readTitleWorth(text, baseCurrency()) ?? cardWorth(text);
  if (!value) return null;
  const confidence = Math.min(...parts.map((line) => confidenceOf(line, given)));
  return { value, isDoubtful: text !== given || isForeign(text) || confidence < SURE };
}

function cardWorth(text: string): Worth | null {
  const [amount, another] = amountsIn(text, baseCurrency()).filter(({ unit }) => unit !== null);
  if (!amount || another || !(CARD.test(text) || CREDIT.test(text))) return null;
  const { unit, hundredths } = amount;
  const isMoney = unit !== null && unit !== '%' && unit !== 'other' && hundredths !== null;
  return isMoney ? fixedWorth(hundredths, unit) : null;
}
