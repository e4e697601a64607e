import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The prefix by which people and secret scanners know a key; docs/security.md has the whole pattern. */
export const TOKEN_PREFIX = 'clipswap_';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62 characters give 36 of them 214 bits. */
const RANDOM_LENGTH = 36;
const CHECKSUM_LENGTH = 6;
const PATTERN = new RegExp(`^${TOKEN_PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** The CRC32 of the random part in base 62, as GitHub's tokens have it: a scanner knows a key without asking us. */
function checksumOf(random: string): string {
  let rest = crc32(random);
  let text = '';
  while (text.length < CHECKSUM_LENGTH) {
    text = DIGITS[rest % DIGITS.length] + text;
    rest = Math.floor(rest / DIGITS.length);
  }
  return text;
}

/** A new key. */
export function makeToken(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('');
  return TOKEN_PREFIX + random + checksumOf(random);
}

/** Whether a text has the form and the checksum of a key. */
export function isWhole(token: string): boolean {
  const random = token.slice(TOKEN_PREFIX.length, -CHECKSUM_LENGTH);
  return PATTERN.test(token) && token.endsWith(checksumOf(random));
}
