import { randomBytes } from 'node:crypto';
import { t } from '@lingui/core/macro';
import {
  type ExtractCodeInput,
  type ExtractedCode,
  type FoundCode,
  type ImageKind,
  type UploadedImage,
  type UploadImageInput,
  uploadExpiry,
} from '#contract/coupons/images.ts';
import type { Context } from '#server/context/context.ts';
import type { Vault } from '#server/core/crypto.ts';
import { fieldError, notFound } from '#server/core/errors.ts';
import { countCodeTry } from '#server/coupons/core/code-tries.ts';
import type { Database, Trx } from '#server/database/client.ts';
import {
  listKeptFiles,
  picturesIn,
  processUpload,
  removeDiscarded,
  storeUpload,
  unavailableOnFailure,
} from '#server/people/pictures/service.ts';
import type { ReadPicture } from '#server/readers/pictures/pictures.ts';
import { viewDrafts } from './draft-views.ts';
import { isMoreThanText, likeliestCode, maySee, symbolOf } from './rules.ts';
import * as store from './store.ts';
import {
  type ImageFile,
  imageIdOf,
  imageUrl,
  openCodes,
  resealPicture,
  sealCodes,
  sealPicture,
  toImageFile,
} from './view.ts';

/** Stores a picture of a code, re-encoded and encrypted, until a coupon takes it or it expires. */
export async function uploadImage(
  ctx: Context,
  { kind, bytes, page }: UploadImageInput,
): Promise<UploadedImage> {
  const picture = await processUpload(ctx, 'code', bytes, ({ pictures }) => pictures.read(bytes, page));
  const { facts, pages } = picture;
  const url = imageUrl(await storeImage(ctx, kind, picture));
  return { url, filePath: url, ...(facts && { facts }), ...(pages && { pages }) };
}

/**
 * Stores a picture, encrypted.
 * @param uploaderId whose it is; by default the caller’s
 * @returns its id
 */
export async function storeImage(
  ctx: Context,
  kind: ImageKind | 'evidence',
  { contentType, width, height, bytes, codes }: ReadPicture,
  uploaderId = ctx.actor?.id ?? null,
): Promise<string> {
  const id = randomBytes(16).toString('base64url');
  const sealed = sealCodes(ctx.vault, id, codes);
  await storeUpload(ctx, {
    id,
    files: [{ name: id, bytes: sealPicture(ctx.vault, id, bytes) }],
    insert: (row) =>
      store.insertImage(ctx.db, { ...row, uploaderId, id, kind, contentType, width, height, codes: sealed }),
    keep: store.keepUpload,
  });
  return id;
}

/**
 * An unattached upload: a member's for its uploader, an anonymous one for everybody who knows its id.
 * @throws AppError not_found for everybody else and after it has expired; unavailable
 */
export async function readImage(ctx: Context, id: string): Promise<ImageFile> {
  return openUpload(ctx, await store.findUnattached(ctx.db, id));
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

/** An upload that the caller may see: its file and the codes in it. @throws AppError not_found, unavailable */
export async function openVisible(
  ctx: Context,
  url: string,
): Promise<{ file: ImageFile; codes: readonly FoundCode[] }> {
  const image = await findVisible(ctx, imageIdOf(url));
  return { file: await openKept(ctx, image), codes: openCodes(ctx.vault, image) };
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
  const image = await store.attachUpload(trx, { id, uploaderId: given.userId, after, at, couponId, kind });
  if (!image) {
    const field = kind === 'qrcode' ? 'qrCodeUrl' : 'barcodeUrl';
    throw fieldError('bad_input', field, t`We no longer have this picture. Please upload it again.`);
  }
  return { code: likeliestCode(openCodes(vault, image), kind) };
}

/** How many of a person's uploads are looked at; nobody uploads more for one coupon. */
const SOURCES_LOOKED_AT = 60;

/**
 * Whether a coupon's code comes from a picture whose symbol holds other bytes than the text: drawn again, it would be
 * another code. Looks at the coupon's pictures, and at the owner's uploads that no coupon has.
 */
export async function isMoreThanItsText(
  trx: Trx,
  vault: Vault,
  given: { couponId: number; code: string; userId: number; at: Date },
): Promise<boolean> {
  const sources = await store.listSources(trx, {
    couponId: given.couponId,
    uploaderId: given.userId,
    after: uploadExpiry(given.at).members,
    limit: SOURCES_LOOKED_AT,
  });
  return sources.some((image) => isMoreThanText(openCodes(vault, image), given.code));
}

/** Discards a coupon's pictures of one kind, or all: nobody can see them any more, and the clean-up removes them. */
export async function discardImages(
  trx: Trx,
  given: { couponId: number; kind?: ImageKind; at: Date },
): Promise<void> {
  await store.discardOfCoupon(trx, given);
}

/** Keeps uploads for a draft, beyond the time that uploads have. */
export async function keepUploads(trx: Trx, given: { ids: readonly string[]; until: Date }): Promise<void> {
  await store.keepUntil(trx, given);
}

/** Discards uploads that no coupon has taken. */
export async function discardUploads(trx: Trx, given: { ids: readonly string[]; at: Date }): Promise<void> {
  await store.discardUnattached(trx, given);
}

/** Discards the pictures of a person who leaves: those of their coupons, their unattached uploads and their evidence. */
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

/**
 * The symbol on a coupon's pictures, the QR code's before the barcode's, with the picture; null if none can be read there.
 * The caller has checked that the viewer is its owner.
 * @param code of the coupon
 * @throws AppError unavailable
 */
export async function symbolOfCoupon(
  ctx: Context,
  { couponId, code }: { couponId: number; code: string },
): Promise<{ symbol: FoundCode; open: () => Promise<ImageFile | null> } | null> {
  for (const kind of ['qrcode', 'barcode'] as const) {
    const image = await store.findOfCoupon(ctx.db, couponId, kind);
    const symbol = image && symbolOf(openCodes(ctx.vault, image), { kind, code });
    if (image && symbol) return { symbol, open: () => openFile(ctx, image) };
  }
  return null;
}

const FILES = picturesIn('images', 50, 'id');

/** The files of all pictures of codes that are kept, in portions. */
export function listKeptImages(db: Database): AsyncGenerator<string[]> {
  return listKeptFiles(db, FILES);
}

/** Removes discarded and expired uploads. @returns how many */
export async function cleanUpImages(ctx: Context): Promise<number> {
  const at = ctx.clock();
  // Discarded before they are removed, so that a coupon cannot take an upload while it is being removed.
  await store.discardExpired(ctx.db, { ...uploadExpiry(at), at });
  return removeDiscarded(ctx, FILES);
}

/** @throws AppError not_found, both if there is none and if the caller may not see it; second_factor_required */
async function findVisible(ctx: Context, id: string) {
  return checkVisible(ctx, await store.findUnattached(ctx.db, id));
}

/** The picture of a draft shows its code: it is seen like the draft itself. */
async function checkVisible<Image extends Parameters<typeof maySee>[0] & { readonly id: string }>(
  ctx: Context,
  image: Image | undefined,
): Promise<Image> {
  const { actor } = ctx;
  if (!image || !maySee(image, actor?.id ?? null, ctx.clock())) throw notFound(t`Image not found`);
  if (image.keptUntil && actor) await viewDrafts({ ...ctx, actor }, image.id);
  return image;
}

/** The file of an upload that nothing has taken yet. @throws AppError not_found (who may not see it), unavailable */
export async function openUpload(
  ctx: Context,
  image: (Parameters<typeof maySee>[0] & Parameters<typeof openFile>[1]) | undefined,
): Promise<ImageFile> {
  return openKept(ctx, await checkVisible(ctx, image));
}

/** The file of a picture that the caller may see. @throws AppError not_found, unavailable */
export async function openKept(ctx: Context, image: Parameters<typeof openFile>[1]): Promise<ImageFile> {
  const file = await openFile(ctx, image);
  if (!file) throw notFound(t`Image not found`);
  return file;
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

/** Seals the file of a picture under the newest secret key. @throws ClosedError */
export async function resealFile(
  { vault, providers: { storage } }: Pick<Context, 'vault' | 'providers'>,
  id: string,
): Promise<void> {
  const sealed = await storage.get(id);
  const renewed = sealed && resealPicture(vault, id, sealed);
  if (renewed) await storage.put(id, renewed);
}

/** Removes the file of a picture that was discarded while it was sealed: the clean-up may have come before. */
export async function removeUnlessKept(
  { db, providers: { storage } }: Pick<Context, 'db' | 'providers'>,
  id: string,
): Promise<void> {
  if (!(await store.isKept(db, id))) await storage.remove(id);
}
