import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  prepareZXingModule,
  type ReadableBarcodeFormat,
  type ReaderOptions,
  type ReadResult,
  readBarcodes,
} from 'zxing-wasm/reader';
import { ERROR_PRONE_FORMATS, type GreyPicture, type Reading } from './found-codes.ts';

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
} as const satisfies Partial<Record<ReadableBarcodeFormat, string>>;

const OPTIONS: ReaderOptions = {
  formats: [
    'QRCode',
    'DataMatrix',
    'Aztec',
    'PDF417',
    'MicroPDF417',
    'EANUPC',
    'Code128',
    'Code39',
    'Code93',
    'ITF',
    'Codabar',
    'DataBar',
  ],
  maxNumberOfSymbols: 32,
};

/** How many lines must agree before a reading of an error-prone symbology is certain. */
const ERROR_PRONE_LINES = 24;

/** Loads the decoder from our own disk; without this it would be downloaded from another server. */
export async function prepareZxing(): Promise<void> {
  const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  const { buffer } = new Uint8Array(await readFile(file));
  // We do not need its messages about broken symbols.
  const quiet = { print: () => undefined, printErr: () => undefined };
  await prepareZXingModule({ overrides: { wasmBinary: buffer, ...quiet }, fireImmediately: true });
}

/** All the codes that ZXing finds: matrix codes at any angle, linear ones along rows and columns. */
export async function readWithZxing(picture: GreyPicture): Promise<Reading[]> {
  // A PGM file, a header before the pixels: the only input format with one byte per pixel.
  const header = Buffer.from(`P5 ${picture.width} ${picture.height} 255\n`);
  const results = await readBarcodes(Buffer.concat([header, picture.data]), OPTIONS);
  return results.flatMap((result) => {
    const format = isKnown(result.format) ? FORMATS[result.format] : null;
    if (!result.isValid || format === null) return [];
    const { topLeft, topRight, bottomRight, bottomLeft } = result.position;
    const isDoubtful = ERROR_PRONE_FORMATS.has(format) && result.lineCount < ERROR_PRONE_LINES;
    return [
      { text: textOf(result), format, position: [topLeft, topRight, bottomRight, bottomLeft], isDoubtful },
    ];
  });
}

function isKnown(format: string): format is keyof typeof FORMATS {
  return Object.hasOwn(FORMATS, format);
}

/** The printed digits of a UPC-E; ZXing returns those of the UPC-A that it abbreviates. */
function textOf({ format, text, extra }: ReadResult): string {
  if (format !== 'UPCE') return text;
  const printed: unknown = extra ? JSON.parse(extra).UPCE : undefined;
  return typeof printed === 'string' ? printed : text;
}
