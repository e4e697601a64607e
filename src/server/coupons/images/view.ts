import { z } from 'zod';
import { type FoundCode, foundCodeSchema } from '#contract/coupons/images.ts';
import type { Vault } from '#server/core/crypto.ts';

/** A picture to send. */
export interface ImageFile {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Quoted, as HTTP requires. */
  readonly etag: string;
}

const PREFIX = '/api/images/';

/** The URL of an upload that no coupon has. */
export function imageUrl(id: string): string {
  return `${PREFIX}${id}`;
}

/** The image id in such a URL. */
export function imageIdOf(url: string): string {
  return url.slice(PREFIX.length);
}

const codesSchema = z.array(foundCodeSchema);

const pictureContext = (id: string) => `image:${id}`;
/** What the codes found in an image are bound to. */
export const imageCodesContext = (id: string) => `image-codes:${id}`;

/** Encrypts a picture for the storage. Under another image's id it cannot be decrypted. */
export function sealPicture(vault: Vault, id: string, bytes: Uint8Array): Buffer {
  return vault.sealBytes(bytes, pictureContext(id));
}

/** The picture sealed under the newest secret key; null if it already is. @throws ClosedError */
export function resealPicture(vault: Vault, id: string, sealed: Uint8Array): Buffer | null {
  return vault.reseal(sealed, pictureContext(id));
}

/** Decrypts an image for somebody who may see it. */
export function toImageFile(
  vault: Vault,
  image: { readonly id: string; readonly contentType: string },
  sealed: Buffer,
): ImageFile {
  return {
    bytes: vault.openBytes(sealed, pictureContext(image.id)),
    contentType: image.contentType,
    // The etag is a keyed hash of the id: an image never changes, and its id must stay secret.
    etag: `"${vault.fingerprint(`image-etag:${image.id}`).slice(0, 32)}"`,
  };
}

/** Encrypts the codes found in an image, for its row. */
export function sealCodes(vault: Vault, id: string, codes: readonly FoundCode[]): Buffer {
  return vault.seal(JSON.stringify(codes), imageCodesContext(id));
}

/** Decrypts the codes found in an image, for somebody who may see it. */
export function openCodes(vault: Vault, image: { readonly id: string; readonly codes: Buffer }): FoundCode[] {
  return codesSchema.parse(JSON.parse(vault.open(image.codes, imageCodesContext(image.id))));
}
