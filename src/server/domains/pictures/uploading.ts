import { MAX_IMAGE_BYTES } from '#contract/images.ts';
import { AppError, fieldError } from '#server/core/errors.ts';
import { addressKey, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { type PictureProblem, PictureRefusal } from '#server/providers/pictures/pictures.ts';
import { StorageFailure } from '#server/providers/storage/storage.ts';
import type { Context, Providers } from '../context.ts';

const UPLOADS_PER_PERSON: RateLimit = { name: 'uploads', points: 60, seconds: 3_600 };
const UPLOADS_PER_ADDRESS: RateLimit = { name: 'uploads-anonymous', points: 10, seconds: 3_600 };

const FORMATS = 'Please send a JPEG, PNG, WebP, GIF or AVIF picture.';

const PROBLEMS: Record<PictureProblem, Parameters<typeof fieldError>> = {
  not_an_image: [
    'unsupported_media_type',
    'image',
    `This file is not a picture that can be read. ${FORMATS}`,
  ],
  broken: ['unsupported_media_type', 'image', `This picture is damaged and cannot be read. ${FORMATS}`],
  too_many_pixels: [
    'payload_too_large',
    'image',
    'This picture has too many pixels. Please send a smaller one: a part that shows the code is enough.',
  ],
  too_slow: [
    'unavailable',
    'image',
    'This picture could not be read in time. Please try again, or send a smaller one.',
  ],
};

/**
 * Decodes an upload, of a code or for everybody.
 * @throws AppError rate_limited, payload_too_large, unsupported_media_type, unavailable
 */
export async function processUpload<Result>(
  ctx: Context,
  bytes: Uint8Array,
  work: (providers: Providers) => Promise<Result>,
): Promise<Result> {
  if (ctx.actor) await enforceLimit(ctx.limiter, UPLOADS_PER_PERSON, String(ctx.actor.id));
  else await enforceLimit(ctx.limiter, UPLOADS_PER_ADDRESS, addressKey(ctx.ip));
  if (bytes.byteLength > MAX_IMAGE_BYTES) {
    const megabytes = MAX_IMAGE_BYTES / 1_048_576;
    throw fieldError('payload_too_large', 'image', `The picture must have at most ${megabytes} MB.`);
  }
  try {
    return await work(ctx.providers);
  } catch (error) {
    if (error instanceof PictureRefusal) throw fieldError(...PROBLEMS[error.problem]);
    throw error;
  }
}

/** @throws AppError unavailable if the storage fails */
export async function unavailableOnFailure<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof StorageFailure)) throw error;
    const text = 'Pictures are not available right now. Please try again in a moment.';
    throw new AppError('unavailable', text, { cause: error });
  }
}
