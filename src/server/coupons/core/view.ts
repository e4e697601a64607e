import type { Coupon } from '#contract/coupons/coupons.ts';
import { type ImageKind, isBarcodeText, isQrText } from '#contract/coupons/images.ts';
import { CODE_PREVIEW_LENGTH } from '#contract/coupons/limits.ts';
import { pictureUrl } from '#contract/people/picture-addresses.ts';
import type { Context } from '#server/context/context.ts';
import type { CouponRow } from './store.ts';

/** The context for encrypting a coupon's code: ciphertext moved to another coupon's row cannot be decrypted. */
export function codeContext(couponId: number): string {
  return `coupon:${couponId}`;
}

/** The same for its PIN. */
export function pinContext(couponId: number): string {
  return `coupon-pin:${couponId}`;
}

/** Returns the first characters of a code, at most half of it, for its owner's card. */
function previewOf(code: string): string {
  // Split by characters, so that surrogate pairs stay whole.
  const characters = [...code];
  const length = Math.min(CODE_PREVIEW_LENGTH, Math.floor(characters.length / 2));
  return `${characters.slice(0, length).join('')}…`;
}

/**
 * A coupon as one viewer may see it (null: nobody is signed in). Only its owner gets a preview of the code (decisions
 * 2.1), and their program only if its key may read codes; for others the row does not even contain the sealed code.
 */
export function toCoupon(
  row: CouponRow,
  viewerId: number | null,
  { vault, providers, apiKey }: Pick<Context, 'vault' | 'providers' | 'apiKey'>,
): Coupon {
  const { sealedCode, imageKinds } = row;
  const isOwner = row.ownerId === viewerId;
  const code = isOwner && sealedCode ? vault.open(sealedCode, codeContext(row.id)) : null;
  const mayReadCodes = !apiKey || apiKey.scopes.includes('codes:read');
  const urlIf = (kind: ImageKind, isThere: boolean) =>
    isOwner && isThere ? codeImageUrl(row.id, kind) : null;
  // A picture drawn from its text would hold another code.
  const drawn = row.isDrawable ? code : null;
  const hasQrCode = imageKinds?.includes('qrcode') ?? false;
  const hasBarcode = imageKinds?.includes('barcode') ?? false;
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    value: row.value,
    discountType: row.discountType,
    isValueRead: row.isValueRead,
    merchant: row.merchant,
    category: row.category,
    hasNoExpiry: row.hasNoExpiry,
    expiryDate: row.expiryDate,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    regions: row.regions,
    transferable: row.transferable,
    terms: row.terms,
    sourceUrl: row.sourceUrl,
    imageUrl: pictureUrl(row.pictureId),
    isVerified: row.isVerified,
    health: row.health,
    checkedAt: row.checkedAt?.toISOString() ?? null,
    isActive: row.isActive,
    usedAt: isOwner ? (row.usedAt?.toISOString() ?? null) : null,
    isWaiting: row.isWaiting,
    isReserved: row.isReserved,
    // Whether it is drawable is known of codes alone.
    isReissuable: row.isDrawable !== null && providers.validators.canReissue(row.merchant),
    reissuedAt: row.reissuedAt?.toISOString() ?? null,
    isOpenToOffers: row.isOpenToOffers,
    askingPrice: row.askingPrice,
    priceFloor: row.priceFloor,
    isSaved: row.isSaved,
    ownerId: row.ownerId,
    ownerUsername: row.ownerUsername,
    ownerRating: row.ownerRating,
    hasCode: row.hasCode,
    codePreview: code === null || !mayReadCodes ? null : previewOf(code),
    qrCodeUrl: urlIf('qrcode', hasQrCode),
    barcodeUrl: urlIf('barcode', hasBarcode),
    drawnQrCodeUrl: urlIf('qrcode', !hasQrCode && drawn !== null && isQrText(drawn)),
    drawnBarcodeUrl: urlIf('barcode', !hasBarcode && drawn !== null && isBarcodeText(drawn)),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The address of a code's picture; it answers only to the coupon's current owner. */
function codeImageUrl(couponId: number, kind: ImageKind): string {
  return `/api/coupons/${couponId}/${kind}`;
}
