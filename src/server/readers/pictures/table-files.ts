import type { CouponTable, DateOrder } from '#contract/coupons/coupon-tables.ts';
import { dateOrderOf } from '#contract/coupons/date-order.ts';
import type { LeftOut } from '#contract/coupons/left-out.ts';
import { decodeText } from '../feeds/decoding.ts';
import { headIn } from '../tables/table-columns.ts';
import { readLines, readTable } from '../tables/tables.ts';
import type { Sheet } from './workbooks.ts';

/**
 * Reads a file as coupons.
 * @param dateOrder how to read 03/04/2030 where no date of the table decides; without it, as in the language of whoever asks
 * @throws PictureRefusal
 */
export async function readTableFile(
  kind: 'csv' | 'workbook',
  file: Uint8Array,
  dateOrder: DateOrder = dateOrderOf(),
): Promise<CouponTable> {
  if (kind === 'csv') return readTable({ text: await decoded(file), dateOrder });
  // Few processes need it.
  const { readSheets } = await import('./workbooks.ts');
  return readWorkbook(await readSheets(file), dateOrder);
}

/** Reads the first visible sheet that names columns; where none does, the first that is not blank. */
function readWorkbook(sheets: readonly Sheet[], dateOrder: DateOrder): CouponTable {
  const filled = sheets.filter(({ lines }) => lines.length > 0);
  const visible = filled.filter(({ isHidden }) => !isHidden);
  const named = visible.filter(({ lines }) => headIn(lines));
  const read = named[0] ?? visible[0];
  const others = (named.length > 0 ? named : visible).filter((sheet) => sheet !== read);
  const hidden = filled.filter(({ isHidden }) => isHidden);
  return readLines(read?.lines ?? [], dateOrder, [
    ...(read?.leftOut ?? []),
    ...sheetsLeftOut(others, false),
    ...sheetsLeftOut(hidden, true),
  ]);
}

function sheetsLeftOut(sheets: readonly Sheet[], isHidden: boolean): LeftOut[] {
  const names = sheets.map(({ name }) => name);
  return names.length > 0 ? [{ what: 'sheets', names, isHidden }] : [];
}

async function decoded(bytes: Uint8Array): Promise<string> {
  const decodedAs = async (charset?: string) => {
    let text = '';
    for await (const piece of decodeText(chunks(bytes), charset)) text += piece;
    return text;
  };
  // Excel writes its own charset of Windows unless it is told otherwise.
  return decodedAs().catch(() => decodedAs('windows-1252'));
}

async function* chunks(bytes: Uint8Array) {
  yield bytes;
}
