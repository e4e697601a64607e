import { randomBytes } from 'node:crypto';
import { t } from '@lingui/core/macro';
import { type UploadedImage, uploadExpiry } from '#contract/coupons/images.ts';
import { pictureIdOf, pictureUrl } from '#contract/people/picture-addresses.ts';
import type { PictureFileInput, PictureKind } from '#contract/people/pictures.ts';
import type { Context } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { fieldError, notFound } from '#server/core/errors.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { PublicPicture } from '#server/readers/pictures/pictures.ts';
import { listKeptFiles, picturesIn, removeDiscarded } from './keeping.ts';
import * as store from './store.ts';
import { processUpload, storeUpload, unavailableOnFailure } from './uploading.ts';

/**
 * Stores a public picture, re-encoded in each size and format, until a coupon or a person takes it or it expires.
 * @throws AppError bad_input if a code can be read in it; rate_limited, payload_too_large, unsupported_media_type,
 *   unavailable
 */
export async function uploadPicture(
  ctx: Context,
  { kind, bytes }: { kind: PictureKind; bytes: Uint8Array },
): Promise<UploadedImage> {
  const picture = await processUpload(ctx, 'picture', bytes, ({ pictures }) => pictures.publish(bytes, kind));
  if (picture.hasCode)
    throw fieldError(
      'bad_input',
      'image',
      t`This picture shows a code that anyone could copy. Crop or cover that part, then try again.`,
    );
  const id = await storePicture(ctx, picture, { kind });
  const url = pictureUrl(id);
  return { url, filePath: url };
}

/** How long a feed's picture is given to further coupons before it is fetched again. */
const FEED_PICTURE_DAYS = 7;

/**
 * Stores the picture of an offer from a merchant's feed, for every coupon that is made of such an offer.
 * @returns false if a code can be read in it
 * @throws PictureRefusal; AppError unavailable
 */
export async function storeFeedPicture(
  ctx: Context,
  { sourceUrl, bytes }: { sourceUrl: string; bytes: Uint8Array },
): Promise<boolean> {
  const picture = await ctx.providers.pictures.publish(bytes, 'offer');
  if (!picture.hasCode)
    await storePicture(ctx, picture, { kind: 'offer', sourceUrl, attachedAt: ctx.clock() });
  return !picture.hasCode;
}

/** The picture that was taken from an address of a feed lately; null: none. It is kept until the transaction ends. */
export async function findFeedPicture(trx: Trx, sourceUrl: string, at: Date): Promise<string | null> {
  return store.findFeedPicture(trx, sourceUrl, addDays(at, -FEED_PICTURE_DAYS));
}

/** Where a feed has this picture; null for an upload, or if there is none. */
export async function sourceOfPicture(trx: Trx, id: string): Promise<string | null> {
  return store.sourceOf(trx, id);
}

async function storePicture(
  ctx: Context,
  picture: PublicPicture,
  given: { readonly kind: PictureKind; readonly sourceUrl?: string; readonly attachedAt?: Date },
): Promise<string> {
  const id = `${randomBytes(16).toString('base64url')}-${picture.width}x${picture.height}`;
  const files = picture.files.map(({ width, format, bytes }) => ({
    name: fileName({ id, width, format }),
    bytes,
  }));
  const names = files.map(({ name }) => name);
  await storeUpload(ctx, {
    id,
    files,
    insert: (row) => store.insertPicture(ctx.db, { ...row, ...given, id, files: names }),
    keep: store.keepUpload,
  });
  return id;
}

function fileName({ id, width, format }: PictureFileInput): string {
  return `${id}-${width}-${format}`;
}

/** One file of a picture that is not discarded. @throws AppError not_found, unavailable */
export async function readPicture(
  ctx: Context,
  input: PictureFileInput,
): Promise<{ bytes: Buffer; contentType: string }> {
  const name = fileName(input);
  const files = await store.filesOf(ctx.db, input.id);
  if (!files?.includes(name)) throw notFound(t`Picture not found`);
  const bytes = await unavailableOnFailure(ctx.providers.storage.get(name));
  if (bytes) return { bytes, contentType: `image/${input.format}` };
  ctx.log.error('the file of a picture is missing in the storage');
  throw notFound(t`Picture not found`);
}

/** The largest file of a picture that is not discarded. @throws AppError not_found, unavailable */
export async function largestFile(ctx: Context, id: string): Promise<{ bytes: Buffer; contentType: string }> {
  const files = (await store.filesOf(ctx.db, id)) ?? [];
  const found = files.flatMap((name) => {
    const [, width, format] = /-(\d+)-(\w+)$/.exec(name) ?? [];
    return format === 'webp' ? [Number(width)] : [];
  });
  return readPicture(ctx, { id, width: Math.max(...found), format: 'webp' });
}

/**
 * Takes a person's own upload, or one from before they had an account, for a coupon or profile, and discards the
 * picture before.
 * @param given.url the new picture's address; null: none
 * @param given.before the name of the picture before; the caller has locked the row that has it
 * @returns the name to store
 * @throws AppError bad_input on `field` if the upload is not theirs, has expired or is taken already
 */
export async function replacePicture(
  trx: Trx,
  given: {
    readonly url: string | null;
    readonly before: string | null;
    readonly kind: PictureKind;
    readonly field: 'imageUrl' | 'profileImageUrl';
    readonly uploaderId: number | null;
    readonly at: Date;
  },
): Promise<string | null> {
  const { url, before, kind, field, uploaderId, at } = given;
  const id = url === null ? null : pictureIdOf(url);
  if (id === before) return id;
  if (before !== null) await store.discardUploaded(trx, before, at);
  if (id === null) return null;
  const { members, anonymous } = uploadExpiry(at);
  const after = uploaderId === null ? anonymous : members;
  if (await store.attachUpload(trx, { id, kind, uploaderId, after, at })) return id;
  throw fieldError('bad_input', field, t`We no longer have this picture. Please upload it again.`);
}

/** Discards a picture that nothing refers to any more. */
export async function discardPicture(trx: Trx, id: string, at: Date): Promise<void> {
  await store.discard(trx, id, at);
}

/** Discards the pictures of these coupons, and the uploads of a person who leaves that nothing has taken. */
export async function discardPicturesOf(
  trx: Trx,
  given: { couponIds: readonly number[]; uploaderId?: number; at: Date },
): Promise<void> {
  await store.discardOf(trx, given);
}

const FILES = picturesIn('pictures', 8);

/** The files of all public pictures that are kept, in portions. */
export function listKeptPictures(db: Database): AsyncGenerator<string[]> {
  return listKeptFiles(db, FILES);
}

/** Removes discarded and expired pictures. @returns how many */
export async function cleanUpPictures(ctx: Context): Promise<number> {
  const at = ctx.clock();
  // Discarded before they are removed, so that nothing can take an upload while it is being removed.
  await store.discardExpired(ctx.db, { ...uploadExpiry(at), at });
  // A day after the last coupon could have taken it.
  await store.discardUnshown(ctx.db, { before: addDays(at, -FEED_PICTURE_DAYS - 1), at });
  return removeDiscarded(ctx, FILES);
}

export { drawCode } from './drawing.ts';
export { listKeptFiles, picturesIn, removeDiscarded } from './keeping.ts';
export { processUpload, refusedAsError, storeUpload, unavailableOnFailure } from './uploading.ts';
