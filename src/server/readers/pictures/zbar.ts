import { isUtf8 } from 'node:buffer';
import { ZBarConfigType, ZBarImage, ZBarScanner, ZBarSymbolType } from '@undecaf/zbar-wasm';
import { boxAround, type GreyPicture, type Point, type Reading } from './found-codes.ts';
import { symbolText } from './symbol-text.ts';

interface Symbology {
  readonly format: string;
  /** How many scan lines must agree. */
  readonly lines: number;
}

/** The symbologies to look for, without DataBar, which ZBar often sees where there is none. */
const SYMBOLOGIES: ReadonlyMap<ZBarSymbolType, Symbology> = new Map([
  [ZBarSymbolType.ZBAR_QRCODE, { format: 'QRCode', lines: 1 }],
  [ZBarSymbolType.ZBAR_EAN13, { format: 'EAN13', lines: 2 }],
  [ZBarSymbolType.ZBAR_UPCA, { format: 'UPCA', lines: 2 }],
  [ZBarSymbolType.ZBAR_CODE128, { format: 'Code128', lines: 2 }],
  [ZBarSymbolType.ZBAR_CODE93, { format: 'Code93', lines: 2 }],
  [ZBarSymbolType.ZBAR_EAN8, { format: 'EAN8', lines: 4 }],
  [ZBarSymbolType.ZBAR_UPCE, { format: 'UPCE', lines: 4 }],
  [ZBarSymbolType.ZBAR_CODE39, { format: 'Code39', lines: 4 }],
  [ZBarSymbolType.ZBAR_I25, { format: 'ITF', lines: 6 }],
  [ZBarSymbolType.ZBAR_CODABAR, { format: 'Codabar', lines: 6 }],
]);

const scanner = await ZBarScanner.create();
scanner.setConfig(ZBarSymbolType.ZBAR_NONE, ZBarConfigType.ZBAR_CFG_ENABLE, 0);
for (const symbol of SYMBOLOGIES.keys()) scanner.setConfig(symbol, ZBarConfigType.ZBAR_CFG_ENABLE, 1);
scanner.setConfig(ZBarSymbolType.ZBAR_NONE, ZBarConfigType.ZBAR_CFG_POSITION, 1);
// The bytes as they are, not what ZBar takes for their letters.
scanner.setConfig(ZBarSymbolType.ZBAR_QRCODE, ZBarConfigType.ZBAR_CFG_BINARY, 1);

/** All the codes that ZBar finds: it reads blurred and dim linear codes that ZXing misses. */
export async function readWithZbar({ data, width, height }: GreyPicture): Promise<Reading[]> {
  const pixels = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  if (!(pixels instanceof ArrayBuffer)) return [];
  const image = await ZBarImage.createFromGrayBuffer(width, height, pixels);
  try {
    scanner.scan(image);
    return image.getSymbols().flatMap((symbol) => {
      const known = SYMBOLOGIES.get(symbol.type);
      if (!known || symbol.quality < known.lines || symbol.points.length === 0) return [];
      const { format } = known;
      const position = cornersOf(symbol.points);
      const bytes = Buffer.from(symbol.data);
      const { text, isText } = symbolText(format, decoded(bytes), bytes);
      return [{ text, isText: isText && format !== 'UPCE', format, position, lines: symbol.quality }];
    });
  } finally {
    image.destroy();
  }
}

/** UTF-8, or else Latin-1, in which every byte is a letter. */
function decoded(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString() : bytes.toString('latin1');
}

/** The box around the points at which ZBar read. */
function cornersOf(points: readonly Point[]): Reading['position'] {
  const { left, right, top, bottom } = boxAround(points);
  return [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ];
}
