import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { ofField } from '#contract/base/input-texts.ts';
import { bytesSchema } from '#contract/coupons/images.ts';
import { PICTURE_ADDRESS, PICTURE_FORMATS } from './picture-addresses.ts';

/** Public pictures: of an offer, or of a person. */
const PICTURE_KINDS = ['offer', 'profile'] as const;
const pictureKindSchema = z.enum(PICTURE_KINDS).meta({ id: 'PictureKind' });
export type PictureKind = z.output<typeof pictureKindSchema>;

/** The longer side of the largest size, in pixels; profile pictures are square. */
export const PICTURE_SIDE: Record<PictureKind, number> = { offer: 960, profile: 256 };

function addressSchema(pattern: RegExp) {
  return z
    .string()
    .regex(pattern, { error: ofField(() => t`Is not the address of an uploaded picture`) })
    .describe('As POST /api/upload/picture has answered it');
}

export const pictureAddressSchema = addressSchema(PICTURE_ADDRESS);

/** Forms send an empty text where nobody has chosen a picture. */
const maybeAddressSchema = addressSchema(new RegExp(`${PICTURE_ADDRESS.source}|^$`));

/** An uploaded picture, or null; an empty text is none. */
export const pictureUrlSchema = maybeAddressSchema
  .nullish()
  .transform((url) => url || null)
  .meta({ id: 'PictureUrl' });

/** A picture in an edit: a new one, none (null), or unchanged (missing or an empty text). */
export const pictureChangeSchema = maybeAddressSchema
  .nullish()
  .transform((url) => (url === '' ? undefined : url))
  .optional();

/** An uploaded file, unchanged. Only REST takes files. */
export const uploadPictureInputSchema = z.object({ kind: pictureKindSchema, bytes: bytesSchema });

/** One file of a picture. */
export const pictureFileInputSchema = z.object({
  id: z.string().regex(/^[\w-]{22}-[1-9]\d{0,3}x[1-9]\d{0,3}$/, {
    error: ofField(() => t`Is not the name of a picture`),
  }),
  width: z.int().min(1).max(9_999),
  format: z.enum(PICTURE_FORMATS, { error: ofField(() => t`Is not a format of pictures`) }),
});
export type PictureFileInput = z.output<typeof pictureFileInputSchema>;

export const pictureFileSchema = z.object({ bytes: bytesSchema, contentType: z.string() });
