import { t } from '@lingui/core/macro';
import type { ErrorCode } from '#contract/base/errors.ts';
import { MAX_IMAGE_BYTES } from '#contract/coupons/images.ts';
import type { Context, Providers } from '#server/context/context.ts';
import { AppError, fieldError } from '#server/core/errors.ts';
import { addressKey, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import type { Database } from '#server/database/client.ts';
import { StorageFailure } from '#server/providers/storage/storage.ts';
import { type PictureProblem, PictureRefusal } from '#server/readers/pictures/pictures.ts';

const UPLOADS_PER_PERSON: RateLimit = { name: 'uploads', points: 60, seconds: 3_600 };
const UPLOADS_PER_ADDRESS: RateLimit = { name: 'uploads-anonymous', points: 10, seconds: 3_600 };

/** How long storing an upload may take before the clean-up removes it. */
const STORING_MS = 3_600_000;

const unavailableText = () => t`Pictures are not available right now. Please try again in a moment.`;

/** What an upload may be: a code, or a picture. */
type UploadPurpose = 'code' | 'picture';

const FORMATS: Record<UploadPurpose, () => string> = {
  code: () => t`Please send a JPEG, PNG, WebP, GIF, AVIF or HEIC picture, a PDF, or a wallet pass (.pkpass).`,
  picture: () => t`Please send a JPEG, PNG, WebP, GIF, AVIF or HEIC picture.`,
};

const PROBLEMS: Record<PictureProblem, readonly [code: ErrorCode, text: () => string, namesFormats?: true]> =
  {
    not_an_image: ['unsupported_media_type', () => t`This file is not a picture that can be read.`, true],
    broken: ['unsupported_media_type', () => t`This picture is damaged and cannot be read.`, true],
    too_many_pixels: [
      'payload_too_large',
      () => t`This picture has too many pixels. Please send a smaller one, or a part of it.`,
    ],
    too_slow: [
      'unavailable',
      () => t`We could not read this picture in time. Please try again, or send a smaller one.`,
    ],
    busy: ['unavailable', () => t`Many pictures are being read right now. Please try again in a moment.`],
    interrupted: ['unavailable', () => t`Reading this picture was interrupted. Please try again.`],
    locked: [
      'unsupported_media_type',
      () => t`This file is protected by a password. Please send a screenshot of the code.`,
    ],
    too_many_parts: [
      'payload_too_large',
      () =>
        t`This file has too many pages or parts. Please send only the page with the code, or a screenshot of it.`,
    ],
    no_such_page: ['bad_input', () => t`This file has fewer pages.`],
    broken_pass: [
      'unsupported_media_type',
      () => t`This wallet pass is damaged and cannot be read. Please send it again, or a screenshot of it.`,
    ],
    other_barcode: [
      'unsupported_media_type',
      () => t`We cannot read the barcode of this wallet pass. Please send a screenshot of it.`,
    ],
    many_passes: [
      'unsupported_media_type',
      () =>
        t`This file holds several wallet passes. Add it on the page for many coupons, where each is a row.`,
    ],
    no_barcode: [
      'unsupported_media_type',
      () => t`This wallet pass has no barcode. If it names a code, please type it.`,
    ],
    shows_code: [
      'bad_input',
      () => t`We could not cover a code in this picture. Crop or cover that part, then try again.`,
    ],
    used_pass: [
      'unsupported_media_type',
      () => t`The issuer of this wallet pass has marked it as used or withdrawn.`,
    ],
  };

/**
 * Decodes an upload.
 * @throws AppError rate_limited, payload_too_large, unsupported_media_type, unavailable
 */
export async function processUpload<Result>(
  ctx: Context,
  purpose: UploadPurpose,
  bytes: Uint8Array,
  work: (providers: Providers) => Promise<Result>,
): Promise<Result> {
  if (ctx.actor) await enforceLimit(ctx.limiter, UPLOADS_PER_PERSON, String(ctx.actor.id));
  else await enforceLimit(ctx.limiter, UPLOADS_PER_ADDRESS, addressKey(ctx.ip));
  if (bytes.byteLength > MAX_IMAGE_BYTES) {
    const megabytes = MAX_IMAGE_BYTES / 1_048_576;
    throw fieldError('payload_too_large', 'image', t`The picture must have at most ${megabytes} MB.`);
  }
  return refusedAsError(purpose, work(ctx.providers));
}

/** @throws AppError payload_too_large, unsupported_media_type, unavailable */
export async function refusedAsError<Result>(purpose: UploadPurpose, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof PictureRefusal)) throw error;
    const [code, text, namesFormats] = PROBLEMS[error.problem];
    throw fieldError(code, 'image', namesFormats ? `${text()} ${FORMATS[purpose]()}` : text());
  }
}

/** A new upload with its files. */
interface NewUpload {
  readonly id: string;
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /** Inserts the row. */
  insert(row: { uploaderId: number | null; createdAt: Date; discardedAt: Date }): Promise<void>;
  /** Makes the upload usable unless its time to be discarded has come. @returns whether */
  keep(db: Database, upload: { id: string; at: Date }): Promise<boolean>;
}

/**
 * Stores an upload. The row comes first, discarded from an hour ahead, and is kept once all files are stored: the
 * clean-up removes the files of an upload that fails or stops in between.
 * @throws AppError unavailable
 */
export async function storeUpload(ctx: Context, { id, files, insert, keep }: NewUpload): Promise<void> {
  const createdAt = ctx.clock();
  const discardedAt = new Date(createdAt.getTime() + STORING_MS);
  await insert({ uploaderId: ctx.actor?.id ?? null, createdAt, discardedAt });
  const { storage } = ctx.providers;
  for (const { name, bytes } of files) await unavailableOnFailure(storage.put(name, bytes));
  if (await keep(ctx.db, { id, at: ctx.clock() })) return;
  // The clean-up may have come before the last files.
  for (const { name } of files) await unavailableOnFailure(storage.remove(name));
  throw new AppError('unavailable', unavailableText());
}

/** @throws AppError unavailable if the storage fails */
export async function unavailableOnFailure<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof StorageFailure)) throw error;
    throw new AppError('unavailable', unavailableText(), { cause: error });
  }
}
