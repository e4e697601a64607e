import { FileProblem } from './file-problem.ts';

/** A spreadsheet of coupons is small; larger files are something else. */
const MAX_FILE_BYTES = 5_000_000;

/** The spreadsheets that people may choose. */
export const TABLE_FILES = '.csv,.tsv,.txt,.xlsx,text/csv,text/tab-separated-values,text/plain';

/** The text of a spreadsheet. @throws FileProblem */
export async function tableTextOf(file: File): Promise<string> {
  if (file.size === 0) throw new FileProblem('This file is empty. Choose another one.');
  if (file.size > MAX_FILE_BYTES)
    throw new FileProblem('This file is larger than 5 MB. Choose a smaller one.');
  if (/\.xlsx$/i.test(file.name)) {
    const { workbookText } = await import('./workbook.ts');
    return workbookText(await file.arrayBuffer());
  }
  if (/\.(?:csv|tsv|txt)$/i.test(file.name)) return decodedText(await file.arrayBuffer());
  throw new FileProblem('Choose a spreadsheet as XLSX or CSV. Other programs can save it like that.');
}

/** Excel writes its own charset of Windows unless it is told otherwise. */
function decodedText(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
