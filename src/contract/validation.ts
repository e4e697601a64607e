import { z } from 'zod';
import { CODE_MAX, discountTypeSchema, MERCHANT_MAX } from './coupons.ts';
import { imageUrlSchema } from './images.ts';
import { daySchema, idSchema, optionalTextSchema } from './primitives.ts';
import { TEXTS } from './texts.ts';

/**
 * Who can say something about a code: the providers of voucher programmes, each for its own merchants; `library`,
 * which reads standard codes; `pattern`, which looks at the form; `offline`, which asks nobody.
 */
export const VALIDATION_SOURCES = [
  'auto',
  'voucherify',
  'coupontools',
  'aklamio',
  'library',
  'pattern',
  'offline',
] as const;
const validationSourceSchema = z.enum(VALIDATION_SOURCES);
export type ValidationSource = z.output<typeof validationSourceSchema>;

/** Ends the name of what has judged when a provider was asked first and could not be reached. */
export const OFFLINE_SUFFIX = '-offline';

/** Whether a verdict was made without the provider that should have been asked. */
export function isOffline(validatedWith: string): boolean {
  return validatedWith.endsWith(OFFLINE_SUFFIX);
}

const codeSchema = optionalTextSchema(CODE_MAX);
const merchantSchema = optionalTextSchema(MERCHANT_MAX);
export const DISCLAIMER_MAX = 2_000;

/**
 * A code to judge: of a listed coupon (`couponId`: the server looks it up and does not tell it), typed in, or on an
 * uploaded picture. Each of `merchant` and `codeValue` has its aliases (decisions 2.9).
 */
export const validateInputSchema = z
  .object({
    couponId: idSchema.nullish().transform((id) => id ?? null),
    merchant: merchantSchema,
    merchantName: merchantSchema,
    codeValue: codeSchema,
    couponCode: codeSchema,
    code: codeSchema,
    qrCodeUrl: imageUrlSchema,
    barcodeUrl: imageUrlSchema,
    preferredSource: validationSourceSchema.default('auto'),
    /** That the caller may check this code; needed for somebody else's coupon. */
    ownershipConfirmation: z.boolean().default(false),
    /** The words that were confirmed. */
    disclaimer: optionalTextSchema(DISCLAIMER_MAX),
  })
  .transform(({ merchant, merchantName, codeValue, couponCode, code, ...rest }) => ({
    ...rest,
    merchant: merchant ?? merchantName,
    codeValue: codeValue ?? couponCode ?? code,
  }))
  .superRefine((input, issues) => {
    if (input.couponId !== null) {
      if (!input.ownershipConfirmation)
        issues.addIssue({
          code: 'custom',
          path: ['ownershipConfirmation'],
          message: TEXTS.validation.confirmationRequired,
        });
      return;
    }
    if (input.merchant === null)
      issues.addIssue({ code: 'custom', path: ['merchant'], message: TEXTS.validation.merchantRequired });
    if (input.codeValue === null && input.qrCodeUrl === null && input.barcodeUrl === null)
      issues.addIssue({ code: 'custom', path: ['codeValue'], message: TEXTS.validation.codeRequired });
  });
export type ValidateInput = z.output<typeof validateInputSchema>;
/** What a client sends: before defaults and aliases. */
export type ValidatePayload = z.input<typeof validateInputSchema>;

/** One thing that was looked at, in words for people. */
const validationCheckSchema = z.object({
  name: z.string(),
  passed: z.boolean(),
  text: z.string(),
});

export const validationDetailsSchema = z.object({
  merchantName: z.string(),
  /** The code that the caller sent; null for a listed coupon's. */
  couponCode: z.string().nullable(),
  value: z
    .int()
    .nullable()
    .describe(
      'Hundredths of a currency that the code does not name, or of a per cent; null where nobody has said',
    ),
  discountType: discountTypeSchema.nullable(),
  expiryDate: daySchema.nullable(),
  description: z.string().nullable(),
  /** What has to be bought for it, in words. */
  requirement: z.string().nullable(),
  /** Whether the merchant's own programme has said so; only then a coupon becomes verified. */
  confirmed: z.boolean(),
  /** provider: its issuer said so. structure: it is well made. format-only: it looks like a code. */
  confidence: z.enum(['provider', 'structure', 'format-only', 'none']),
  checks: z.array(validationCheckSchema),
});

export const validationResultSchema = z.object({
  valid: z.boolean(),
  message: z.string(),
  /** The source that has judged, with `-offline` behind it when a provider was tried first and not reached. */
  validatedWith: z.string(),
  details: validationDetailsSchema,
  /** For an invalid verdict, the same words as `message`. */
  error: z.string().optional(),
});
export type ValidationResult = z.output<typeof validationResultSchema>;
export type ValidationDetails = z.output<typeof validationDetailsSchema>;
