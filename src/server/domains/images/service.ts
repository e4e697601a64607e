import { randomBytes } from 'node:crypto';
import {
  type ExtractCodeInput,
  type ExtractedCode,
  type ImageKind,
  MAX_IMAGE_BYTES,
  type UploadedImage,
} from '#contract/images.ts';
import type { Vault } from '#server/core/crypto.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { addressKey, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import type { Database, Trx } from '#server/database/client.ts';
import {
  type PictureProblem,
  PictureRefusal,
  type ReadPicture,
} from '#server/providers/pictures/pictures.ts';
import { StorageFailure } from '#server/providers/storage/storage.ts';
import { countCodeTry } from '../code-tries.ts';
import type { Context } from '../context.ts';
import { imageIdOf, imageUrl, likeliestCode, maySee, uploadExpiry } from './rules.ts';
import * as store from './store.ts';
import { type ImageFile, openCodes, sealCodes, sealPicture, toImageFile } from './view.ts';

const UPLOADS_PER_PERSON: RateLimit = { name: 'uploads', points: 60, seconds: 3_600 };
const UPLOADS_PER_ADDRESS: RateLimit = { name: 'uploads-anonymous', points: 10, seconds: 3_600 };

/** How many files are removed at once. */
const REMOVED_AT_ONCE = 50;

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
    'bad_input',
    'image',
    'This picture could not be read in time. Please send a smaller or a sharper one.',
  ],
};

/** Stores a picture of a code, re-encoded and encrypted, until a coupon takes it or it expires. */
export async function uploadImage(
  ctx: Context,
  { kind, bytes }: { kind: ImageKind; bytes: Uint8Array },
): Promise<UploadedImage> {
  const { actor, vault } = ctx;
  if (actor) await enforceLimit(ctx.limiter, UPLOADS_PER_PERSON, String(actor.id));
  else await enforceLimit(ctx.limiter, UPLOADS_PER_ADDRESS, addressKey(ctx.ip));
  if (bytes.byteLength > MAX_IMAGE_BYTES) {
    const megabytes = MAX_IMAGE_BYTES / 1_048_576;
    throw fieldError('payload_too_large', 'image', `The picture must have at most ${megabytes} MB.`);
  }
  const picture = await readPicture(ctx, bytes);
  const id = randomBytes(16).toString('base64url');
  // The file first: a file without a row is never read, but a row without a file would be broken.
  await unavailableOnFailure(ctx.providers.storage.put(id, sealPicture(vault, id, picture.bytes)));
  await store.insertImage(ctx.db, {
    id,
    uploaderId: actor?.id ?? null,
    kind,
    contentType: picture.contentType,
    width: picture.width,
    height: picture.height,
    codes: sealCodes(vault, id, picture.codes),
    createdAt: ctx.clock(),
  });
  const url = imageUrl(id);
  return { url, filePath: url };
}

/**
 * An unattached upload: a member's for its uploader, an anonymous one for everybody who knows its id.
 * @throws AppError not_found for everybody else and after it has expired; unavailable
 */
export async function readImage(ctx: Context, id: string): Promise<ImageFile> {
  const image = await findVisible(ctx, id);
  const file = await openFile(ctx, image);
  if (!file) throw notFound('Image');
  return file;
}

/**
 * The codes in an upload that the caller may see: the most likely one for this kind, and all of them.
 * @throws AppError not_found, rate_limited (new codes)
 */
export async function extractCode(
  ctx: Context,
  { imageUrl: url, imageType }: ExtractCodeInput,
): Promise<ExtractedCode> {
  const codes = openCodes(ctx.vault, await findVisible(ctx, imageIdOf(url)));
  for (const { text } of codes) await countCodeTry(ctx, { merchant: null, code: text });
  return { codeValue: likeliestCode(codes, imageType), codes };
}

/** The most likely code in an upload that the caller may see; null if none was found. @throws AppError not_found */
export async function codeOnImage(ctx: Context, url: string): Promise<string | null> {
  const image = await findVisible(ctx, imageIdOf(url));
  return likeliestCode(openCodes(ctx.vault, image), image.kind);
}

/** The code that `attachImage` will find in an upload; null if there is none or it will refuse the upload. */
export async function codeToAttach(ctx: Context, url: string, kind: ImageKind): Promise<string | null> {
  const image = await store.findUnattached(ctx.db, imageIdOf(url));
  return image ? likeliestCode(openCodes(ctx.vault, image), kind) : null;
}

/**
 * Attaches a person's own upload to their coupon as its picture of this kind, replacing an earlier one. Repeating it
 * changes nothing. The caller has locked the coupon.
 * @returns the most likely code in the picture
 * @throws AppError bad_input if the upload is not theirs, has expired or belongs to another coupon
 */
export async function attachImage(
  trx: Trx,
  vault: Vault,
  given: { couponId: number; kind: ImageKind; url: string; userId: number; at: Date },
): Promise<{ code: string | null }> {
  const { couponId, kind, at } = given;
  const id = imageIdOf(given.url);
  const before = await store.findOfCoupon(trx, couponId, kind);
  if (before?.id === id) return { code: likeliestCode(openCodes(vault, before), kind) };
  if (before) await store.discardOfCoupon(trx, { couponId, kind, at });
  const after = uploadExpiry(at).members;
  const image = await store.attachUpload(trx, { id, uploaderId: given.userId, after, couponId, kind });
  if (!image) {
    const field = kind === 'qrcode' ? 'qrCodeUrl' : 'barcodeUrl';
    throw fieldError('bad_input', field, 'This picture is no longer here. Please upload it again.');
  }
  return { code: likeliestCode(openCodes(vault, image), kind) };
}

/** Discards a coupon's pictures of one kind, or all: nobody can see them any more, and the clean-up removes them. */
export async function discardImages(
  trx: Trx,
  given: { couponId: number; kind?: ImageKind; at: Date },
): Promise<void> {
  await store.discardOfCoupon(trx, given);
}

/** Discards the pictures of a person who leaves: those of their coupons and their unattached uploads. */
export async function discardImagesOf(
  trx: Trx,
  given: { couponIds: readonly number[]; uploaderId: number; at: Date },
): Promise<void> {
  await store.discardOfPerson(trx, given);
}

/**
 * The uploaded picture of a coupon's code; null if there is none. The caller has checked that the viewer is its owner.
 * @throws AppError unavailable
 */
export async function imageOfCoupon(
  ctx: Context,
  db: Database | Trx,
  couponId: number,
  kind: ImageKind,
): Promise<ImageFile | null> {
  const image = await store.findOfCoupon(db, couponId, kind);
  return image ? openFile(ctx, image) : null;
}

/** The names of all pictures that are kept, in order, in pages. */
export async function* listKeptImages(db: Database, pageSize: number): AsyncGenerator<string[]> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const images = await store.listKept(db, after, pageSize);
    if (images.length > 0) yield images.map(({ id }) => id);
    after = images.at(-1)?.id;
  }
}

/**
 * Removes discarded and expired uploads. The file goes first, so that no file is left without a row. What the storage
 * fails to remove is tried again at the next run.
 * @returns how many were removed
 */
export async function cleanUpImages(ctx: Context): Promise<number> {
  const at = ctx.clock();
  // Discarded before they are removed, so that a coupon cannot take an upload while it is being removed.
  await store.discardExpired(ctx.db, { ...uploadExpiry(at), at });
  let count = 0;
  for (let after = ''; ; ) {
    const ids = await store.listDiscarded(ctx.db, after, REMOVED_AT_ONCE);
    const last = ids.at(-1);
    if (last === undefined) return count;
    after = last;
    const outcomes = await Promise.allSettled(ids.map((id) => ctx.providers.storage.remove(id)));
    const removed = ids.filter((_, i) => outcomes[i]?.status === 'fulfilled');
    await store.deleteDiscarded(ctx.db, removed);
    count += removed.length;
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) ctx.log.warn({ err: failed.reason }, 'pictures could not be removed');
    // The storage fails altogether.
    if (removed.length === 0) return count;
  }
}

/** @throws AppError not_found, both if there is none and if the caller may not see it */
async function findVisible(ctx: Context, id: string) {
  const image = await store.findUnattached(ctx.db, id);
  if (!image || !maySee(image, ctx.actor?.id ?? null, ctx.clock())) throw notFound('Image');
  return image;
}

async function openFile(
  ctx: Context,
  image: { readonly id: string; readonly contentType: string },
): Promise<ImageFile | null> {
  const sealed = await unavailableOnFailure(ctx.providers.storage.get(image.id));
  if (sealed) return toImageFile(ctx.vault, image, sealed);
  ctx.log.error('the file of a picture is missing in the storage');
  return null;
}

async function readPicture(ctx: Context, bytes: Uint8Array): Promise<ReadPicture> {
  try {
    return await ctx.providers.pictures.read(bytes);
  } catch (error) {
    if (error instanceof PictureRefusal) throw fieldError(...PROBLEMS[error.problem]);
    throw error;
  }
}

/** @throws AppError unavailable if the storage fails */
async function unavailableOnFailure<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof StorageFailure)) throw error;
    const text = 'Pictures are not available right now. Please try again in a moment.';
    throw new AppError('unavailable', text, { cause: error });
  }
}
