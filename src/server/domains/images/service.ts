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
import { callerOf, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import type { Database, Trx } from '#server/database/client.ts';
import {
  type PictureProblem,
  PictureRefusal,
  type ReadPicture,
} from '#server/providers/pictures/pictures.ts';
import { StorageFailure } from '#server/providers/storage/storage.ts';
import { countCodeTry } from '../code-tries.ts';
import type { Context } from '../context.ts';
import { imageIdOf, imageUrl, likeliestCode, looseUntil, maySee } from './rules.ts';
import * as store from './store.ts';
import { type ImageFile, openCodes, sealCodes, sealPicture, toImageFile } from './view.ts';

const UPLOADS_PER_PERSON: RateLimit = { name: 'uploads', points: 60, seconds: 3_600 };
const UPLOADS_PER_CALLER: RateLimit = { name: 'uploads-anonymous', points: 10, seconds: 3_600 };

/** Files are removed so many at once. */
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

/**
 * Keeps a picture of a code, encoded anew and sealed, until a coupon takes it or its time runs out.
 * @throws AppError rate_limited, payload_too_large, unsupported_media_type, bad_input, unavailable
 */
export async function uploadImage(
  ctx: Context,
  { kind, bytes }: { kind: ImageKind; bytes: Uint8Array },
): Promise<UploadedImage> {
  const { actor, vault } = ctx;
  if (actor) await enforceLimit(ctx.limiter, UPLOADS_PER_PERSON, String(actor.id));
  else await enforceLimit(ctx.limiter, UPLOADS_PER_CALLER, callerOf(ctx.ip));
  if (bytes.byteLength > MAX_IMAGE_BYTES) {
    const megabytes = MAX_IMAGE_BYTES / 1_048_576;
    throw fieldError('payload_too_large', 'image', `The picture must have at most ${megabytes} MB.`);
  }
  const picture = await readPicture(ctx, bytes);
  const id = randomBytes(16).toString('base64url');
  // The file first: one without a row is read by nobody, a row without its file would be broken.
  await orUnavailable(ctx.providers.storage.put(id, sealPicture(vault, id, picture.bytes)));
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
 * An upload that no coupon has taken, for its uploader; one uploaded by nobody signed in, for whoever knows its name.
 * @throws AppError not_found for everybody else, and when its time has run out; unavailable
 */
export async function readImage(ctx: Context, id: string): Promise<ImageFile> {
  const image = await findVisible(ctx, id);
  const file = await openFile(ctx, image);
  if (!file) throw notFound('Image');
  return file;
}

/**
 * The codes in an upload that the caller may see: the likeliest for the kind asked about, and all of them.
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

/** The likeliest code in an upload that the caller may see, null where none was found. @throws AppError not_found */
export async function codeOnImage(ctx: Context, url: string): Promise<string | null> {
  const image = await findVisible(ctx, imageIdOf(url));
  return likeliestCode(openCodes(ctx.vault, image), image.kind);
}

/** The code that `attachImage` will find in an upload; null also where it will refuse the upload. */
export async function codeToAttach(ctx: Context, url: string, kind: ImageKind): Promise<string | null> {
  const image = await store.findLoose(ctx.db, imageIdOf(url));
  return image ? likeliestCode(openCodes(ctx.vault, image), kind) : null;
}

/**
 * Makes somebody's own upload their coupon's picture of a kind, in the place of an earlier one; repeated, it changes
 * nothing. Answers the likeliest code in it. The caller has locked the coupon.
 * @throws AppError bad_input when the upload is not theirs, has run out or is another coupon's
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
  const after = looseUntil(at).members;
  const image = await store.attachLoose(trx, { id, uploaderId: given.userId, after, couponId, kind });
  if (!image) {
    const field = kind === 'qrcode' ? 'qrCodeUrl' : 'barcodeUrl';
    throw fieldError('bad_input', field, 'This picture is no longer here. Please upload it again.');
  }
  return { code: likeliestCode(openCodes(vault, image), kind) };
}

/** Takes pictures away from a coupon, one kind or all: nobody sees them any more, and the clean-up removes them. */
export async function discardImages(
  trx: Trx,
  given: { couponId: number; kind?: ImageKind; at: Date },
): Promise<void> {
  await store.discardOfCoupon(trx, given);
}

/** The same of somebody who leaves: the pictures of these coupons, and what they have uploaded for none. */
export async function discardImagesOf(
  trx: Trx,
  given: { couponIds: readonly number[]; uploaderId: number; at: Date },
): Promise<void> {
  await store.discardOfPerson(trx, given);
}

/**
 * The picture that was uploaded of a coupon's code; null where there is none. The caller has made sure that it is
 * for its owner.
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
 * Removes the uploads that no coupon has taken in time, and what was discarded: the file first, so that nothing is
 * kept that no row tells of. What the storage refuses to remove is left for the next time.
 * @returns how many were removed
 */
export async function cleanUpImages(ctx: Context): Promise<number> {
  const at = ctx.clock();
  // Discarded before they are removed: a coupon that takes one in this moment keeps it.
  await store.discardLoose(ctx.db, { ...looseUntil(at), at });
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
    // The storage is away altogether.
    if (removed.length === 0) return count;
  }
}

/** @throws AppError not_found: it is not there, or not for the caller, which look the same */
async function findVisible(ctx: Context, id: string) {
  const image = await store.findLoose(ctx.db, id);
  if (!image || !maySee(image, ctx.actor?.id ?? null, ctx.clock())) throw notFound('Image');
  return image;
}

async function openFile(
  ctx: Context,
  image: { readonly id: string; readonly contentType: string },
): Promise<ImageFile | null> {
  const sealed = await orUnavailable(ctx.providers.storage.get(image.id));
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

/** @throws AppError unavailable when the storage fails */
async function orUnavailable<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof StorageFailure)) throw error;
    const text = 'Pictures are not available right now. Please try again in a moment.';
    throw new AppError('unavailable', text, { cause: error });
  }
}
