import { z } from 'zod';
import { type FoundCode, foundCodeSchema } from '#contract/images.ts';
import type { Vault } from '#server/core/crypto.ts';

/** A picture as it is sent. */
export interface ImageFile {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Quoted, as HTTP has it. */
  readonly etag: string;
}

const codesSchema = z.array(foundCodeSchema);

const pictureContext = (id: string) => `image:${id}`;
const codesContext = (id: string) => `image-codes:${id}`;

/** A picture as the storage keeps it: under another image's name it does not open. */
export function sealPicture(vault: Vault, id: string, bytes: Uint8Array): Buffer {
  return vault.sealBytes(bytes, pictureContext(id));
}

/** The picture under the newest secret key; null where it is. @throws ClosedError */
export function resealPicture(vault: Vault, id: string, sealed: Uint8Array): Buffer | null {
  return vault.reseal(sealed, pictureContext(id));
}

/** What is sent of an image to somebody who may see it. */
export function toImageFile(
  vault: Vault,
  image: { readonly id: string; readonly contentType: string },
  sealed: Buffer,
): ImageFile {
  return {
    bytes: vault.openBytes(sealed, pictureContext(image.id)),
    contentType: image.contentType,
    // A name stands for one picture for ever, and is nobody's to know: hashed with the key it tells nothing.
    etag: `"${vault.fingerprint(`image-etag:${image.id}`).slice(0, 32)}"`,
  };
}

/** The codes found in an image as its row keeps them. */
export function sealCodes(vault: Vault, id: string, codes: readonly FoundCode[]): Buffer {
  return vault.seal(JSON.stringify(codes), codesContext(id));
}

/** The codes found in an image, for somebody who may see it. */
export function openCodes(vault: Vault, image: { readonly id: string; readonly codes: Buffer }): FoundCode[] {
  return codesSchema.parse(JSON.parse(vault.open(image.codes, codesContext(image.id))));
}

/** The codes found in an image under the newest secret key; null where they are. @throws ClosedError */
export function resealCodesOf(
  vault: Vault,
  image: { readonly id: string; readonly codes: Buffer },
): Buffer | null {
  return vault.reseal(image.codes, codesContext(image.id));
}
