import { t } from '@lingui/core/macro';
import { type UnzipFileInfo, unzipSync } from 'fflate';
// This one does not start a worker from a blob, which our content security policy refuses.
import { readSheet } from 'read-excel-file/web-worker';
import { tabbedText } from '#contract/coupon-tables.ts';
import { FileProblem } from './file-problem.ts';

/** What a workbook may have unpacked: a small file can hold gigabytes. */
const MAX_UNPACKED_BYTES = 30_000_000;

const UNREADABLE = t`We cannot read this workbook. Save it as CSV, and choose that file.`;

/** The first sheet of a workbook (XLSX) as tab-separated text. @throws FileProblem */
export async function workbookText(bytes: ArrayBuffer): Promise<string> {
  if (unpackedSize(bytes) > MAX_UNPACKED_BYTES)
    throw new FileProblem('This workbook is too large. Copy the rows with coupons into a new one.');
  const rows = await readSheet(bytes).catch(() => {
    throw new FileProblem(UNREADABLE);
  });
  return tabbedText(rows);
}

/** As the archive states it; the reader fails on a file that has more. @throws FileProblem */
function unpackedSize(bytes: ArrayBuffer): number {
  let size = 0;
  const count = ({ originalSize }: UnzipFileInfo) => {
    size += originalSize;
    return false;
  };
  try {
    unzipSync(new Uint8Array(bytes), { filter: count });
  } catch {
    throw new FileProblem(UNREADABLE);
  }
  return size;
}
