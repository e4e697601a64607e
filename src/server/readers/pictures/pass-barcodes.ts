import { drawSymbol, type PassSymbology } from './drawing.ts';
import { bytesOnly } from './zxing.ts';

const { default: iconv } = await import('iconv-lite');

/** A barcode as pass.json names it. */
export interface PassBarcode {
  readonly format: string;
  readonly message: string;
  /** The charset in which the message becomes bytes; blank if the pass does not say it. */
  readonly messageEncoding: string;
}

const SYMBOLOGIES: readonly (readonly [name: RegExp, symbology: PassSymbology])[] = [
  [/qr/i, 'qrcode'],
  [/pdf417/i, 'pdf417'],
  [/aztec/i, 'azteccode'],
  [/code128/i, 'code128'],
];

/**
 * Draws the first barcode that can be drawn: further ones are for phones that do not know the first. What is drawn is
 * read again, and does not count if it holds other bytes than the pass says.
 * @returns null if there is none
 */
export async function drawBarcode(barcodes: readonly PassBarcode[]): Promise<Buffer | null> {
  for (const { format, message, messageEncoding } of barcodes) {
    const symbology = SYMBOLOGIES.find(([name]) => name.test(format))?.[1];
    const bytes = messageBytes(message, messageEncoding);
    const drawn = symbology && bytes && (await drawSymbol(symbology, bytes));
    if (drawn && bytes.equals((await bytesOnly(drawn.bytes)) ?? Buffer.of())) return drawn.bytes;
  }
  return null;
}

/** Apple's own example, and what wallets take where a pass says nothing. */
const USUAL = 'iso-8859-1';

/** The bytes of a message; null if its charset is unknown or does not have its letters. */
export function messageBytes(message: string, encoding: string): Buffer | null {
  if (/^[\x20-\x7e]*$/.test(message) && !/utf-?(?:16|32)|ucs/i.test(encoding))
    return Buffer.from(message, 'latin1');
  const name = encoding.trim() || USUAL;
  const bytes = encoded(message, name);
  return bytes ?? (encoding.trim() === '' ? encoded(message, 'utf-8') : null);
}

function encoded(message: string, charset: string): Buffer | null {
  if (!iconv.encodingExists(charset)) return null;
  const bytes = iconv.encode(message, charset);
  return iconv.decode(bytes, charset) === message ? bytes : null;
}
