import { tabbedText } from '#contract/coupon-tables.ts';
import { PictureRefusal } from './pictures.ts';

/** The first sheet of a workbook (XLSX) as tab-separated text. @throws PictureRefusal */
export async function readWorkbook(file: Uint8Array): Promise<string> {
  // Few processes need it.
  const { readSheet } = await import('read-excel-file/node');
  const rows = await readSheet(Buffer.from(file)).catch(() => {
    throw new PictureRefusal('broken');
  });
  return tabbedText(rows);
}
