import type { Vault } from '#server/core/crypto.ts';
import { merchantKey } from '#server/core/text.ts';

/**
 * One text for all spellings of one code at one merchant: what makes a listing a duplicate (decisions 2.5).
 * Merchants are equal by their key; codes without regard to case, spaces, dashes and invisible signs.
 */
export function codeIdentity(merchant: string, code: string): string {
  const bare = code
    .normalize('NFKC')
    .replace(/[\s\p{Dash_Punctuation}\p{Format}]/gu, '')
    .toUpperCase();
  return `${merchantKey(merchant)}\n${bare}`;
}

/** The keyed hash by which a code is known again, whatever its spelling. */
export function codeFingerprint(vault: Vault, merchant: string, code: string): string {
  return vault.fingerprint(codeIdentity(merchant, code));
}
