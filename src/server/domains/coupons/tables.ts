import { t } from '@lingui/core/macro';
import type { CouponTable, ReadTableInput } from '#contract/coupon-tables.ts';
import { fieldError } from '#server/core/errors.ts';
import { PictureRefusal } from '#server/providers/pictures/pictures.ts';
import type { MemberContext } from '../context.ts';
import { countChange } from '../own-changes.ts';

/** Reads a table that somebody has typed, pasted or chosen as coupons. It stores nothing. @throws AppError bad_input */
export async function readTable(ctx: MemberContext, table: ReadTableInput): Promise<CouponTable> {
  await countChange(ctx);
  return ctx.providers.pictures.readTable(table).catch((error: unknown) => {
    if (!(error instanceof PictureRefusal)) throw error;
    throw fieldError(
      'bad_input',
      'text',
      t`We could not read this table in time. Split it into smaller ones, and try again.`,
    );
  });
}
