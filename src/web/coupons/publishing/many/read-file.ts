import { t } from '@lingui/core/macro';
import { type CouponTable, couponTableSchema, type DateOrder } from '#contract/coupons/coupon-tables.ts';
import { MAX_IMAGE_BYTES } from '#contract/coupons/images.ts';
import { sendFile } from '#web/lib/upload.ts';
import { FileProblem } from './file-problem.ts';

const MEGABYTE = 1024 * 1024;

/** The spreadsheets that people may choose. */
export const TABLE_FILES = '.csv,.tsv,.txt,.xlsx,text/csv,text/tab-separated-values,text/plain';

/**
 * Reads a spreadsheet as coupons; the server does it, whatever the kind of its file.
 * @throws FileProblem, TRPCClientError, DOMException 'AbortError'
 */
export async function readTableFile(
  file: File,
  dateOrder: DateOrder,
  signal: AbortSignal | undefined,
): Promise<CouponTable> {
  if (file.size === 0) throw new FileProblem(t`This file is empty. Choose another one.`);
  if (file.size > MAX_IMAGE_BYTES)
    throw new FileProblem(
      t`This file is larger than ${MAX_IMAGE_BYTES / MEGABYTE} MB. Copy the rows with coupons into a new one.`,
    );
  if (!/\.(?:csv|tsv|txt|xlsx)$/i.test(file.name))
    throw new FileProblem(t`Choose a spreadsheet as XLSX or CSV. Other programs can save it like that.`);
  return sendFile(`table?dateOrder=${dateOrder}`, file, couponTableSchema, { ...(signal && { signal }) });
}
