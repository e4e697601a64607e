import { sha256 } from '#server/core/crypto.ts';

/** The ETag of an answer in JSON: weak, as it is the same however the answer is compressed. */
export const tagOf = (answer: unknown): string => `W/"${sha256(JSON.stringify(answer)).slice(0, 32)}"`;

const isWeak = /^W\//;

/** Whether the caller has already what the tag names, by its If-None-Match. A cache on the way may have weakened the tag. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const known = ifNoneMatch.split(',').map((tag) => tag.trim().replace(isWeak, ''));
  return known.includes('*') || known.includes(etag.replace(isWeak, ''));
}
