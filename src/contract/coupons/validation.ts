import { z } from 'zod';
import { daySchema, idSchema, optionalLineSchema, optionalTextSchema } from '#contract/base/primitives.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { discountTypeSchema } from './choice-schemas.ts';
import { codeSchema } from './coupons.ts';
import { imageUrlSchema } from './images.ts';
import { MERCHANT_MAX } from './limits.ts';

/**
 * What can validate a code: the providers of voucher programmes, each for its own merchants; `library` reads
 * standard codes; `pattern` looks at the form; `offline` asks no provider. `auto` chooses.
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
const validationSourceSchema = z.enum(VALIDATION_SOURCES).meta({ id: 'ValidationSource' });
export type ValidationSource = z.output<typeof validationSourceSchema>;

/** Added to the name of the source that validated when a provider was asked first and could not be reached. */
export const OFFLINE_SUFFIX = '-offline';

/** Whether the code was validated without the provider that should have been asked. */
export function isOffline(validatedWith: string): boolean {
  return validatedWith.endsWith(OFFLINE_SUFFIX);
}

/** For the step that completes a deal. */
export const acknowledgeUncheckedSchema = z
  .boolean()
  .optional()
  .describe('Goes on although the merchant’s own account could not be asked about a code (code_unchecked)');

const merchantSchema = optionalLineSchema(MERCHANT_MAX);
export const DISCLAIMER_MAX = 2_000;

/**
 * A code to validate: that of a listed coupon (`couponId`: the server looks it up and does not show it), a typed
 * one, or one on an uploaded picture. `merchant` and `codeValue` have aliases (decisions 2.9).
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
    /** The caller confirms that they may check this code; required for a listed coupon. */
    ownershipConfirmation: z.boolean().default(false),
    /** The text that the caller confirmed. */
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
          message: TEXTS.validation.confirmationRequired(),
        });
      return;
    }
    if (input.merchant === null)
      issues.addIssue({ code: 'custom', path: ['merchant'], message: TEXTS.validation.merchantRequired() });
    if (input.codeValue === null && input.qrCodeUrl === null && input.barcodeUrl === null)
      issues.addIssue({ code: 'custom', path: ['codeValue'], message: TEXTS.validation.codeRequired() });
  });
export type ValidateInput = z.output<typeof validateInputSchema>;
/** What a client sends, before defaults and aliases are applied. */
export type ValidatePayload = z.input<typeof validateInputSchema>;

/** One thing that was checked, in words for people. */
const validationCheckSchema = z.object({
  name: z.string(),
  passed: z.boolean(),
  text: z.string(),
});

export const validationDetailsSchema = z.object({
  merchantName: z.string(),
  /** The code that the caller sent; null for a listed coupon. */
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
  /** What must be bought to use the code, in words. */
  requirement: z.string().nullable(),
  /** Whether the merchant's own programme has confirmed the code; only this makes a coupon verified. */
  confirmed: z.boolean(),
  /** Whether the merchant's own programme calls the code used up, expired, withdrawn or unknown. */
  dead: z.boolean(),
  /** provider: the issuer confirmed it. structure: it is well formed. format-only: it looks like a code. */
  confidence: z.enum(['provider', 'structure', 'format-only', 'none']),
  checks: z.array(validationCheckSchema),
});
validationDetailsSchema.register(z.globalRegistry, { id: 'ValidationDetails' });

export const validationResultSchema = z.object({
  valid: z.boolean(),
  message: z.string(),
  /**
   * The source that validated the code, with the suffix `-offline` when a provider was tried first and not reached.
   */
  validatedWith: z.string(),
  details: validationDetailsSchema,
  /** For an invalid code: equal to `message`. */
  error: z.string().optional(),
});
validationResultSchema.register(z.globalRegistry, { id: 'ValidationResult' });
export type ValidationResult = z.output<typeof validationResultSchema>;
export type ValidationDetails = z.output<typeof validationDetailsSchema>;
