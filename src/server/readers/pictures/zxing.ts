import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  prepareZXingModule,
  type ReadableBarcodeFormat,
  type ReaderOptions,
  type ReadResult,
  readBarcodes,
} from 'zxing-wasm/reader';
import { isGs1Coupon } from '#contract/coupons/images.ts';
import type { GreyPicture, Reading } from './found-codes.ts';
import { type SymbolText, symbolText } from './symbol-text.ts';

/** The symbologies of coupons under our names; the layouts of one symbology share its name. */
const FORMATS = {
  QRCode: 'QRCode',
  QRCodeModel1: 'QRCode',
  QRCodeModel2: 'QRCode',
  MicroQRCode: 'MicroQRCode',
  RMQRCode: 'RMQRCode',
  DataMatrix: 'DataMatrix',
  Aztec: 'Aztec',
  AztecCode: 'Aztec',
  PDF417: 'PDF417',
  CompactPDF417: 'PDF417',
  MicroPDF417: 'MicroPDF417',
  EAN13: 'EAN13',
  EAN8: 'EAN8',
  UPCA: 'UPCA',
  UPCE: 'UPCE',
  ISBN: 'EAN13',
  Code128: 'Code128',
  Code39: 'Code39',
  Code39Std: 'Code39',
  Code39Ext: 'Code39',
  Code32: 'Code32',
  Code93: 'Code93',
  ITF: 'ITF',
  ITF14: 'ITF',
  Codabar: 'Codabar',
  DataBar: 'DataBar',
  DataBarOmni: 'DataBar',
  DataBarStk: 'DataBar',
  DataBarStkOmni: 'DataBar',
  DataBarLtd: 'DataBarLimited',
  DataBarExp: 'DataBarExpanded',
  DataBarExpStk: 'DataBarExpanded',
  MaxiCode: 'MaxiCode',
} as const satisfies Partial<Record<ReadableBarcodeFormat, string>>;

const LINEAR: readonly ReadableBarcodeFormat[] = [
  'EANUPC',
  'Code128',
  'Code39',
  'Code93',
  'ITF',
  'Codabar',
  'DataBar',
];

const MATRIX: readonly ReadableBarcodeFormat[] = [
  'QRCode',
  'DataMatrix',
  'Aztec',
  'PDF417',
  'MicroPDF417',
  'MaxiCode',
];

const OPTIONS: ReaderOptions = {
  formats: [...MATRIX, ...LINEAR],
  maxNumberOfSymbols: 32,
  // Reduced pictures and negatives are looks of their own, when they are needed.
  tryDownscale: false,
  tryInvert: false,
  // What was scanned: other modes write control characters in letters, as in '<GS>'.
  textMode: 'Plain',
};

// From our own disk; without this it would be downloaded from another server.
const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
const { buffer } = new Uint8Array(await readFile(file));
// We do not need its messages about broken symbols.
const quiet = { print: () => undefined, printErr: () => undefined };
await prepareZXingModule({ overrides: { wasmBinary: buffer, ...quiet }, fireImmediately: true });

/** A quick read takes about one in this many of the lines that a thorough read takes. */
const QUICK_STEP = 3;

/** The codes that ZXing finds with few lines: clear ones, at a third of the cost. */
export async function readQuickly(picture: GreyPicture): Promise<Reading[]> {
  const readings = await read(picture, { ...OPTIONS, tryHarder: false });
  return readings.map((reading) => ({ ...reading, lines: reading.lines * QUICK_STEP }));
}

/** All the codes that ZXing finds: matrix codes at any angle, linear ones along rows and columns. */
export function readThoroughly(picture: GreyPicture): Promise<Reading[]> {
  return read(picture, OPTIONS);
}

/** All the linear codes that ZXing finds, at half the cost. */
export function readLinear(picture: GreyPicture): Promise<Reading[]> {
  return read(picture, { ...OPTIONS, formats: [...LINEAR] });
}

/** The bytes of the only symbol in a PNG; null if none or several can be read. */
export async function bytesOnly(png: Uint8Array): Promise<Uint8Array | null> {
  const [only, another] = (await readBarcodes(png, OPTIONS)).filter(({ isValid }) => isValid);
  return only && !another ? only.bytes : null;
}

async function read(picture: GreyPicture, options: ReaderOptions): Promise<Reading[]> {
  // A PGM file, a header before the pixels: the only input format with one byte per pixel.
  const header = Buffer.from(`P5 ${picture.width} ${picture.height} 255\n`);
  const file = Buffer.concat([header, picture.data]);
  const results = await readBarcodes(file, options);
  // The brackets of '(01)09521234543213(10)X1' are not in the symbol, but only they tell where a field begins.
  const bracketed = results.some(isGs1) ? await readBarcodes(file, { ...options, textMode: 'HRI' }) : results;
  return results.flatMap((result, index) => {
    const format = isKnown(result.format) ? FORMATS[result.format] : null;
    if (!result.isValid || format === null) return [];
    const { topLeft, topRight, bottomRight, bottomLeft } = result.position;
    const { text, isText } = textOf((isGs1(result) && bracketed[index]) || result, format);
    return [
      {
        text,
        isText,
        format,
        position: [topLeft, topRight, bottomRight, bottomLeft],
        lines: result.lineCount,
      },
    ];
  });
}

const isGs1 = ({ contentType }: ReadResult) => contentType === 'GS1';

function isKnown(format: string): format is keyof typeof FORMATS {
  return Object.hasOwn(FORMATS, format);
}

function textOf({ format: name, text, bytes, extra, sequenceSize }: ReadResult, format: string): SymbolText {
  // The printed digits of a UPC-E; ZXing returns those of the UPC-A that it abbreviates.
  const printed: unknown = name === 'UPCE' && extra ? JSON.parse(extra).UPCE : undefined;
  if (typeof printed === 'string') return { text: printed, isText: false };
  // Drawn as DataBar Expanded again (drawing.ts).
  if (format === 'DataBarExpanded' && isGs1Coupon(text)) return { text, isText: true };
  const read = symbolText(format, text, bytes);
  return sequenceSize > 1 ? { ...read, isText: false } : read;
}
