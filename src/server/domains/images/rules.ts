import { type FoundCode, type ImageKind, kindOfFormat, uploadExpiry } from '#contract/images.ts';
import { visibleCode } from '#contract/visible-code.ts';

/**
 * Whether a viewer (null: nobody is signed in) may see an unattached upload. A member's upload is visible only to that
 * member, whatever roles others have; an anonymous upload to everybody who knows its id.
 */
export function maySee(
  image: { readonly uploaderId: number | null; readonly createdAt: Date; readonly keptUntil?: Date | null },
  viewerId: number | null,
  now: Date,
): boolean {
  const until = uploadExpiry(now);
  if (image.uploaderId === null) return image.createdAt > until.anonymous;
  const isFresh = image.createdAt > until.members || (image.keptUntil ?? now) > now;
  return image.uploaderId === viewerId && isFresh;
}

/**
 * The code most likely meant by a picture of this kind, as it is stored: the first code of that kind, or else the first
 * code found.
 */
export function likeliestCode(codes: readonly FoundCode[], kind: ImageKind): string | null {
  const ofKind = codes.find(({ format }) => kindOfFormat(format) === kind);
  return visibleCode((ofKind ?? codes[0])?.text ?? '') || null;
}

/** Whether one of these codes has this text, but says more than it. */
export function isMoreThanText(codes: readonly FoundCode[], code: string): boolean {
  return codes.some(({ text, isText }) => !isText && visibleCode(text) === code);
}
