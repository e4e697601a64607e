import { z } from 'zod';
import type { SecretKeys } from './crypto.ts';

const KEY_BYTES = 32;

/** The bytes of a key in base64. */
const toKey = (base64: string) => Buffer.from(base64, 'base64');

/** Whether a text is a key: 32 bytes in base64. */
export function isSecretKey(text: string): boolean {
  return z.base64().safeParse(text).success && toKey(text).length === KEY_BYTES;
}

/** The keys of the setting, newest first. */
export function keysOf(text: string): SecretKeys {
  const [newest = '', ...older] = text.split(',');
  return [toKey(newest), ...older.map(toKey)];
}

/** Of 32 random bytes about 30 are distinct; fewer than this do not occur. */
const LEAST_DISTINCT = 17;

/**
 * Whether a key was made up instead of drawn: one byte or a few over and over, bytes that count up or down, or text
 * such as 'changeme'. Random bytes look like none of these.
 */
export function isObviousKey(key: Buffer): boolean {
  const steps = new Set(Array.from(key, (byte, at) => (byte - (key[at - 1] ?? 0) + 256) % 256).slice(1));
  const isText = key.every((byte) => byte >= 0x20 && byte < 0x7f);
  return new Set(key).size < LEAST_DISTINCT || steps.size === 1 || isText;
}
