import { t } from '@lingui/core/macro';
import { type Column, keyOf } from './column-names.ts';
import type { Cell } from './lines.ts';
import type { Places } from './table-columns.ts';

/** Words for a sum of rows, folded as names of columns: beside English those of the languages of `column-names.ts`. */
const SUMS: ReadonlySet<string> = new Set([
  ...['total', 'totals', 'grandtotal', 'subtotal', 'sum', 'totaux', 'soustotal', 'totalgeneral', 'somme'],
  ...['summe', 'gesamt', 'gesamtsumme', 'zwischensumme', 'insgesamt', 'suma', 'totale', 'somma', 'subtotale'],
  ...['totaal', 'subtotaal', 'totalgeral', 'soma', 'razem', 'łącznie', 'lacznie', 'ogółem'],
]);

/** Whether it is such a word, or begins with one: 'Total: $15', 'Sum of all'. */
const isSum = ({ text }: Cell) =>
  SUMS.has(keyOf(text.replace(/\d/g, ''))) || SUMS.has(keyOf(text.split(/[\s:]/, 1)[0] ?? ''));

/** What a sum has beside its word: amounts, and how many rows it sums. */
const SUMMED: ReadonlySet<Column> = new Set([
  'amountOff',
  'discount',
  'percentOff',
  'currency',
  'askingPrice',
]);
const COUNT = /^\d{1,4}(?: \p{L}+)?$/u;

/** Why a row of a table is no coupon; null for a coupon. */
export function problemOf(cellOf: (column: Column) => Cell, places: Places): string | null {
  const filled = [...places.keys()].filter((column) => {
    const { text, lacks } = cellOf(column);
    return text !== '' || lacks;
  });
  const others = filled.filter((column) => !isSum(cellOf(column)));
  const isSummed = others.every((column) => SUMMED.has(column) || COUNT.test(cellOf(column).text));
  if (others.length < filled.length && isSummed) return t`It looks like a sum of the other rows`;
  const says = (...columns: Column[]) =>
    columns.some((column) => filled.includes(column)) || !columns.some((column) => places.has(column));
  const isOne =
    filled.length >= Math.min(2, places.size) &&
    says('merchant', 'title', 'discount', 'amountOff', 'percentOff', 'end') &&
    says('merchant', 'title', 'code', 'end');
  return isOne ? null : t`It says too little for a coupon`;
}
