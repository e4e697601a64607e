import { z } from 'zod';

/** What a picture of a coupon's code shows. */
const IMAGE_KINDS = ['qrcode', 'barcode'] as const;
export const imageKindSchema = z.enum(IMAGE_KINDS);
export type ImageKind = z.output<typeof imageKindSchema>;

/** An upload's bytes, at most. */
export const MAX_IMAGE_BYTES = 8 * 1024 * 1024;

/** An image's name: 128 random bits, base64url. */
export const imageInputSchema = z.object({
  id: z.string().regex(/^[\w-]{22}$/, 'Is not the name of an image'),
});

/** The address that an upload was answered with. */
const imageAddressSchema = z
  .string()
  .regex(/^\/api\/images\/[\w-]{22}$/, 'Is not the address of an uploaded image');

/** An uploaded image, or none. */
export const imageUrlSchema = imageAddressSchema.nullish().transform((url) => url ?? null);

/** What becomes of an image at an edit: another one, none (null), or as it is (missing). */
export const imageChangeSchema = imageAddressSchema.nullish();

/** What an upload is answered with: the same address under the two names that clients look for (decisions 2.10). */
export const uploadedImageSchema = z.object({ url: z.string(), filePath: z.string() });
export type UploadedImage = z.output<typeof uploadedImageSchema>;

/** Reads the code off an uploaded picture. */
export const extractCodeInputSchema = z.object({
  imageUrl: imageAddressSchema,
  imageType: imageKindSchema,
});
export type ExtractCodeInput = z.output<typeof extractCodeInputSchema>;

const bytesSchema = z.custom<Uint8Array>(
  (value) => value instanceof Uint8Array,
  'Must be the bytes of a file',
);

/** A file as it came. Bytes pass by the REST door alone. */
export const uploadImageInputSchema = z.object({ kind: imageKindSchema, bytes: bytesSchema });

/** A stored picture. */
export const storedImageSchema = z.object({
  bytes: bytesSchema,
  contentType: z.string(),
  etag: z.string(),
});

const pointSchema = z.object({ x: z.int(), y: z.int() });

/** A code found in a picture. */
export const foundCodeSchema = z.object({
  text: z.string(),
  /** Its symbology: QRCode, Code128, EAN13, … */
  format: z.string(),
  /** The corners, in pixels of the stored picture, clockwise from the top left of the symbol. */
  position: z.array(pointSchema).length(4),
});
export type FoundCode = z.output<typeof foundCodeSchema>;

/** `codeValue` is the likeliest for the kind asked about, null where none was found; `codes` is every one found. */
export const extractedCodeSchema = z.object({
  codeValue: z.string().nullable(),
  codes: z.array(foundCodeSchema),
});
export type ExtractedCode = z.output<typeof extractedCodeSchema>;

/** GS1's coupon codes, North American (8110) and of positive offer files (8112): digits after the identifier. */
const GS1_COUPON = /^\(811[02]\)\d{1,70}$/;

export function isGs1Coupon(code: string): boolean {
  return GS1_COUPON.test(code);
}

/** The signs of Code 128, no more of them than a scanner takes in at one stroke. */
const CODE_128_TEXT = /^[\x20-\x7e]{1,48}$/;

/** Whether a code can be shown as a barcode. */
export function isBarcodeText(code: string): boolean {
  return isGs1Coupon(code) || CODE_128_TEXT.test(code);
}
