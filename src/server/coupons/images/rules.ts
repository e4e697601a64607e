import { visibleCode } from '#contract/base/invisible.ts';
import { type FoundCode, type ImageKind, kindOfFormat, uploadExpiry } from '#contract/coupons/images.ts';

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
  return visibleCode(likeliest(codes, kind)?.text ?? '') || null;
}

function likeliest(codes: readonly FoundCode[], kind: ImageKind): FoundCode | undefined {
  return codes.find(({ format }) => kindOfFormat(format) === kind) ?? codes[0];
}

/** The symbol that a coupon's picture shows: that of its code, or else the likeliest one. */
export function symbolOf(
  codes: readonly FoundCode[],
  { kind, code }: { kind: ImageKind; code: string },
): FoundCode | undefined {
  return codes.find(({ text }) => visibleCode(text) === code) ?? likeliest(codes, kind);
}

/** Whether one of these codes has this text, but says more than it. */
export function isMoreThanText(codes: readonly FoundCode[], code: string): boolean {
  return codes.some(({ text, isText }) => !isText && visibleCode(text) === code);
}
