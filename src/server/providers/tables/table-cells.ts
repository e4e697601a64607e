import { t } from '@lingui/core/macro';
import { currencyName } from '#contract/base-currency.ts';
import {
  CATEGORIES,
  CODE_MAX,
  DESCRIPTION_MAX,
  MERCHANT_MAX,
  TERMS_MAX,
  TITLE_MAX,
} from '#contract/coupon-facts.ts';
import type { TableCoupon, TableRow } from '#contract/coupon-tables.ts';
import { visibleCode } from '#contract/invisible.ts';
import { baseCurrency, centsToDecimal, formatDecimal } from '#contract/money.ts';
import { quote } from '#contract/words.ts';
import { currencyOf, readAmount, readShare } from '../feeds/amounts.ts';
import { readCode } from '../feeds/codes.ts';
import { type DateOrder, mayBeginWithYear, ordersOf, readDate, readMonthEnd } from '../feeds/dates.ts';
import { readWorth, type Worth } from '../feeds/money.ts';
import { isNoCode } from '../feeds/no-code.ts';
import { readRegions } from '../feeds/regions.ts';
import { plainCode, plainText, shortened } from '../feeds/text.ts';
import { readTitleWorth } from '../feeds/title-worth.ts';
import type { Column } from './table-columns.ts';

/** What one cell or several say, and why a person should look at it. */
interface Reading<Fields extends keyof TableCoupon> {
  readonly fields: Pick<TableCoupon, Fields>;
  readonly doubt?: string;
}

/** The texts of a row by column; '' where there is none. */
type TextOf = (column: Column) => string;

export interface Reader {
  /** Of dates of numbers. */
  readonly order: DateOrder;
  /** Whether no other date decides it. */
  readonly isOrderGuessed: boolean;
}

/** A row as a coupon. What cannot be read stays as it is written, with a doubt. */
export function readTableRow(line: number, textOf: TextOf, reader: Reader): TableRow {
  const worth = worthOf(textOf);
  const expiry = expiryOf(textOf('end'), reader);
  const category = categoryOf(textOf('category'));
  const code = tableCode(textOf('code'));
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
      pin: '',
      ...price.fields,
    },
    doubts: {
      ...(worth.doubt && { value: worth.doubt }),
      ...(expiry.doubt && { expiryDate: expiry.doubt }),
      ...(category.doubt && { category: category.doubt }),
      ...(code.doubt && { code: code.doubt }),
    },
  };
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

/** Words for "it never expires"; a blank cell says nothing. */
const ENDLESS =
  /^(?:never|none|no|no expir(?:y|ation)|does not expire|unlimited|jamais|aucune?|illimité|n\/a)$/i;

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

/** Words for the categories, in English and French. */
const CATEGORY_WORDS: Record<(typeof CATEGORIES)[number], RegExp> = {
  food: /food|grocer|restaurant|coffee|caf[eé]|dining|drink|pizza|nourriture|aliment|[eé]picerie/i,
  retail:
    /retail|shop|cloth|fashion|beauty|electronic|home|furniture|book|toy|d[eé]tail|magasin|v[eê]tement|mode/i,
  entertainment: /entertain|movie|cinema|game|music|sport|ticket|event|divertissement|loisir|spectacle/i,
  travel: /travel|hotel|flight|airline|car rental|trip|voyage|h[oô]tel/i,
  services: /service|repair|spa|hair|fitness|gym|clean|telecom/i,
  other: /other|misc|divers|autre/i,
};

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

/** The code of a cell. Unlike a feed's, it may be any text. */
function tableCode(given: string): Reading<'code'> {
  const text = visibleCode(plainCode(given)).slice(0, CODE_MAX);
  if (SHORTENED.test(text))
    return { fields: { code: '' }, doubt: t`The spreadsheet has shortened this code. Type it.` };
  const read = readCode([text], []);
  const code = 'code' in read ? read.code : isNoCode(text) ? '' : text;
  if (ROUNDED.test(code))
    return {
      fields: { code },
      doubt: t`Spreadsheets change the end of long numbers. Compare its last digits.`,
    };
  const isSentence = /\s/.test(text) && /\p{Ll}/u.test(text);
  return isSentence && code !== ''
    ? { fields: { code }, doubt: t`The table says ${quote(shortened(text, 60))}. Leave only the code.` }
    : { fields: { code } };
}

function priceOf(text: string): Reading<'askingPrice'> {
  const stated = { percentOff: '', amountOff: text, discount: '', discountType: '', currency: '' };
  const worth = text === '' ? null : readWorth(stated, baseCurrency());
  return { fields: { askingPrice: worth ? centsToDecimal(worth.value) : text.slice(0, 12) } };
}
