import { CODE_PREVIEW_LENGTH, type Coupon } from '#contract/coupons.ts';
import type { Vault } from '#server/core/crypto.ts';
import { codeIdentity } from './rules.ts';
import type { CouponRow } from './store.ts';

/** What a coupon's code is sealed under: moved to another coupon's row, it does not open. */
export function codeContext(couponId: number): string {
  return `coupon:${couponId}`;
}

/** The keyed hash by which a code that is listed already is found, whatever its spelling (decisions 2.5). */
export function codeFingerprint(vault: Vault, merchant: string, code: string): string {
  return vault.fingerprint(codeIdentity(merchant, code));
}

/** A code's first characters, for its owner's card. */
function previewOf(code: string): string {
  // By characters rather than by halves of surrogate pairs.
  const characters = [...code];
  if (characters.length <= CODE_PREVIEW_LENGTH) return code;
  return `${characters.slice(0, CODE_PREVIEW_LENGTH).join('')}…`;
}

/**
 * A coupon as one viewer (null: nobody signed in) may see it. Only its owner gets a preview of the code
 * (decisions 2.1); for others the row does not even hold the sealed code.
 */
export function toCoupon(row: CouponRow, viewerId: number | null, vault: Vault): Coupon {
  const { sealedCode, ...coupon } = row;
  const isOwner = row.ownerId === viewerId;
  return {
    id: coupon.id,
    title: coupon.title,
    description: coupon.description,
    value: coupon.value,
    discountType: coupon.discountType,
    merchant: coupon.merchant,
    category: coupon.category,
    hasNoExpiry: coupon.hasNoExpiry,
    expiryDate: coupon.expiryDate,
    expiresAt: coupon.expiresAt?.toISOString() ?? null,
    terms: coupon.terms,
    sourceUrl: coupon.sourceUrl,
    isVerified: coupon.isVerified,
    isActive: coupon.isActive,
    isReserved: coupon.isReserved,
    ownerId: coupon.ownerId,
    ownerUsername: coupon.ownerUsername,
    hasCode: coupon.hasCode,
    codePreview: isOwner && sealedCode ? previewOf(vault.open(sealedCode, codeContext(row.id))) : null,
    createdAt: coupon.createdAt.toISOString(),
    updatedAt: coupon.updatedAt.toISOString(),
  };
}
