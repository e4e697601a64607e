import type { Vault } from '#server/core/crypto.ts';
import { merchantKey } from '#server/core/text.ts';

/**
 * The same text for all spellings of one code at one merchant; two listings with the same text are duplicates
 * (decisions 2.5). Merchants are compared by their key; codes ignoring case, spaces, dashes and invisible characters.
 */
export function codeIdentity(merchant: string, code: string): string {
  const bare = code
    .normalize('NFKC')
    .replace(/[\s\p{Dash_Punctuation}\p{Format}]/gu, '')
    .toUpperCase();
  return `${merchantKey(merchant)}\n${bare}`;
}

/** A keyed hash of `codeIdentity`: recognises a code without storing it. */
export function codeFingerprint(vault: Vault, merchant: string, code: string): string {
  return vault.fingerprint(codeIdentity(merchant, code));
}
