import { type ExposureEntry, entryText, NO_HASH } from '#contract/oversight/proof-lines.ts';
import { sha256 } from '#server/core/crypto.ts';

/** The hash of each entry of a chain, in hex and in their order. */
export function hashesOf(chain: string, entries: readonly ExposureEntry[]): string[] {
  let previous = NO_HASH;
  return entries.map((entry, index) => {
    previous = sha256(entryText(chain, index + 1, entry, previous));
    return previous;
  });
}
