import { tabbedText } from '#contract/coupon-tables.ts';
import { PictureRefusal } from './pictures.ts';

/** The first sheet of a workbook (XLSX) as tab-separated text. @throws PictureRefusal */
export async function readWorkbook(file: Uint8Array): Promise<string> {
  // Few processes need it. The reader of streams, which is for Node, waits for ever behind the end of some broken files.
  const { readSheet } = await import('read-excel-file/universal');
  const rows = await readSheet(Uint8Array.from(file).buffer).catch(() => {
    throw new PictureRefusal('broken');
  });
  return tabbedText(rows);
}
