import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { ofField, orBeyond } from '#contract/base/input-texts.ts';
import { daySchema } from '#contract/base/primitives.ts';
import { categorySchema, discountTypeSchema } from './choice-schemas.ts';

/** What a picture of a coupon's code shows. */
const IMAGE_KINDS = ['qrcode', 'barcode'] as const;
export const imageKindSchema = z.enum(IMAGE_KINDS).meta({ id: 'ImageKind' });
export type ImageKind = z.output<typeof imageKindSchema>;

/** The largest upload. */
export const MAX_IMAGE_BYTES = 8 * 1024 * 1024;

/** The most pages of a PDF that are read one by one. */
export const PAGES_ONE_BY_ONE_MAX = 50;

const HOUR_MS = 3_600_000;
/** How long an upload waits for a coupon. */
const MEMBER_HOURS = 24;
const ANONYMOUS_HOURS = 1;

/**
 * Unattached uploads created at or before these times have expired; `anonymous` is for callers without an account.
 */
export function uploadExpiry(now: Date): { members: Date; anonymous: Date } {
  return {
    members: new Date(now.getTime() - MEMBER_HOURS * HOUR_MS),
    anonymous: new Date(now.getTime() - ANONYMOUS_HOURS * HOUR_MS),
  };
}

/** An image's name: 128 random bits, base64url. */
export const imageInputSchema = z.object({
  id: z.string().regex(/^[\w-]{22}$/, { error: ofField(() => t`Is not the name of an image`) }),
});

function addressSchema(pattern: RegExp) {
  return z.string().regex(pattern, { error: ofField(() => t`Is not the address of an uploaded image`) });
}

/** The address of an uploaded picture, as the upload answered it. */
const imageAddressSchema = addressSchema(/^\/api\/images\/[\w-]{22}$/);

/** Forms send an empty text where nobody has chosen a picture. */
const maybeAddressSchema = addressSchema(/^(\/api\/images\/[\w-]{22})?$/);

/** An uploaded picture, or null; an empty text is none. */
export const imageUrlSchema = maybeAddressSchema.nullish().transform((url) => url || null);

/** A picture in an edit: a new one, none (null), or unchanged (missing or an empty text, as of a code). */
export const imageChangeSchema = maybeAddressSchema
  .nullish()
  .transform((url) => (url === '' ? undefined : url))
  .optional();

const FACTS = ['merchant', 'category', 'title', 'worth', 'expiryDate', 'terms'] as const;
/** A fact by its name. */
export type FactName = (typeof FACTS)[number];

/**
 * What a wallet pass or the print of a coupon says: a claim like typed text, since nobody has verified it. Null where it
 * says nothing.
 */
export const statedFactsSchema = z.object({
  merchant: z.string().nullable(),
  category: categorySchema.nullable().describe('Of the newest coupon of this merchant'),
  title: z.string().nullable(),
  worth: z.object({ value: z.int(), discountType: discountTypeSchema }).nullable(),
  expiryDate: daySchema.nullable(),
  hasNoExpiry: z.boolean().describe('Whether it says that it never expires'),
  terms: z.string().nullable(),
  printedCode: z
    .string()
    .optional()
    .describe(
      'The code in words: of a picture without a code that we can read, or what a wallet pass shows under its barcode',
    ),
  doubtful: z
    .array(z.enum(FACTS))
    .describe('Facts that may be wrong: hardly legible, or several are possible'),
});
statedFactsSchema.register(z.globalRegistry, { id: 'StatedFacts' });
export type StatedFacts = z.output<typeof statedFactsSchema>;

/** The answer to an upload: its address, under the two names that clients look for (decisions 2.10). */
export const uploadedImageSchema = z.object({
  url: z.string(),
  filePath: z.string(),
  facts: statedFactsSchema.optional().describe('What a wallet pass says; its signature is not verified'),
  pages: z.int().optional().describe('How many pages a PDF has, if one of them was asked for'),
});
uploadedImageSchema.register(z.globalRegistry, { id: 'UploadedImage' });
export type UploadedImage = z.output<typeof uploadedImageSchema>;

export const extractCodeInputSchema = z.object({
  imageUrl: imageAddressSchema,
  imageType: imageKindSchema,
});
export type ExtractCodeInput = z.output<typeof extractCodeInputSchema>;

export const extractFactsInputSchema = z.object({ imageUrl: imageAddressSchema });
export type ExtractFactsInput = z.output<typeof extractFactsInputSchema>;

export const bytesSchema = z.custom<Uint8Array>((value) => value instanceof Uint8Array, {
  error: ofField(() => t`Must be the bytes of a file`),
});

/** An uploaded file, unchanged. Only REST takes files. */
export const uploadImageInputSchema = z.object({
  kind: imageKindSchema,
  page: z
    .int({ error: orBeyond(ofField(() => t`Is not the number of a page`)) })
    .min(1, { error: ofField(() => t`Is not the number of a page`) })
    .max(PAGES_ONE_BY_ONE_MAX, { error: ofField(() => t`Must be at most ${PAGES_ONE_BY_ONE_MAX}`) })
    .optional()
    .describe('The page of a PDF; without it, the first page with a code is kept'),
  bytes: bytesSchema,
});
export type UploadImageInput = z.output<typeof uploadImageInputSchema>;

export const storedImageSchema = z.object({
  bytes: bytesSchema,
  contentType: z.string(),
  etag: z.string(),
});

const pointSchema = z.object({ x: z.int(), y: z.int() });

/** A code found in a picture. */
export const foundCodeSchema = z.object({
  text: z.string(),
  isText: z
    .boolean()
    .default(true)
    .describe(
      'Whether the text says all. If not, only the picture has the bytes of the symbol (Latin-1, Shift-JIS, GS1 …): upload it with the coupon',
    ),
  /** The symbology: QRCode, Code128, EAN13, … */
  format: z.string(),
  /** The corners in pixels of the stored picture, clockwise from the top left of the symbol. */
  position: z.array(pointSchema).length(4),
});
foundCodeSchema.register(z.globalRegistry, { id: 'FoundCode' });
export type FoundCode = z.output<typeof foundCodeSchema>;

/**
 * `codes` has all the codes found; `codeValue` is the likeliest one for the kind asked about, null if there is
 * none.
 */
export const extractedCodeSchema = z.object({
  codeValue: z.string().nullable(),
  codes: z.array(foundCodeSchema),
});
extractedCodeSchema.register(z.globalRegistry, { id: 'ExtractedCode' });
export type ExtractedCode = z.output<typeof extractedCodeSchema>;

/** The two-dimensional symbologies: QRCode and MicroQRCode, PDF417 and MicroPDF417, Aztec, AztecRune, … */
const MATRIX = /QRCode|DataMatrix|Aztec|PDF417|MaxiCode/;

/** The kind of picture that shows a symbology. */
export function kindOfFormat(format: string): ImageKind {
  return MATRIX.test(format) ? 'qrcode' : 'barcode';
}

/** GS1's coupon codes, North American (8110) and positive offer file (8112): digits after the identifier. */
const GS1_COUPON = /^\(811[02]\)\d{1,70}$/;

export function isGs1Coupon(code: string): boolean {
  return GS1_COUPON.test(code);
}

/** Whether a code can be shown as a QR code: GS1's coupon codes are bars. */
export function isQrText(code: string): boolean {
  return !isGs1Coupon(code);
}

/** Characters of Code 128, at most as many as a hand scanner can read in one line. */
const CODE_128_TEXT = /^[\x20-\x7e]{1,48}$/;

/** Whether a code can be shown as a barcode. */
export function isBarcodeText(code: string): boolean {
  return isGs1Coupon(code) || CODE_128_TEXT.test(code);
}
