import { t } from '@lingui/core/macro';
import type { CouponTable, ReadTableFileInput, ReadTableInput } from '#contract/coupons/coupon-tables.ts';
import type { MemberContext } from '#server/context/context.ts';
import { fieldError } from '#server/core/errors.ts';
import { countChange } from '#server/core/own-changes.ts';
import { type PictureProblem, PictureRefusal } from '#server/readers/pictures/pictures.ts';

/** Reads a table that somebody has typed or pasted as coupons. It stores nothing. @throws AppError bad_input */
export async function readTable(ctx: MemberContext, table: ReadTableInput): Promise<CouponTable> {
  await countChange(ctx);
  return ctx.providers.pictures.readTable(table).catch(refuse('text'));
}

/** Reads a CSV file or a workbook (XLSX) as coupons. It stores nothing. @throws AppError bad_input */
export async function readTableFile(
  ctx: MemberContext,
  { bytes, dateOrder }: ReadTableFileInput,
): Promise<CouponTable> {
  await countChange(ctx);
  const kind = startsWith(bytes, ZIP) || startsWith(bytes, OLE) ? 'workbook' : 'csv';
  return ctx.providers.pictures.readTableFile(kind, bytes, dateOrder).catch(refuse('image'));
}

/** How archives begin, which workbooks are, and how older workbooks and locked ones do. */
const ZIP = [0x50, 0x4b];
const OLE = [0xd0, 0xcf, 0x11, 0xe0];

const startsWith = (bytes: Uint8Array, beginning: readonly number[]) =>
  beginning.every((byte, place) => bytes[place] === byte);

const refuse = (field: string) => (error: unknown) => {
  if (!(error instanceof PictureRefusal)) throw error;
  throw fieldError('bad_input', field, refusalText(error.problem));
};

function refusalText(problem: PictureProblem): string {
  switch (problem) {
    case 'busy':
    case 'interrupted':
    case 'too_slow':
      return t`We could not read this table in time. Split it into smaller ones, and try again.`;
    case 'too_many_parts':
      return t`This workbook is too large. Copy the rows with coupons into a new one.`;
    case 'locked':
      return t`This workbook is locked with a password. Save it without one, and choose it again.`;
    default:
      return t`We cannot read this workbook. Save it as XLSX or CSV, and choose that file.`;
  }
}
