import type { Vault } from '#server/core/crypto.ts';
import { canonicalCode, canonicalMerchant } from '#server/core/fold.ts';

/**
 * The same text for all spellings of one code at one merchant; two listings with the same text are duplicates
 * (decisions 2.5).
 */
export function codeIdentity(merchant: string, code: string): string {
  return `${canonicalMerchant(merchant)}\n${canonicalCode(code)}`;
}

/** A keyed hash of `codeIdentity`: recognises a code without storing it. */
export function codeFingerprint(vault: Vault, merchant: string, code: string): string {
  return vault.fingerprint(codeIdentity(merchant, code));
}
