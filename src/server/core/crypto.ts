import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** The secret keys of an installation, the newest first. */
export type SecretKeys = readonly [Buffer, ...Buffer[]];

/** What was sealed under another key, in another place, or has changed since. */
export class ClosedError extends Error {
  override readonly name = 'ClosedError';
}

/** Encrypts secrets for storage and hashes them for comparison. */
export interface Vault {
  /** Encrypts a text, bound to `context`: it only opens under the same context. */
  seal(text: string, context: string): Buffer;
  /** Decrypts what `seal` made. @throws ClosedError when key, context or bytes differ */
  open(sealed: Buffer, context: string): string;
  /** Encrypts bytes; the result is 28 bytes longer. */
  sealBytes(bytes: Uint8Array, context: string): Buffer;
  /** Decrypts what `sealBytes` made. @throws ClosedError when key, context or bytes differ */
  openBytes(sealed: Uint8Array, context: string): Buffer;
  /** Seals under the newest key what an older one has sealed; null where the newest one did. @throws ClosedError like `open` */
  reseal(sealed: Uint8Array, context: string): Buffer | null;
  /** A keyed fingerprint, 64 hex digits: equal for equal texts, useless without the key. */
  fingerprint(text: string): string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const derive = (secretKey: Buffer, purpose: string, bytes = 32) =>
  Buffer.from(hkdfSync('sha256', secretKey, '', purpose, bytes));

/** The key of fingerprints that belongs to a secret key. An installation keeps its first one: see `openVault`. */
export function fingerprintKeyOf(secretKey: Buffer): Buffer {
  return derive(secretKey, 'clipswap code fingerprints');
}

/**
 * AES-256-GCM under keys derived from `secretKeys` (32 bytes each, the newest first): the first seals, each may open.
 * @param fingerprintKey of HMAC-SHA-256
 */
export function createVault(
  secretKeys: SecretKeys,
  fingerprintKey: Buffer = fingerprintKeyOf(secretKeys.at(-1) ?? secretKeys[0]),
): Vault {
  const [sealKey, ...olderKeys] = secretKeys.map((key) => derive(key, 'clipswap coupon codes')) as [
    Buffer,
    ...Buffer[],
  ];

  const sealBytes: Vault['sealBytes'] = (bytes, context) => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, sealKey, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(context));
    return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  };
  const openWith = (key: Buffer, sealed: Uint8Array, context: string): Buffer => {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  };
  /** The tag tells which key it is. */
  const openAny = (sealed: Uint8Array, context: string): { bytes: Buffer; isNewest: boolean } => {
    try {
      return { bytes: openWith(sealKey, sealed, context), isNewest: true };
    } catch (error) {
      for (const key of olderKeys) {
        try {
          return { bytes: openWith(key, sealed, context), isNewest: false };
        } catch {
          // Another key, or none.
        }
      }
      throw new ClosedError('No key opens this', { cause: error });
    }
  };
  const openBytes: Vault['openBytes'] = (sealed, context) => openAny(sealed, context).bytes;

  return {
    sealBytes,
    openBytes,
    reseal(sealed, context) {
      const { bytes, isNewest } = openAny(sealed, context);
      return isNewest ? null : sealBytes(bytes, context);
    },
    seal: (text, context) => sealBytes(Buffer.from(text), context),
    open: (sealed, context) => openBytes(sealed, context).toString(),
    fingerprint(text) {
      return createHmac('sha256', fingerprintKey).update(text).digest('hex');
    },
  };
}

/** Names a secret key without telling anything of it: 16 hex digits. */
export function keyReference(secretKey: Buffer): string {
  return derive(secretKey, 'clipswap key reference', 8).toString('hex');
}

/** SHA-256 as 64 hex digits, for tokens that are already random. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
