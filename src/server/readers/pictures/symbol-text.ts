import { visibleCode } from '#contract/base/invisible.ts';

/** Retail numbers: what a decoder gives as their bytes depends on how many digits it likes to see. */
const RETAIL = new Set(['EAN13', 'UPCA', 'EAN8']);

/** A symbol's text, and whether the text says all: drawn again, the symbol would hold the same bytes. */
export interface SymbolText {
  readonly text: string;
  readonly isText: boolean;
}

/**
 * The text of a symbol by its bytes. Latin-1, Shift-JIS, GS1 and the like have a text to read, but only their picture has
 * their bytes. What cannot be stored as a text is given as its bytes, in hexadecimal digits.
 * @param read what a decoder takes for the text
 */
export function symbolText(format: string, read: string, bytes: Uint8Array): SymbolText {
  const isSame = Buffer.from(read).equals(bytes) || (RETAIL.has(format) && /^\d+$/.test(read));
  if (/[\0\ufffd]|[\ud800-\udfff]/u.test(read) && !isSame)
    return { text: Buffer.from(bytes).toString('hex'), isText: false };
  // Stored, it would lose what nobody sees.
  return { text: read, isText: isSame && visibleCode(read) === read };
}
