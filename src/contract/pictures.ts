import { z } from 'zod';
import { bytesSchema } from './images.ts';

/** Public pictures: of an offer, or of a person. */
const PICTURE_KINDS = ['offer', 'profile'] as const;
const pictureKindSchema = z.enum(PICTURE_KINDS);
export type PictureKind = z.output<typeof pictureKindSchema>;

export const PICTURE_FORMATS = ['avif', 'webp'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/** The longer side of the largest size, in pixels; profile pictures are square. */
export const PICTURE_SIDE: Record<PictureKind, number> = { offer: 960, profile: 256 };

const PREFIX = '/api/pictures/';
const ADDRESS = /^\/api\/pictures\/([\w-]{22}-([1-9]\d{0,3})x([1-9]\d{0,3}))\/([1-9]\d{0,3})\.webp$/;

export const pictureAddressSchema = z
  .string()
  .regex(ADDRESS, 'Is not the address of an uploaded picture')
  .describe('As POST /api/upload/picture has answered it');

/** An uploaded picture, or null. */
export const pictureUrlSchema = pictureAddressSchema.nullish().transform((url) => url ?? null);

/** A picture in an edit: a new one, none (null), or unchanged (missing). */
export const pictureChangeSchema = pictureAddressSchema.nullish();

/** An uploaded file, unchanged. Only REST takes files. */
export const uploadPictureInputSchema = z.object({ kind: pictureKindSchema, bytes: bytesSchema });

/** One file of a picture. */
export const pictureFileInputSchema = z.object({
  id: z.string().regex(/^[\w-]{22}-[1-9]\d{0,3}x[1-9]\d{0,3}$/, 'Is not the name of a picture'),
  width: z.int().min(1).max(9_999),
  format: z.enum(PICTURE_FORMATS, 'Is not a format of pictures'),
});
export type PictureFileInput = z.output<typeof pictureFileInputSchema>;

export const pictureFileSchema = z.object({ bytes: bytesSchema, contentType: z.string() });

/** The widths in pixels that a picture is kept in: three, unless it is tiny. */
export function pictureWidths(width: number): readonly number[] {
  return [...new Set([Math.ceil(width / 4), Math.ceil(width / 2), width])];
}

/** The public address of a picture by its name: that of its largest WebP; null for none. */
export function pictureUrl(id: string): string;
export function pictureUrl(id: string | null): string | null;
export function pictureUrl(id: string | null): string | null {
  return id && `${PREFIX}${id}/${/-(\d+)x\d+$/.exec(id)?.[1]}.webp`;
}

/** The name in a picture's address. */
export function pictureIdOf(url: string): string {
  return ADDRESS.exec(url)?.[1] ?? '';
}

/** The width on screen of an offer's picture on the page of its coupon, for the browser's choice of a file. */
export const OFFER_PICTURE_SIZES = '(min-width: 62em) 640px, 100vw';

/** The size of a picture in pixels, and its files as `srcset`s; null for any other address. */
export function pictureSources(
  url: string,
): { width: number; height: number; srcSets: Record<PictureFormat, string> } | null {
  const [, id, width, height] = ADDRESS.exec(url) ?? [];
  if (!id) return null;
  const srcSet = (format: PictureFormat) =>
    pictureWidths(Number(width))
      .map((each) => `${PREFIX}${id}/${each}.${format} ${each}w`)
      .join(', ');
  return {
    width: Number(width),
    height: Number(height),
    srcSets: { avif: srcSet('avif'), webp: srcSet('webp') },
  };
}
