import { t } from '@lingui/core/macro';
import { currencyName } from '#contract/base/base-currency.ts';
import { visibleCode } from '#contract/base/invisible.ts';
import { baseCurrency, centsToDecimal, formatDecimal } from '#contract/base/money.ts';
import { quote } from '#contract/base/words.ts';
import { CATEGORIES } from '#contract/coupons/choices.ts';
import type { TableCoupon, TableRow } from '#contract/coupons/coupon-tables.ts';
import { CODE_MAX, DESCRIPTION_MAX, MERCHANT_MAX, TERMS_MAX, TITLE_MAX } from '#contract/coupons/limits.ts';
import { currencyOf, readAmount, readShare } from '../feeds/amounts.ts';
import { readCode } from '../feeds/codes.ts';
import { type DateOrder, mayBeginWithYear, ordersOf, readDate, readMonthEnd } from '../feeds/dates.ts';
import { readWorth, type Worth } from '../feeds/money.ts';
import { monthOf } from '../feeds/month-names.ts';
import { isNoCode } from '../feeds/no-code.ts';
import { readRegions } from '../feeds/regions.ts';
import { plainCode, plainText, shortened } from '../feeds/text.ts';
import { readTitleWorth } from '../feeds/title-worth.ts';
import type { Column } from './column-names.ts';
import type { Cell } from './lines.ts';

/** What one cell or several say, and why a person should look at it. */
interface Reading<Fields extends keyof TableCoupon> {
  readonly fields: Pick<TableCoupon, Fields>;
  readonly doubt?: string;
}

/** The texts of a row by column; '' where there is none. */
type TextOf = (column: Column) => string;

/** What a cell says of a day. */
export const dayTextOf = ({ day, text }: Cell): string => day ?? text;

export interface Reader {
  /** Of dates of numbers. */
  readonly order: DateOrder;
  /** Whether no other date decides it. */
  readonly isOrderGuessed: boolean;
}

/** A row as a coupon. What cannot be read stays as it is written, with a doubt. */
export function readTableRow(line: number, cellOf: (column: Column) => Cell, reader: Reader): TableRow {
  const textOf: TextOf = (column) => cellOf(column).text;
  const worth = worthOf(textOf);
  const expiry = expiryOf(dayTextOf(cellOf('end')), reader);
  const category = categoryOf(textOf('category'));
  const { code, pin } = codeAndPin(cellOf('code'), cellOf('pin'));
  const doubtOf = (...columns: Column[]) =>
    columns.map((column) => shownDoubt(cellOf(column), column)).find(Boolean);
  const price = priceOf(textOf('askingPrice'));
  const plain = (column: Column) => plainText(textOf(column));
  return {
    line,
    coupon: {
      title: shortened(plain('title'), TITLE_MAX),
      merchant: shortened(plain('merchant'), MERCHANT_MAX),
      description: shortened(plain('description'), DESCRIPTION_MAX),
      terms: shortened(plain('terms'), TERMS_MAX),
      regions: readRegions(plain('regions')),
      ...worth.fields,
      ...expiry.fields,
      ...category.fields,
      ...code.fields,
      ...pin.fields,
      ...price.fields,
    },
    doubts: doubtsOf({
      merchant: doubtOf('merchant'),
      title: doubtOf('title'),
      value: worth.doubt ?? doubtOf('percentOff', 'amountOff', 'discount'),
      expiryDate: expiry.doubt ?? doubtOf('end'),
      category: category.doubt,
      code: code.doubt ?? doubtOf('code'),
      pin: pin.doubt ?? doubtOf('pin'),
      askingPrice: doubtOf('askingPrice'),
    }),
  };
}

const doubtsOf = (
  doubts: { readonly [Field in keyof TableCoupon]?: string | undefined },
): TableRow['doubts'] => Object.fromEntries(Object.entries(doubts).filter(([, doubt]) => doubt));

/** Whether a spreadsheet may have changed what was typed, or shows something else than it holds. */
function shownDoubt({ day, text, doubt }: Cell, column: Column): string | undefined {
  if (day !== undefined && column !== 'end') return t`The spreadsheet took it for a date: ${text}.`;
  return doubt;
}

type WorthReading = Reading<'value' | 'discountType'>;

/** The value: from its own cells, else from a title that states it beyond doubt. */
function worthOf(textOf: TextOf): WorthReading {
  const [percentOff, amountOff, discount] = [textOf('percentOff'), textOf('amountOff'), textOf('discount')];
  const stated = percentOff || amountOff || discount;
  if (stated === '') {
    const worth = readTitleWorth(plainText(textOf('title')), baseCurrency());
    return worth ? readAs(worth) : { fields: { value: '', discountType: 'fixed' } };
  }
  // Spreadsheets store 20 % as 0.2.
  const share = amountOff === '' ? readShare(stated) : null;
  if (share !== null) {
    const worth = { value: share, discountType: 'percentage' } as const;
    return { ...readAs(worth), doubt: t`We read ${stated} as ${formatDecimal(share)}%.` };
  }
  const kind = textOf('discountType');
  const currency = textOf('currency');
  const isBare = readAmount(stated, null)?.unit === null && !percentOff && !amountOff;
  const worth =
    readWorth(
      { percentOff, amountOff: '', discount: stated, discountType: kind, currency },
      baseCurrency(),
    ) ??
    readWorth(
      { percentOff: '', amountOff: stated, discount: '', discountType: '', currency },
      baseCurrency(),
    ) ??
    // There is no discount of minus five.
    (/^[-−–(]/.test(stated) ? null : readTitleWorth(stated, baseCurrency()));
  if (!worth)
    return {
      fields: { value: stated.slice(0, 12), discountType: 'fixed' },
      doubt: t`We cannot read ${quote(shortened(stated, 40))}. Enter a number.`,
    };
  if (isBare && kind === '' && currency === '')
    return {
      ...readAs(worth),
      doubt: t`We read ${stated} as ${{ currency: currencyName() }}. Choose % if it is a percentage.`,
    };
  return { ...readAs(worth), ...inBase(worth, `${stated} ${currency}`) };
}

function readAs({ value, discountType }: Worth): WorthReading {
  return { fields: { value: centsToDecimal(value), discountType } };
}

/** Says so where an amount was converted. */
function inBase({ value, discountType }: Worth, text: string): { doubt?: string } {
  const named = [...text.matchAll(/[A-Z]{3}|[£€₹]/gi)].map(([sign]) => currencyOf(sign)).find(Boolean);
  if (discountType === 'percentage' || !named || named === baseCurrency()) return {};
  return {
    doubt: t`We converted it from ${named} to ${formatDecimal(value)} ${{ currency: baseCurrency() }}.`,
  };
}

/** Words for "it never expires", in the languages of `column-names.ts`; a blank cell says nothing. */
const ENDLESS = new RegExp(
  `^(?:${[
    "never|none|no|no expir(?:y|ation)(?: date)?|does not expire|doesn[’']t expire|unlimited|n/a",
    "jamais|aucune?|illimitée?|sans (?:expiration|limite|échéance)|n[’']expire (?:pas|jamais)",
    'nie|nie wygasa|keine?s?|kein ablaufdatum|unbegrenzt|unbefristet|läuft nicht ab',
    'nunca|no caduca|no vence|sin (?:caducidad|vencimiento|límite)|ilimitad[oa]',
    'mai|nessuna|nessuna scadenza|senza scadenza|illimitat[oa]',
    'nooit|geen|onbeperkt|sem (?:validade|prazo)|não expira|nigdy|bezterminowo|bez terminu',
  ].join('|')})$`,
  'i',
);

function expiryOf(given: string, { order, isOrderGuessed }: Reader): Reading<'expiryDate' | 'hasNoExpiry'> {
  const text = given
    .replace(/^(?:expires?|exp\.?|valid (?:until|till|to)|until|expire le)\b[:\s]*/i, '')
    .trim();
  if (ENDLESS.test(text)) return { fields: { expiryDate: '', hasNoExpiry: true } };
  const readings = ordersOf(text)?.length;
  const { day } = readDate(text, readings === 2 ? order : null);
  const isTwofold = (isOrderGuessed && readings === 2) || mayBeginWithYear(text);
  const month = day === 'unreadable' ? readMonthEnd(text) : null;
  if (month)
    return {
      fields: { expiryDate: month.day, hasNoExpiry: false },
      ...(!month.isOnly && { doubt: t`The table says ${text}.` }),
    };
  if (day === 'unreadable')
    return {
      fields: { expiryDate: '', hasNoExpiry: false },
      doubt: t`We cannot read ${quote(shortened(text, 40))}. Enter a date with its year.`,
    };
  return {
    fields: { expiryDate: day ?? '', hasNoExpiry: false },
    ...(isTwofold && { doubt: t`The table says ${text}.` }),
  };
}

/** Words for the categories in English and French, and whole ones in the other languages of `column-names.ts`. */
const CATEGORY_WORDS: Record<(typeof CATEGORIES)[number], RegExp> = {
  food: categoryWords(
    'food|grocer|restaurant|coffee|caf[eé]|dining|drink|pizza|nourriture|aliment|[eé]picerie',
    'essen|lebensmittel|comida|supermercado|cibo|ristorante|eten|voeding|jedzenie|restauracje',
  ),
  retail: categoryWords(
    'retail|shop|cloth|fashion|beauty|electronic|home|furniture|book|toy|d[eé]tail|magasin|v[eê]tement|mode',
    'handel|einzelhandel|kleidung|tienda|ropa|compras|negozi|abbigliamento|winkels?|kleding|lojas?|roupa|sklepy?|odzież',
  ),
  entertainment: categoryWords(
    'entertain|movie|cinema|game|music|sport|ticket|event|divertissement|loisir|spectacle',
    'unterhaltung|freizeit|kino|ocio|entretenimiento|intrattenimento|vermaak|lazer|entretenimento|rozrywka',
  ),
  travel: categoryWords(
    'travel|hotel|flight|airline|car rental|trip|voyage|h[oô]tel',
    'reisen?|viajes?|viagg[io]|viagens?|podróże?',
  ),
  services: categoryWords(
    'service|repair|spa|hair|fitness|gym|clean|telecom',
    'dienstleistung(?:en)?|diensten?|servicios?|servizi|serviços?|usługi',
  ),
  other: categoryWords('other|misc|divers|autre', 'sonstiges?|andere|otros?|altr[oi]|overige?|outros?|inne'),
};

function categoryWords(parts: string, words: string): RegExp {
  return new RegExp(`${parts}|(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu');
}

function categoryOf(given: string): Reading<'category'> {
  const text = plainText(given);
  if (text === '') return { fields: { category: null } };
  const exact = CATEGORIES.find((category) => category === text.toLowerCase());
  const category = exact ?? CATEGORIES.find((each) => CATEGORY_WORDS[each].test(text)) ?? null;
  return category
    ? { fields: { category } }
    : { fields: { category }, doubt: t`${quote(shortened(text, 40))} is none of our categories.` };
}

/** A long number as programs shorten it. */
const SHORTENED = /^\d(?:[.,]\d+)?e\+?\d+$/i;
/** A long number whose last digits a spreadsheet may have replaced by zeros: it keeps 15. */
const ROUNDED = /^\d{15}\d*0$/;
/** As many digits as a spreadsheet keeps of a number. */
const isLong = (text: string) => text.replace(/\D/g, '').length >= 15;

/** A day as spreadsheets write what they took for one: '10-Mar' for 'MAR10', '2036-03-10'. */
function isSpreadsheetDay(text: string): boolean {
  const [, before, behind] = /^(?:\d{1,2}-(\p{L}{3,9})\.?|(\p{L}{3,9})\.?-\d{2})$/u.exec(text) ?? [];
  const word = before ?? behind ?? '';
  // What people type as a code is in capitals.
  return (
    (word !== word.toUpperCase() && monthOf(word) !== null) || /^\d{1,4}([-/.])\d{1,2}\1\d{1,4}$/.test(text)
  );
}

/** A PIN behind its code, in the same cell. */
const PIN_BEHIND = /(?:^|[\s,;:/|(])(?:pin|nip)(?:[ -]?code)?[\s:#.=-]{0,5}(?=\S*\d)([a-z\d]{3,12})\)?$/i;

/** The code of a row and its PIN, which has a cell of its own or stands behind the code. */
function codeAndPin(code: Cell, pin: Cell): { code: Reading<'code'>; pin: Reading<'pin'> } {
  const textOf = (cell: Cell) => visibleCode(plainCode(cell.text)).slice(0, CODE_MAX);
  const [text, ownText] = [textOf(code), textOf(pin)];
  const own = PIN_BEHIND.exec(ownText)?.[1] ?? codeText(ownText);
  const behind = PIN_BEHIND.exec(text);
  if (!behind) return { code: tableCode(code, text), pin: { fields: { pin: own } } };
  const before = text
    .slice(0, behind.index)
    .replace(/[\s,;:/|(–-]{1,9}$/, '')
    .trim();
  const found = behind[1] ?? '';
  const doubt = t`The table says ${quote(shortened(text, 60))}.`;
  const read = tableCode(code, before);
  return {
    // Only a word before it: it may be a part of the code.
    code: /\d/.test(before) ? read : { doubt, ...read },
    pin: { fields: { pin: own || found }, ...(own !== '' && own !== found && { doubt }) },
  };
}

/** The code of a cell. Unlike a feed's, it may be any text. */
function tableCode({ day, isNumber }: Cell, text: string): Reading<'code'> {
  // What was typed, such as MAR-10, is not kept.
  if (day !== undefined)
    return { fields: { code: '' }, doubt: t`The spreadsheet made a date of this code. Type it.` };
  if (SHORTENED.test(text))
    return { fields: { code: '' }, doubt: t`The spreadsheet has shortened this code. Type it.` };
  const code = codeText(text);
  if (ROUNDED.test(code) || (isNumber && isLong(code)))
    return {
      fields: { code },
      doubt: t`Spreadsheets change the end of long numbers. Compare its last digits.`,
    };
  if (isSpreadsheetDay(code))
    return {
      fields: { code },
      doubt: t`It looks like a date, which a spreadsheet may have made of the code.`,
    };
  const isSentence = /\s/.test(text) && /\p{Ll}/u.test(text);
  return isSentence && code !== ''
    ? { fields: { code }, doubt: t`The table says ${quote(shortened(text, 60))}. Leave only the code.` }
    : { fields: { code } };
}

function codeText(text: string): string {
  const read = readCode([text], []);
  if ('code' in read) return read.code;
  return isNoCode(text) ? '' : text;
}

function priceOf(text: string): Reading<'askingPrice'> {
  const stated = { percentOff: '', amountOff: text, discount: '', discountType: '', currency: '' };
  const worth = text === '' ? null : readWorth(stated, baseCurrency());
  return { fields: { askingPrice: worth ? centsToDecimal(worth.value) : text.slice(0, 12) } };
}
