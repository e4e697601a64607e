import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { isStorable } from '#contract/base/bounds.ts';
import { categorySchema, discountTypeSchema } from './choice-schemas.ts';
import { bytesSchema } from './images.ts';
import { leftOutSchema } from './left-out.ts';

/** The most rows that are read from one table: people can try about as many new codes in an hour (decisions 2.16). */
export const TABLE_ROWS_MAX = 100;
/** In characters. */
export const TABLE_TEXT_MAX = 60_000;

const dateOrderSchema = z.enum(['dayFirst', 'monthFirst']).meta({ id: 'DateOrder' });

export const readTableInputSchema = z.object({
  text: z
    .string()
    .max(TABLE_TEXT_MAX, { error: () => t`This table is too long. Split it into smaller ones.` })
    .refine(isStorable, {
      error: () => t`This table has characters that nobody can read. Save it as CSV in UTF-8.`,
    })
    .describe('A table as CSV, TSV or lines, with or without names of columns'),
  dateOrder: dateOrderSchema.describe('How to read 03/04/2030 where no date of the table decides'),
});
export type ReadTableInput = z.output<typeof readTableInputSchema>;
export type DateOrder = ReadTableInput['dateOrder'];

/** A CSV file or a workbook (XLSX), unchanged. Only REST takes files. */
export const readTableFileInputSchema = z.object({
  dateOrder: dateOrderSchema
    .optional()
    .describe('As for a pasted table; without it, the order of the caller’s language'),
  bytes: bytesSchema,
});
export type ReadTableFileInput = z.output<typeof readTableFileInputSchema>;

/** What a row of a table says of a coupon, in the texts of a form: a value in decimals, '' for what is missing. */
export const tableCouponSchema = z.object({
  title: z.string(),
  merchant: z.string(),
  category: categorySchema.nullable(),
  discountType: discountTypeSchema,
  value: z.string(),
  expiryDate: z.string(),
  hasNoExpiry: z.boolean(),
  description: z.string(),
  code: z.string(),
  pin: z.string().default('').describe('What some shops ask for beside the code'),
  terms: z.string(),
  regions: z.array(z.string()),
  askingPrice: z.string(),
});
tableCouponSchema.register(z.globalRegistry, { id: 'TableCoupon' });
export type TableCoupon = z.output<typeof tableCouponSchema>;

export const doubtsSchema = z
  .partialRecord(tableCouponSchema.keyof(), z.string())
  .describe('What a person should look at, by field: what could not be read, or was read with a guess');

const tableRowSchema = z.object({
  line: z.int(),
  coupon: tableCouponSchema,
  doubts: doubtsSchema,
});
export type TableRow = z.output<typeof tableRowSchema>;

export const couponTableSchema = z.object({
  rows: z.array(tableRowSchema),
  leftOut: z.array(leftOutSchema).describe('What of the table became no row'),
  guessedOrder: dateOrderSchema
    .nullable()
    .describe('The order of the input, if a date was read by it that has another reading'),
});
export type CouponTable = z.output<typeof couponTableSchema>;
