import { z } from 'zod';
import { instantSchema } from '#contract/base/primitives.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { bytesSchema } from '#contract/coupons/images.ts';
import { checkProof, currentPasswordSchema } from '#contract/people/accounts.ts';
import { passkeyAssertionSchema } from '#contract/people/passkeys.ts';

/** How long a finished copy can be downloaded. */
export const DATA_EXPORT_HOURS = 24;

/** The copy of their own data that somebody asked for last. */
export const dataExportSchema = z.object({
  state: z
    .enum(['none', 'making', 'ready', 'failed'])
    .describe('none: nobody asked for one, or it can no longer be downloaded'),
  hasCodes: z.boolean().describe('Whether it has the codes of the caller’s coupons'),
  requestedAt: instantSchema.nullable(),
  endsAt: instantSchema.nullable().describe('Until when a finished one can be downloaded'),
  size: z.int().nullable().describe('Of the finished archive, in bytes'),
});
dataExportSchema.register(z.globalRegistry, { id: 'DataExport' });
export type DataExport = z.output<typeof dataExportSchema>;

/** With the codes of one's coupons, the password is asked for again, or a passkey. */
export const requestDataExportInputSchema = z
  .object({
    hasCodes: z.boolean().default(false),
    confirmPassword: currentPasswordSchema.optional(),
    passkey: passkeyAssertionSchema.optional(),
  })
  .superRefine((given, issues) => {
    if (given.hasCodes) checkProof('confirmPassword', TEXTS.settings.passwordRequired)(given, issues);
  });
export type RequestDataExportInput = z.output<typeof requestDataExportInputSchema>;

/** A finished archive is read in parts, in their order from 0. */
export const dataExportPartInputSchema = z.object({ part: z.int().min(0) });
export const dataExportPartSchema = z.object({ bytes: bytesSchema, parts: z.int(), size: z.int() });
