import { baseCurrency } from '#contract/money.ts';
import { readAmount } from '../feeds/amounts.ts';
import { readCode } from '../feeds/codes.ts';
import { readDate, readMonthEnd } from '../feeds/dates.ts';
import { COMMON_FIELDS, type Field } from '../feeds/presets.ts';
import { nameKey } from '../feeds/record.ts';

/** The columns of a person's table. */
const COLUMNS = [
  'merchant',
  'title',
  'code',
  'end',
  'percentOff',
  'amountOff',
  'discount',
  'discountType',
  'currency',
  'category',
  'description',
  'terms',
  'askingPrice',
  'regions',
] as const;
export type Column = (typeof COLUMNS)[number];

/** Which column is at which place. */
export type Places = ReadonlyMap<Column, number>;

/** What people call their columns, in English and French, beside the names in feeds. */
const NAMES: Partial<Record<Column, readonly string[]>> = {
  merchant: ['where', 'company', 'retailer', 'restaurant', 'commerçant', 'marchand', 'magasin', 'enseigne'],
  title: ['offer', 'what', 'deal', 'coupon title', 'item', 'titre', 'nom', 'offre'],
  code: ['voucher number', 'number', 'card number', 'gift card number', 'code promo', 'numéro'],
  end: [
    ...['expiration', 'expire', 'expires on', 'valid till', 'good until', 'use by', 'use before', 'last day'],
    ...['expire le', 'date d’expiration', 'échéance', 'valable jusqu’au', 'valide jusqu’au', 'dernier jour'],
  ],
  percentOff: ['percent', 'percentage', 'percent discount', 'pourcentage'],
  amountOff: [...['amount', 'face value', 'balance', 'dollars', 'dollar value'], ...['montant', 'solde']],
  discount: ['value', 'worth', 'savings', 'off', 'discount value', 'valeur', 'rabais', 'remise', 'réduction'],
  discountType: ['type of discount', 'value type', 'type de rabais'],
  currency: ['devise'],
  category: ['category', 'kind', 'catégorie'],
  description: ['details', 'détails'],
  terms: ['notes on use', 'limits', 'modalités'],
  askingPrice: ['price', 'asking price', 'asking', 'prix', 'prix demandé'],
  regions: ['valid in', 'valable en', 'valable au', 'pays'],
};

/** Letters without their accents: people leave them out. */
function keyOf(name: string): string {
  return nameKey(name.normalize('NFD').replace(/\p{M}/gu, ''));
}

const BY_NAME = new Map<string, Column>();
for (const column of COLUMNS) {
  const common = column in COMMON_FIELDS ? COMMON_FIELDS[column as Field] : [];
  for (const name of [...common, ...(NAMES[column] ?? [])])
    if (!BY_NAME.has(keyOf(name))) BY_NAME.set(keyOf(name), column);
}

function columnNamed(head: string): Column | undefined {
  if (/%/.test(head) && /^(?:%|% ?off|discount|rabais|value|valeur)/i.test(head.replace(/[()]/g, '').trim()))
    return 'percentOff';
  if (/\$/.test(head) && /^(?:\$|value|amount|discount|worth)/i.test(head.trim())) return 'amountOff';
  return BY_NAME.get(keyOf(head)) ?? BY_NAME.get(keyOf(withoutUnit(head)));
}

/** A head without what it says in brackets, and without the currency behind it. */
function withoutUnit(head: string): string {
  const [open, close] = [head.indexOf('('), head.lastIndexOf(')')];
  const short = (open < 0 || close < open ? head : head.slice(0, open) + head.slice(close + 1)).trim();
  const currency = ` ${baseCurrency()}`;
  return short.toUpperCase().endsWith(currency) ? short.slice(0, -currency.length) : short;
}

/** The named columns of a row and the other names; null if the row does not name columns. */
export function namedColumns(
  cells: readonly string[],
): { readonly places: Places; readonly unused: readonly string[] } | null {
  const places = new Map<Column, number>();
  const unused: string[] = [];
  for (const [place, cell] of cells.entries()) {
    const head = cell.trim();
    const column = columnNamed(head);
    if (column && !places.has(column)) places.set(column, place);
    else if (head !== '') unused.push(head);
  }
  const isHead = places.size > 1 || (places.size === 1 && unused.length < 2);
  return isHead ? { places, unused } : null;
}

const isDate = (text: string) =>
  /[-/.\s]/.test(text) &&
  !/^\d+[.,]\d+$/.test(text) &&
  (readDate(text, null).day !== 'unreadable' || readMonthEnd(text) !== null);
function isMoney(text: string): boolean {
  const amount = readAmount(text.replace(/\s?off$/i, ''), null);
  return amount !== null && (amount.unit !== null || (amount.hundredths ?? 0) < 1_000_000);
}
/** Whether it looks like a code: names of shops are plain codes, too, so it has digits or looks shouted. */
const isCode = (text: string) =>
  'code' in readCode([text], []) && (/\d/.test(text) || (/^\p{Lu}{5,}$/u.test(text) && !/\s/.test(text)));

/** The columns of a table that does not name them, by what most of their cells look like. */
export function guessedColumns(rows: readonly (readonly string[])[]): Places {
  const places = new Map<Column, number>();
  const width = Math.max(0, ...rows.map((cells) => cells.length));
  // Nobody else sees a code: a line that is none is safest there.
  if (width === 1) return new Map([['code', 0]]);
  const free = new Set(Array.from({ length: width }, (_, place) => place));
  const take = (column: Column, isOne: (text: string) => boolean) => {
    const shares = [...free].map((place) => {
      const texts = rows.map((cells) => cells[place]?.trim() ?? '').filter((text) => text !== '');
      return { place, share: texts.length === 0 ? 0 : texts.filter(isOne).length / texts.length };
    });
    const best = shares.reduce((one, other) => (other.share > one.share ? other : one), {
      place: -1,
      share: 0.5,
    });
    if (best.place === -1) return;
    places.set(column, best.place);
    free.delete(best.place);
  };
  take('end', isDate);
  take('discount', isMoney);
  take('code', isCode);
  take('merchant', (text) => text.length <= 40);
  take('title', (text) => /\p{L}/u.test(text));
  return places;
}
