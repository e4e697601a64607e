import { type CouponTable, TABLE_TEXT_MAX, tabbedText } from '#contract/coupon-tables.ts';
import { dateOrderOf } from '#contract/locale.ts';
import { decodeText } from '../feeds/decoding.ts';
import { readTable } from '../tables/tables.ts';
import { PictureRefusal } from './pictures.ts';

/** Reads a file as coupons, as far as its whole lines are as long as a table may be. @throws PictureRefusal */
export async function readTableFile(kind: 'csv' | 'workbook', file: Uint8Array): Promise<CouponTable> {
  const text = kind === 'workbook' ? await readWorkbook(file) : await decoded(file);
  const end = text.length > TABLE_TEXT_MAX ? text.lastIndexOf('\n', TABLE_TEXT_MAX - 1) + 1 : text.length;
  // Of dates that can be read both ways the row says what the table says.
  return readTable({ text: text.slice(0, end), dateOrder: dateOrderOf() });
}

/** The first sheet of a workbook (XLSX) as tab-separated text. @throws PictureRefusal */
export async function readWorkbook(file: Uint8Array): Promise<string> {
  // Few processes need it. The reader of streams, which is for Node, waits for ever behind the end of some broken files.
  const { readSheet } = await import('read-excel-file/universal');
  const rows = await readSheet(Uint8Array.from(file).buffer).catch(() => {
    throw new PictureRefusal('broken');
  });
  return tabbedText(rows);
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
