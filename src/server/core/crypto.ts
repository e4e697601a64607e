import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Encrypts secrets for storage and hashes them for comparison, under keys from the installation's secret key.
 */
export interface Vault {
  /** Encrypts a text, bound to `context`: it only opens under the same context. */
  seal(text: string, context: string): Buffer;
  /** Decrypts what `seal` made. @throws Error when key, context or bytes differ */
  open(sealed: Buffer, context: string): string;
  /** Encrypts bytes; the result is 28 bytes longer. */
  sealBytes(bytes: Uint8Array, context: string): Buffer;
  /** Decrypts what `sealBytes` made. @throws Error when key, context or bytes differ */
  openBytes(sealed: Uint8Array, context: string): Buffer;
  /** A keyed fingerprint, 64 hex digits: equal for equal texts, useless without the key. */
  fingerprint(text: string): string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM and HMAC-SHA-256 under keys derived from `secretKey` (32 bytes). */
export function createVault(secretKey: Buffer): Vault {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32));
  const sealKey = derive('clipswap coupon codes');
  const fingerprintKey = derive('clipswap code fingerprints');

  const sealBytes: Vault['sealBytes'] = (bytes, context) => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, sealKey, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(context));
    return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  };
  const openBytes: Vault['openBytes'] = (sealed, context) => {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, sealKey, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  };

  return {
    sealBytes,
    openBytes,
    seal: (text, context) => sealBytes(Buffer.from(text), context),
    open: (sealed, context) => openBytes(sealed, context).toString(),
    fingerprint(text) {
      return createHmac('sha256', fingerprintKey).update(text).digest('hex');
    },
  };
}

/** Names a secret key without telling anything of it: 16 hex digits. */
export function keyReference(secretKey: Buffer): string {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'clipswap key reference', 8)).toString('hex');
}

/** SHA-256 as 64 hex digits, for tokens that are already random. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
